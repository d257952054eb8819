// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads one parsed instruction: takes its modifiers and turns operands into places. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_INSTRUCTION_DECODER_HPP
#define GPUPROF_HW_SIM_DECODE_INSTRUCTION_DECODER_HPP

#include <bit>         // floating constants
#include <cstdint>     // bits
#include <optional>    // the first fault
#include <string>      // fault texts
#include <string_view> // modifiers
#include <vector>      // modifiers left

#include "../ops/float_format.hpp"
#include "function_builder.hpp"
#include "../ptx/cursor.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/instruction_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The special register of that name; false when there is none.
[[nodiscard]] bool find_special(std::string_view name, special& out) noexcept;
// Whether PTX has a special register of that name, supported or not.
[[nodiscard]] bool is_ptx_special(std::string_view name) noexcept;

// Used by the decode_… functions: each takes the modifiers it understands and the operands it needs, fills `op`, and
// leaves what it does not understand, which finish() reports. Every function here that fails records why and returns
// something harmless, so decoders need not check after each step.
class instruction_decoder {
public:
    instruction_decoder(function_builder& builder, ptx::instruction const& decoded)
        : into{builder}, from{decoded}, modifiers_{decoded.modifiers} {
        classify(from.facts->profile.kind, from.facts->profile.pipe);
        if (from.facts != &ptx::unknown_instruction)
            op.opcode = static_cast<std::uint8_t>(from.facts - ptx::instruction_set.data());
        op.info.line = from.at.line;
        op.info.source = from.source;
        if (from.guard != ptx::instruction::no_guard) {
            op.guarded = true;
            op.guard_negated = from.guard_negated;
            op.guard = into.slot(from.guard);
        }
    }

    // The class in the profile: the opcode's, of the form on a type, or another one that the form asks for.
    void classify(ptx::type t) noexcept {
        op.packed = t == ptx::type::f16x2 || t == ptx::type::bf16x2;
        instruction_class const c = from.facts->profile.of(t);
        classify(c.kind, c.pipe);
    }
    void classify(instruction_kind kind, pipe where) noexcept {
        op.info.kind = kind;
        op.info.pipe = where;
    }

