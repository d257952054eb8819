// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out one function's registers, constants and frame memory while it is decoded. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_FUNCTION_BUILDER_HPP
#define GPUPROF_HW_SIM_DECODE_FUNCTION_BUILDER_HPP

#include <array>         // 128-bit constants
#include <cstdint>       // offsets
#include <cstring>       // constants as bytes
#include <map>           // constants are shared
#include <string_view>   // names
#include <unordered_map> // symbols
#include <utility>       // std::pair
#include <vector>        // layouts

#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Where everything a kernel can name is: the module's variables in device memory and its own shared variables.
struct link_context {
    ptx::parsed_module const& source;
    std::vector<std::uint64_t> const& variable_addresses;                 // by module variable; not for shared ones
    std::unordered_map<std::string_view, std::uint32_t> const& functions; // module functions by name
    std::unordered_map<ptx::variable const*, std::uint32_t> shared;       // offsets
    std::map<ptx::variable const*, std::uint32_t> used_shared;            // those that the function being decoded names
};

class function_builder {
public:
    function_builder(link_context& linked, ptx::function const& built) : link{linked}, from{built} {
        code.name = from.name;
        for (auto const& l : from.labels) labels.try_emplace({l.scope, l.name}, &l);
        for (auto const& r : from.registers) registers_.push_back(reserve(register_bytes(r.type)));
        std::uint64_t parameter_offset = 0;
        for (auto const& v : from.variables) {
            bool const is_input = from.is_entry && variables_.size() < from.inputs.size();
            std::uint64_t const align = v.alignment;
            std::uint64_t& offset = is_input ? parameter_offset : local_;
            if (v.space == ptx::space::shared) {
                variables_.push_back(0);
                continue;
            }
            offset = (offset + align - 1) & ~(align - 1);
            variables_.push_back(offset);
            offset += v.bytes;
        }
        carry_ = reserve(4);
        code.local_bytes = static_cast<std::uint32_t>(local_ < max_local ? local_ : max_local);
        too_large = local_ > max_local || frame_ > max_frame;
    }

    [[nodiscard]] operand_ref slot(std::uint32_t register_index) const noexcept { return {registers_[register_index]}; }
    [[nodiscard]] operand_ref carry() const noexcept { return {carry_}; }
    [[nodiscard]] operand_ref scratch(unsigned bytes) { return {reserve(bytes * warp_size)}; }
    [[nodiscard]] std::uint64_t variable_offset(std::uint32_t index) const noexcept { return variables_[index]; }
    // A kernel's own parameters live in the launch, everything else of .param in the frame.
    [[nodiscard]] bool is_kernel_parameter(std::uint32_t index) const noexcept {
        return from.is_entry && index < from.inputs.size();
    }

    // Whether any instruction of the function reads the register.
    [[nodiscard]] bool is_read(std::uint32_t register_index) {
        if (read_.empty()) {
            read_.resize(from.registers.size());
            for (auto const& instruction : from.instructions) {
                if (instruction.guard != ptx::instruction::no_guard) read_[instruction.guard] = true;
                ptx::operand const* const result = ptx::result_of(instruction);
                for (ptx::operand const& o : instruction.operands)
                    if (&o != result) note_reads(o);
            }
        }
        return read_[register_index];
    }

    // A constant of `bytes` bytes in every lane; a predicate is 4 bytes of ones or zeros.
    operand_ref constant(std::uint64_t low, unsigned bytes, std::uint64_t high = 0) {
        if (bytes < 8) low &= (std::uint64_t{1} << (bytes * 8)) - 1;
        auto const [at, added] = constants_.try_emplace(std::array<std::uint64_t, 3>{low, high, bytes}, 0);
        if (added) {
            std::size_t const begin = (code.pool.size() + 63) & ~std::size_t{63};
            std::uint64_t const value[2] = {low, high};
            code.pool.resize(begin + std::size_t{bytes} * warp_size);
            for (unsigned lane = 0; lane < warp_size; ++lane)
                std::memcpy(code.pool.data() + begin + std::size_t{lane} * bytes, value, bytes);
            at->second = static_cast<std::uint32_t>(begin) | operand_ref::in_pool;
        }
        return {at->second};
    }
    operand_ref constant_predicate(bool value) { return constant(value ? ~std::uint64_t{0} : 0, 4); }

    function_code finish() {
        code.frame_bytes = frame_;
        for (auto& op : code.code) op.slots = code.slots.data() + op.list;
        return std::move(code);
    }

    static constexpr std::uint64_t max_local = 1u << 20;
    static constexpr std::uint64_t max_frame = 1u << 28;

    link_context& link;
    ptx::function const& from;
    function_code code;
    std::map<std::pair<std::uint32_t, std::string_view>, ptx::label const*> labels; // by scope and name
    bool too_large = false;

private:
    static unsigned register_bytes(ptx::type t) noexcept {
        return t == ptx::type::pred ? 4 : ptx::size_of(t) * warp_size;
    }
    std::uint32_t reserve(unsigned bytes) noexcept {
        std::uint32_t const step = bytes < 64 ? 4 : 64;
        frame_ = (frame_ + step - 1) & ~(step - 1);
        std::uint32_t const at = frame_;
        frame_ += bytes;
        return at;
    }

    void note_reads(ptx::operand const& o) {
        if (o.kind == ptx::operand_kind::reg) read_[o.index] = true;
        for (auto const& element : o.elements) note_reads(element);
    }

    std::vector<bool> read_;               // by register; empty until asked for
    std::vector<std::uint32_t> registers_; // offsets in the frame, like variables_
    std::vector<std::uint64_t> variables_;
    std::map<std::array<std::uint64_t, 3>, std::uint32_t> constants_;
    std::uint32_t frame_ = 0;
    std::uint32_t carry_ = 0;
    std::uint64_t local_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_FUNCTION_BUILDER_HPP
