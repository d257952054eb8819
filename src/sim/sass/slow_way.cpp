// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slow_way.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static slow_way slow_way_of_single(ptx::instruction const& i) noexcept {
    if (!has(i, "rn") || has(i, "ftz")) return slow_way::none;
    if (i.opcode == "div") return slow_way::single_quotient;
    if (i.opcode == "rcp") return slow_way::single_reciprocal;
    return i.opcode == "sqrt" ? slow_way::single_root : slow_way::none;
}

slow_way slow_way_of(ptx::instruction const& i) noexcept {
    if (i.guard != ptx::instruction::no_guard) return slow_way::none;
    if (type_of(i) == ptx::type::f32) return slow_way_of_single(i);
    if (type_of(i) != ptx::type::f64) return slow_way::none;
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
    // All; a part is 0, subnormal, infinite or NaN; is NaN; neither is; the quotient is defined; is 0; is not 0; is infinite;
    // a part is subnormal: any, the dividend, the divisor; the quotient is computed; is too large; is small; is subnormal.
    static constexpr slow_part single_quotient[] = {
        {20, {}}, {4, {}}, {1, {.fadd = 1}}, {2, {}},          {7, {}},          {2, {}},
        {3, {}},  {3, {}}, {7, {}},          {0, {.ffma = 1}}, {0, {.ffma = 1}}, {25, {.fadd = 1, .ffma = 7}},
        {4, {}},  {6, {}}, {22, {.ffma = 3}}};
    // All; 0 or subnormal; subnormal; large; infinite or NaN; the reciprocal is subnormal.
    static constexpr slow_part single_reciprocal[] = {{12, {}}, {10, {}}, {0, {.fadd = 1, .ffma = 4}},
                                                      {3, {}},  {1, {}},  {30, {.fadd = 1, .ffma = 3}}};
    // All; not 0; not negative; NaN; not NaN; small.
    static constexpr slow_part single_root[] = {{11, {}},         {3, {}},  {3, {}},
                                                {0, {.fadd = 1}}, {10, {}}, {0, {.fadd = 1, .fmul = 3, .ffma = 3}}};
    static_assert(std::size(single_quotient) == most_slow_parts);
    switch (way) {
        case slow_way::none: break;
        case slow_way::quotient: return quotient;
        case slow_way::reciprocal: return reciprocal;
        case slow_way::root: return root;
        case slow_way::reciprocal_root: return reciprocal_root;
        case slow_way::single_quotient: return single_quotient;
        case slow_way::single_reciprocal: return single_reciprocal;
        case slow_way::single_root: return single_root;
    }
    return {};
}

static unsigned slow_parts_of_quotient(float a, float b) noexcept {
    constexpr float least = std::numeric_limits<float>::min();
    float const size_a = std::fabs(a), size_b = std::fabs(b);
    bool const ordinary = size_a >= least && std::isfinite(a) && size_b >= least && std::isfinite(b);
    if (!ordinary) {
        if (a != a || b != b) return 0b111;
        bool const defined = (a != 0 || b != 0) && (std::isfinite(a) || std::isfinite(b));
        if (!defined) return 0b1011;
        if (a == 0 || !std::isfinite(b)) return 0b11'1011;
        if (b == 0 || !std::isfinite(a)) return 0b1101'1011;
    }
    unsigned taken = 1u | 1u << 11;
    if (!ordinary) taken |= 0b1'0101'1010u | (size_a < least ? 1u << 9 : 0u) | (size_b < least ? 1u << 10 : 0u);
    double const quotient = std::fabs(double{a} / double{b});
    if (quotient >= 0x1p128) return taken | 1u << 12;
    if (quotient >= double{least}) return taken;
    return taken | 1u << 13 | (quotient >= 0x1p-151 ? 1u << 14 : 0u);
}

unsigned slow_parts_taken(slow_way way, float a, float b) noexcept {
    auto const bits_a = std::bit_cast<std::uint32_t>(a), bits_b = std::bit_cast<std::uint32_t>(b);
    if (way == slow_way::single_quotient)
        return may_be_slow<slow_way::single_quotient>(bits_a, bits_b) ? slow_parts_of_quotient(a, b) : 0;
    if (way == slow_way::single_reciprocal) {
        if (!may_be_slow<slow_way::single_reciprocal>(bits_a, 0)) return 0;
        if (std::fabs(a) < std::numeric_limits<float>::min()) return a == 0 ? 0b11 : 0b111;
        return std::isfinite(a) ? 0b10'1001 : 0b1'1001;
    }
    if (way != slow_way::single_root || !may_be_slow<slow_way::single_root>(bits_a, 0)) return 0;
    if (a == 0) return 0b1;
    if (a < 0) return 0b11;
    if (a != a) return 0b1111;
    return std::isfinite(a) ? 0b11'0111 : 0b1'0111;
}

} // namespace sim
GPUPROF_NAMESPACE_END