    // True, once, when the modifier is there.
    bool take(std::string_view modifier) {
        for (auto m = modifiers_.begin(); m != modifiers_.end(); ++m)
            if (*m == modifier) return modifiers_.erase(m), true;
        return false;
    }
    // Takes the first of `names` that is there and tells which, or gives -1.
    template <std::size_t N>
    int take_one(std::string_view const (&names)[N]) {
        for (std::size_t i = 0; i < N; ++i)
            if (take(names[i])) return static_cast<int>(i);
        return -1;
    }
    // The first type among the modifiers left.
    ptx::type take_type() {
        for (auto m = modifiers_.begin(); m != modifiers_.end(); ++m)
            if (auto const t = ptx::type_named(*m); t != ptx::type::none) return modifiers_.erase(m), t;
        malformed(from.at, "'" + std::string{from.opcode} + "' lacks a type");
        return ptx::type::b32;
    }
    // .rn and its kin; false when none is there.
    bool take_rounding() {
        static constexpr std::string_view names[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
        int const i = take_one(names);
        if (i < 0) return false;
        op.rounding = static_cast<rounding>(i < 5 ? i : i - 5);
        integral = i >= 5;
        return true;
    }
    [[nodiscard]] std::size_t operand_count() const noexcept { return from.operands.size(); }
    [[nodiscard]] bool expect_operands(std::size_t least, std::size_t most) {
        if (operand_count() >= least && operand_count() <= most) return true;
        return malformed(from.at, "'" + std::string{from.opcode} + "' has " + std::to_string(operand_count()) +
                                      " operands, which is not what it takes");
    }
    // The same for an instruction that has forms with other operands.
    [[nodiscard]] bool has_operands(std::size_t least, std::size_t most) {
        return (operand_count() >= least && operand_count() <= most) || unsupported();
    }

    [[nodiscard]] ptx::operand const& operand(std::size_t i) {
        static ptx::operand const missing;
        if (i < from.operands.size()) return from.operands[i];
        malformed(from.at, "'" + std::string{from.opcode} + "' lacks an operand");
        return missing;
    }

    // Where to read an operand as that type. Registers must have its size. Decoders go by way of operands.hpp.
    operand_ref read(ptx::operand const& o, ptx::type as) {
        using kind = ptx::operand_kind;
        unsigned const bytes = ptx::size_of(as);
        switch (o.kind) {
            case kind::reg: return checked(o, as);
            case kind::integer: return as == ptx::type::pred ? into.constant_predicate(o.bits != 0) : constant(o, as);
            case kind::single:
            case kind::real: return constant(o, as);
            case kind::special:
                if (as == ptx::type::pred && o.text == "is_explicit_cluster") return into.constant_predicate(false);
                return read_special(o, bytes);
            case kind::module_variable:
                if (module_variable(o).space == ptx::space::shared)
                    return into.constant(shared_address(&module_variable(o)) + offset_of(o), bytes);
                return into.constant(into.link.variable_addresses[o.index] + offset_of(o), bytes);
            case kind::function_variable: return read_local(o, bytes);
            case kind::name: return into.constant(function_address(o), bytes);
            default: break;
        }
        malformed(o.at, "this operand cannot be read here");
        return {};
    }

    operand_ref write(ptx::operand const& o, ptx::type as) {
        if (o.kind == ptx::operand_kind::sink) return into.scratch(as == ptx::type::pred ? 4 : ptx::size_of(as));
        if (o.kind == ptx::operand_kind::reg) return checked(o, as);
        if (o.kind == ptx::operand_kind::special || o.kind == ptx::operand_kind::name)
            malformed(o.at, "'" + name_of(o) + "' is not declared");
        else malformed(o.at, "a register is expected here");
        return {};
    }

    // Appends to the function's slots; the first append of an instruction sets op.list.
    void add_slot(operand_slot s) {
        if (op.list_count == 0) op.list = static_cast<std::uint32_t>(into.code.slots.size());
        into.code.slots.push_back(s);
        ++op.list_count;
    }

    [[nodiscard]] ptx::type register_type(ptx::operand const& o) const { return into.from.registers[o.index].type; }

    // The code depends on it, so it is noted.
    [[nodiscard]] std::uint64_t shared_address(ptx::variable const* v) const {
        auto const found = into.link.shared.find(v);
        std::uint32_t const offset = found == into.link.shared.end() ? 0 : found->second;
        into.link.used_shared.emplace(v, offset);
        return offset;
    }
    [[nodiscard]] ptx::variable const& module_variable(ptx::operand const& o) const {
        return into.link.source.variables[o.index];
    }

    // Ends the instruction: everything must have been understood. Appends it to the function.
    bool finish() {
        if (!modifiers_.empty())
            fail(from.at,
                 "'" + std::string{from.opcode} + "' with '." + std::string{modifiers_.front()} + "' is not supported");
        if (fault) return false;
        into.code.code.push_back(op);
        return true;
    }
    [[nodiscard]] bool has_modifiers() const noexcept { return !modifiers_.empty(); }
    [[nodiscard]] std::string_view next_modifier() const noexcept { return modifiers_.front(); }

    // It is PTX, but the embedded GPU does not have it.
    GPUPROF_COLD bool fail(ptx::position at, std::string_view text) {
        if (!fault) fault = ptx::not_supported_at(at, text);
        return false;
    }
    // It is no PTX; with modifiers that nobody understood it may be PTX all the same.
    GPUPROF_COLD bool malformed(ptx::position at, std::string_view text) {
        if (!fault) fault = modifiers_.empty() ? ptx::error_at(at, text) : ptx::not_supported_at(at, text);
        return false;
    }
    bool unsupported() { return fail(from.at, "'" + std::string{from.opcode} + "' is not supported in this form"); }

    function_builder& into;
    ptx::instruction const& from;
    decoded op;
    std::optional<error> fault;
    bool integral = false;

private:
    static std::string name_of(ptx::operand const& o) {
        return (o.kind == ptx::operand_kind::special ? "%" : "") + std::string{o.text};
    }
    static std::uint64_t offset_of(ptx::operand const& o) noexcept { return static_cast<std::uint64_t>(o.offset); }

    operand_ref checked(ptx::operand const& o, ptx::type as) {
        ptx::type const is = register_type(o);
        if ((is == ptx::type::pred) != (as == ptx::type::pred) || ptx::size_of(is) != ptx::size_of(as))
            malformed(o.at, "'" + std::string{o.text} + "' is a ." + std::string{ptx::name(is)} + " register, a ." +
                                std::string{ptx::name(as)} + " is expected");
        return into.slot(o.index);
    }

    operand_ref constant(ptx::operand const& o, ptx::type as) {
        bool const to_double = as == ptx::type::f64;
        std::uint64_t bits = o.bits;
        if (o.kind == ptx::operand_kind::single && to_double)
            bits = std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(o.bits))});
        if (o.kind == ptx::operand_kind::real && as == ptx::type::f32)
            bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(o.bits)));
        if (o.kind == ptx::operand_kind::real && as == ptx::type::f16)
            bits = narrow(std::bit_cast<double>(o.bits), f16_format);
        if (o.kind == ptx::operand_kind::integer && as == ptx::type::f64)
            bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(o.bits)));
        if (o.kind == ptx::operand_kind::integer && as == ptx::type::f32)
            bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(o.bits)));
        auto const negative = o.kind == ptx::operand_kind::integer && static_cast<std::int64_t>(o.bits) < 0;
        return into.constant(bits, ptx::size_of(as), negative ? ~std::uint64_t{0} : 0);
    }

    // What only the executor knows is read into a scratch register by an instruction of its own.
    operand_ref read_before(decoded before, unsigned bytes) {
        before.d = into.scratch(bytes);
        before.immediate = bytes;
        before.info = op.info;
        into.code.code.push_back(before);
        return before.d;
    }
    operand_ref read_special(ptx::operand const& o, unsigned bytes) {
        special which{};
        if (!find_special(o.text, which)) {
            if (is_ptx_special(o.text)) fail(o.at, "the special register '" + name_of(o) + "' is not supported");
            else malformed(o.at, "'" + name_of(o) + "' is not declared");
            return {};
        }
        if (which == special::reserved_smem_offset_1) into.code.uses_reserved_shared = true;
        decoded before;
        before.action = action::special_register;
        before.mode = static_cast<std::uint8_t>(which);
        auto const result = read_before(before, bytes);
        into.code.code.back().info.kind = instruction_kind::special_register;
        into.code.code.back().info.pipe = pipe::alu;
        return result;
    }
    operand_ref read_local(ptx::operand const& o, unsigned bytes) {
        ptx::variable const& v = into.from.variables[o.index];
        if (v.space == ptx::space::shared) return into.constant(shared_address(&v) + offset_of(o), bytes);
        if (into.is_kernel_parameter(o.index))
            return into.constant(into.variable_offset(o.index) + offset_of(o), bytes);
        decoded before;
        before.action = action::local_address;
        before.offset = static_cast<std::int64_t>(into.variable_offset(o.index) + offset_of(o));
        auto const result = read_before(before, bytes);
        into.code.code.back().info.kind = instruction_kind::move;
        return result;
    }
    std::uint64_t function_address(ptx::operand const& o) {
        auto const found = into.link.functions.find(o.text);
        if (found == into.link.functions.end()) {
            malformed(o.at, "'" + name_of(o) + "' is not declared");
            return 0;
        }
        return address_map::code_base + std::uint64_t{found->second} * 16;
    }

    std::vector<std::string_view> modifiers_;
};

