// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads one parsed instruction: takes its modifiers and turns its operands into places of the
// decoded one.
#ifndef GPUPROF_SRC_SIM_DECODE_INSTRUCTION_DECODER_HPP
#define GPUPROF_SRC_SIM_DECODE_INSTRUCTION_DECODER_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/core/error.hpp>

#include "../ptx/instruction_class.hpp"
#include "../ptx/module.hpp"
#include "function_builder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The decoders of decode/ work on this: each takes the modifiers it understands and the operands it
// needs, fills `op`, and leaves what it does not understand, which finish() reports. Every function
// here that fails records why and returns something harmless, so decoders need not check after each
// step.
class instruction_decoder {
public:
    instruction_decoder(function_builder& function, ptx::instruction const& decoded);

    // The class in the profile: the opcode's, of the form on a type, or another one that the form
    // asks for.
    void classify(ptx::type t) noexcept;
    void classify(instruction_kind kind, pipe where) noexcept;

    // True, once, when the modifier is there.
    bool take(std::string_view modifier);
    // Takes the first of `names` that is there and returns its index, or -1.
    template <std::size_t N>
    int take_one(std::string_view const (&names)[N]) {
        for (std::size_t i = 0; i < N; ++i)
            if (take(names[i])) return static_cast<int>(i);
        return -1;
    }
    // The first type among the modifiers left.
    ptx::type take_type();
    // .rn and its kin; false when none is there.
    bool take_rounding();
    [[nodiscard]] std::size_t operand_count() const noexcept { return from.operands.size(); }
    [[nodiscard]] bool expect_operands(std::size_t least, std::size_t most);
    // The same for an instruction that has forms with other operands.
    [[nodiscard]] bool has_operands(std::size_t least, std::size_t most);

    [[nodiscard]] ptx::operand const& operand(std::size_t i);

    // Where to read an operand as that type. Registers must have its size. Decoders go by way of
    // operands.hpp.
    operand_ref read(ptx::operand const& o, ptx::type as);

    operand_ref write(ptx::operand const& o, ptx::type as);

    // Appends to the function's slots; the first append of an instruction sets op.list.
    void add_slot(operand_slot s);

    [[nodiscard]] ptx::type register_type(ptx::operand const& o) const;

    // The offset of a shared variable. The code depends on it, so it is noted.
    [[nodiscard]] std::uint64_t shared_address(ptx::variable const* v) const;
    [[nodiscard]] ptx::variable const& module_variable(ptx::operand const& o) const;

    // Ends the instruction: everything must have been understood. Appends it to the function.
    bool finish();
    [[nodiscard]] bool has_modifiers() const noexcept { return !modifiers_.empty(); }
    [[nodiscard]] std::string_view next_modifier() const noexcept { return modifiers_.front(); }

    // It is PTX, but the embedded GPU does not have it.
    GPUPROF_COLD bool fail(ptx::position at, std::string_view text);
    // It is no PTX; with modifiers that nobody understood it may be PTX all the same.
    GPUPROF_COLD bool malformed(ptx::position at, std::string_view text);
    bool unsupported();

    function_builder& builder;
    ptx::instruction const& from;
    decoded op;
    std::optional<error> fault;
    bool integral = false;

private:
    static std::string name_of(ptx::operand const& o);
    static std::uint64_t offset_of(ptx::operand const& o) noexcept { return static_cast<std::uint64_t>(o.offset); }

    operand_ref checked(ptx::operand const& o, ptx::type as);

    operand_ref constant(ptx::operand const& o, ptx::type as);

    // A value that only the executor knows is read into a scratch register by an instruction of its
    // own.
    operand_ref read_before(decoded before, unsigned bytes);
    operand_ref read_special(ptx::operand const& o, unsigned bytes);
    operand_ref read_local(ptx::operand const& o, unsigned bytes);
    std::uint64_t function_address(ptx::operand const& o);

    std::vector<std::string_view> modifiers_;
};

// Decodes one instruction into the function it is part of; false with `fault` set, or unsupported.
using decoder_function = bool(instruction_decoder&);
using decoder_pointer = decoder_function*;

// The decoder of an opcode. Each group of decoders is a list of these.
struct decoder_row {
    std::string_view opcode;
    decoder_pointer decode;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_INSTRUCTION_DECODER_HPP
