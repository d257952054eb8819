// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses PTX declarations: state space, alignment, type, name, extent, initialiser.
#ifndef GPUPROF_SRC_SIM_PTX_DECLARATION_HPP
#define GPUPROF_SRC_SIM_PTX_DECLARATION_HPP

#include <cstdint>

#include "cursor.hpp"
#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// A variable's memory and a register family's length are bounded so that no text can ask for absurd
// amounts.
inline constexpr std::uint64_t max_variable_bytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t max_initializers = std::uint64_t{1} << 24;
inline constexpr std::uint64_t max_registers = std::uint64_t{1} << 17;

// What stands before the name: `.align 8 .v2 .f32`, `.u64 .ptr .global .align 4`,
// `.attribute(.managed) .b8`.
struct declaration_head {
    ptx::type type = type::none;
    std::uint32_t vector = 1;
    std::uint32_t alignment = 0; // 0: the type's own
    bool managed = false;
};

// A non-negative integer literal no larger than `limit`.
bool parse_count(cursor& in, std::uint64_t limit, std::uint64_t& out);

// All that stands before the name.
bool parse_declaration_head(cursor& in, declaration_head& out);

// The rest of a variable after its head: name[4][2] = {…}.
bool parse_variable(cursor& in, declaration_head const& head, space where, variable& out);

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_DECLARATION_HPP
