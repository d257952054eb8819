// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modifiers.hpp"

#include <string_view>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

bool has(instruction const& i, std::string_view modifier) noexcept {
    for (auto const m : i.modifiers)
        if (m == modifier) return true;
    return false;
}

type type_of(instruction const& i) noexcept {
    type last = type::none;
    for (auto const m : i.modifiers)
        if (auto const t = type_named(m); t != type::none) last = t;
    return last;
}

bool is_integer(instruction const& i) noexcept {
    auto const t = type_of(i);
    return t != type::none && t != type::pred && !is_floating(t);
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
