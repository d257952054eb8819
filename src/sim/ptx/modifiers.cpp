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
    for (auto m = i.modifiers.rbegin(); m != i.modifiers.rend(); ++m)
        if (auto const t = type_named(*m); t != type::none) return t;
    return type::none;
}

bool is_integer(instruction const& i) noexcept {
    auto const t = type_of(i);
    return t != type::none && t != type::pred && !is_floating(t);
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
