// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an instruction's modifiers say: its form and its types. Layer: embedded GPU, front end.
#ifndef GPUPROF_HW_SIM_PTX_MODIFIERS_HPP
#define GPUPROF_HW_SIM_PTX_MODIFIERS_HPP

#include <string_view> // modifiers

#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

[[nodiscard]] inline bool has(instruction const& i, std::string_view modifier) noexcept {
    for (auto const m : i.modifiers)
        if (m == modifier) return true;
    return false;
}
// The last type, which is the one that arguments have.
[[nodiscard]] inline type type_of(instruction const& i) noexcept {
    type last = type::none;
    for (auto const m : i.modifiers)
        if (auto const t = type_named(m); t != type::none) last = t;
    return last;
}
[[nodiscard]] inline bool is_floating(instruction const& i) noexcept { return is_floating(type_of(i)); }
[[nodiscard]] inline bool is_wide(instruction const& i) noexcept { return size_of(type_of(i)) == 8; }
[[nodiscard]] inline bool is_integer(instruction const& i) noexcept {
    auto const t = type_of(i);
    return t != type::none && t != type::pred && !is_floating(t);
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_MODIFIERS_HPP