// Decodes one instruction into the function it is part of; false with `fault` set, or unsupported.
using decoder_pointer = bool (*)(instruction_decoder&);

// What decodes an opcode. Each group of decoders ends with a list of these.
struct decoder_row {
    std::string_view opcode;
    decoder_pointer decode;
};

inline bool find_special(std::string_view name, special& out) noexcept {
    static constexpr std::string_view names[] = {"tid.x",
                                                 "tid.y",
                                                 "tid.z",
                                                 "ntid.x",
                                                 "ntid.y",
                                                 "ntid.z",
                                                 "ctaid.x",
                                                 "ctaid.y",
                                                 "ctaid.z",
                                                 "nctaid.x",
                                                 "nctaid.y",
                                                 "nctaid.z",
                                                 "laneid",
                                                 "warpid",
                                                 "nwarpid",
                                                 "smid",
                                                 "nsmid",
                                                 "gridid",
                                                 "lanemask_eq",
                                                 "lanemask_le",
                                                 "lanemask_lt",
                                                 "lanemask_ge",
                                                 "lanemask_gt",
                                                 "clock",
                                                 "clock_hi",
                                                 "clock64",
                                                 "globaltimer",
                                                 "globaltimer_lo",
                                                 "globaltimer_hi",
                                                 "dynamic_smem_size",
                                                 "total_smem_size",
                                                 "aggr_smem_size",
                                                 "envreg1",
                                                 "envreg2",
                                                 "reserved_smem_offset_1"};
    int i = 0;
    for (auto const known : names) {
        if (known == name) return out = static_cast<special>(i), true;
        ++i;
    }
    // Every CTA is a cluster of its own.
    static constexpr std::string_view ones[] = {"cluster_nctarank", "cluster_nctaid.x", "cluster_nctaid.y",
                                                "cluster_nctaid.z"};
    for (auto const known : ones)
        if (known == name) return out = special::one, true;
    static constexpr std::string_view zeros[] = {
        "cluster_ctarank", "cluster_ctaid.x", "cluster_ctaid.y", "cluster_ctaid.z", "tid.w", "ctaid.w", "pm0"};
    for (auto const known : zeros)
        if (known == name) return out = special::zero, true;
    static constexpr std::string_view pairs[][2] = {{"clusterid.x", "ctaid.x"},   {"clusterid.y", "ctaid.y"},
                                                    {"clusterid.z", "ctaid.z"},   {"nclusterid.x", "nctaid.x"},
                                                    {"nclusterid.y", "nctaid.y"}, {"nclusterid.z", "nctaid.z"}};
    for (auto const& pair : pairs)
        if (pair[0] == name) return find_special(pair[1], out);
    return false;
}

inline bool is_ptx_special(std::string_view name) noexcept {
    for (std::string_view const family : {"envreg", "pm", "reserved_smem_offset_", "cluster", "ncluster"})
        if (name.substr(0, family.size()) == family) return true;
    special known{};
    return name == "current_graph_exec" || name == "is_explicit_cluster" || find_special(name, known);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_INSTRUCTION_DECODER_HPP
