// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out one function's registers, constants and frame memory while it is decoded.
#ifndef GPUPROF_SRC_SIM_DECODE_FUNCTION_BUILDER_HPP
#define GPUPROF_SRC_SIM_DECODE_FUNCTION_BUILDER_HPP

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../code/kernel.hpp"
#include "../ptx/module.hpp"
#include "../sass/liveness.hpp"
#include "frame_layout.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The addresses of everything a kernel can name: the module's variables in device memory, its own
// shared variables.
struct link_context {
    ptx::parsed_module const& source;
    std::vector<std::uint64_t> const& variable_addresses;                 // by module variable; not for shared ones
    std::unordered_map<std::string_view, std::uint32_t> const& functions; // module functions by name
    std::unordered_map<ptx::variable const*, std::uint32_t> shared;       // offsets
    std::map<ptx::variable const*, std::uint32_t> used_shared;            // those that the function being decoded names
};

// The code of one function while its instructions are decoded into it.
class function_builder {
public:
    function_builder(link_context& linked, ptx::function const& built);

    [[nodiscard]] operand_ref slot(std::uint32_t register_index) const noexcept { return {registers_[register_index]}; }
    [[nodiscard]] operand_ref carry() const noexcept { return {carry_}; }
    [[nodiscard]] operand_ref scratch(unsigned bytes) { return {reserve(bytes * warp_size)}; }
    [[nodiscard]] std::uint64_t variable_offset(std::uint32_t index) const noexcept { return variables_[index]; }

    // Whether any instruction of the function reads the register.
    [[nodiscard]] bool is_read(std::uint32_t register_index);

    // A constant of `bytes` bytes in every lane; a predicate is 4 bytes of ones or zeros.
    operand_ref constant(std::uint64_t low, unsigned bytes, std::uint64_t high = 0);
    operand_ref constant_predicate(bool value) { return constant(value ? ~std::uint64_t{0} : 0, 4); }

    // @param first decoded instruction of each PTX instruction, and their number
    function_code finish(register_liveness const& live, std::span<std::uint32_t const> first);

    static constexpr std::uint64_t max_local = 1u << 20;
    static constexpr std::uint64_t max_frame = 1u << 28;

    link_context& link;
    ptx::function const& from;
    function_code code;
    std::map<std::pair<std::uint32_t, std::string_view>, ptx::label const*> labels; // by scope and name
    bool too_large = false;

private:
    static unsigned register_bytes(ptx::type t) noexcept;
    std::uint32_t reserve(unsigned bytes) noexcept;

    void note_reads(ptx::operand const& o);
    [[nodiscard]] std::vector<frame_register> frame_registers(std::vector<bool> const& read_unwritten) const;

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

#endif // GPUPROF_SRC_SIM_DECODE_FUNCTION_BUILDER_HPP
