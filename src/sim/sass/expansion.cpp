// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expansion.hpp"

#include "../ptx/modifiers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

expansion expansion_of(ptx::instruction const& i) noexcept {
    ptx::type const t = type_of(i);
    bool const rounds = has(i, "rn");
    if (t == ptx::type::f32) {
        if (i.opcode == "div") return rounds ? expansion{.ffma = 5} : expansion{.fmul = 1};
        if (i.opcode == "sqrt" && rounds) return {.fmul = 2, .ffma = 2};
        if (i.opcode == "rcp" && rounds) return {.fadd = 1, .ffma = 2};
        if (i.opcode == "sin" || i.opcode == "cos") return {.fmul = 1};
    } else if (t == ptx::type::f64) {
        if (i.opcode == "div" && rounds) return {.ffma = 1, .dmul = 1, .dfma = 7};
        if (i.opcode == "sqrt" && rounds) return {.dmul = 3, .dfma = 5};
        if (i.opcode == "rcp" && rounds) return {.dfma = 5};
        if (i.opcode == "rsqrt") return {.dmul = 2, .dfma = 3};
    }
    return {};
}

bool branches_inside(ptx::instruction const& i) noexcept {
    bool const expands = i.opcode == "div" || i.opcode == "rcp" || i.opcode == "sqrt";
    return expands && ptx::is_floating(type_of(i)) && !has(i, "approx") && !has(i, "full");
}

} // namespace sim
GPUPROF_NAMESPACE_END
