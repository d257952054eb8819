// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slow_way.hpp"

#include <span>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

slow_way slow_way_of(ptx::instruction const& i) noexcept {
    if (type_of(i) != ptx::type::f64 || i.guard != ptx::instruction::no_guard) return slow_way::none;
    if (i.opcode == "rsqrt" && !has(i, "ftz")) return slow_way::reciprocal_root;
    if (!has(i, "rn")) return slow_way::none;
    if (i.opcode == "div") return slow_way::quotient;
    if (i.opcode == "rcp") return slow_way::reciprocal;
    return i.opcode == "sqrt" ? slow_way::root : slow_way::none;
}

std::span<slow_part const> slow_parts(slow_way way) noexcept {
    // All; the dividend is scaled; the divisor; neither is NaN.
    static constexpr slow_part quotient[] = {
        {56, {.dmul = 1, .dfma = 7}}, {0, {.dfma = 1}}, {0, {.dmul = 1}}, {12, {}}};
    static constexpr slow_part reciprocal[] = {{15, {}}, {4, {}}};             // all; not NaN
    static constexpr slow_part root[] = {{16, {}}, {1, {.dadd = 1}}, {4, {}}}; // all; 0, infinite, NaN; negative
    static constexpr slow_part reciprocal_root[] = {{12, {}}, {2, {.dadd = 1}}, {4, {}}}; // all; NaN; negative
    switch (way) {
        case slow_way::none: break;
        case slow_way::quotient: return quotient;
        case slow_way::reciprocal: return reciprocal;
        case slow_way::root: return root;
        case slow_way::reciprocal_root: return reciprocal_root;
    }
    return {};
}

} // namespace sim
GPUPROF_NAMESPACE_END
