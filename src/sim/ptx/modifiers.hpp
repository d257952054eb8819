// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about the modifiers of a PTX instruction: its form and its types.
#ifndef GPUPROF_SRC_SIM_PTX_MODIFIERS_HPP
#define GPUPROF_SRC_SIM_PTX_MODIFIERS_HPP

#include <string_view>

#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Whether the instruction has that modifier.
[[nodiscard]] bool has(instruction const& i, std::string_view modifier) noexcept;
// The last type, which is the one that arguments have.
[[nodiscard]] type type_of(instruction const& i) noexcept;
[[nodiscard]] inline bool is_floating(instruction const& i) noexcept { return is_floating(type_of(i)); }
[[nodiscard]] inline bool is_wide(instruction const& i) noexcept { return size_of(type_of(i)) == 8; }
[[nodiscard]] bool is_integer(instruction const& i) noexcept;

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_MODIFIERS_HPP
