// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subroutines that rounded divisions and roots call for numbers that their inlined code does not compute.
#ifndef GPUPROF_SRC_SIM_SASS_SLOW_WAY_HPP
#define GPUPROF_SRC_SIM_SASS_SLOW_WAY_HPP

#include <bit>
#include <cstdint>
#include <span>

#include "../ptx/module.hpp"
#include "expansion.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class slow_way : std::uint8_t {
    none,
    quotient, // of doubles
    reciprocal,
    root,
    reciprocal_root,
    single_quotient,
    single_reciprocal,
    single_root,
};

[[nodiscard]] constexpr bool is_of_singles(slow_way way) noexcept { return way >= slow_way::single_quotient; }
// Whether a lane that takes the slow way leaves out the arithmetic of the fast one: its branch stands in front of that.
[[nodiscard]] constexpr bool skips_fast_way(slow_way way) noexcept { return way > slow_way::single_quotient; }

// The one of an instruction; none for what has no such numbers, or where it is not known which. A predicated instruction has none.
[[nodiscard]] slow_way slow_way_of(ptx::instruction const& i) noexcept;

// A part of a subroutine: a warp executes its instructions if any of its lanes does.
struct slow_part {
    std::uint8_t instructions = 0; // of a warp
    expansion inside{};            // of a lane
};

// The first part has the call, and every lane goes through it that takes the slow way. As ptxas 13.0 makes them for sm_90. Ways of
// subnormal numbers that are longer are not told apart.
[[nodiscard]] std::span<slow_part const> slow_parts(slow_way way) noexcept;
inline constexpr unsigned most_slow_parts = 15;

[[nodiscard]] inline std::uint32_t upper_word(double x) noexcept {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
}

// A quick look at the upper words of a, and b, or at floats: whether the lane may take the slow way; of floats, whether it does.
// FCHK decides about quotients of floats by the exponents alone (H200: all pairs of exponents and signs, three mantissas each).
template <slow_way Way>
[[nodiscard]] constexpr bool may_be_slow(std::uint32_t a, std::uint32_t b) noexcept {
    constexpr std::uint32_t least = 0x0010'0000;
    std::uint32_t const size_a = a & 0x7fff'ffff, size_b = b & 0x7fff'ffff;
    if constexpr (Way == slow_way::quotient) {
        constexpr std::uint32_t exponent = 0x0010'0000; // of the quotient, which is far from both ends
        return size_a - 0x0360'0000 >= 0x7c90'0000 || size_b - least >= 0x7f70'0000 ||
               size_a - size_b + 1020 * exponent >= 2035 * exponent;
    } else if constexpr (Way == slow_way::reciprocal) {
        return size_a - least >= 0x7fbf'fbfe;
    } else if constexpr (Way == slow_way::root) {
        return a - 0x0350'0000 >= 0x7ca0'0000;
    } else if constexpr (Way == slow_way::single_quotient) {
        std::uint32_t const of_a = size_a >> 23, of_b = size_b >> 23;
        return of_a - 25 >= 230 || of_b - 2 >= 250 || of_a - of_b + 124 > 250;
    } else if constexpr (Way == slow_way::single_reciprocal) {
        return ((a + 0x0180'0000) & 0x7f80'0000) <= 0x01ff'ffff;
    } else if constexpr (Way == slow_way::single_root) {
        return a - 0x0d00'0000 > 0x727f'ffff;
    } else {
        return a - least >= 0x7fe0'0000;
    }
}

// The parts that a lane executes for a, and b: a bit for each, 0 for the fast way. The branches look at the upper words.
[[nodiscard]] unsigned slow_parts_taken(slow_way way, float a, float b) noexcept;
[[nodiscard]] inline unsigned slow_parts_taken(slow_way way, double a, double b) noexcept {
    constexpr std::uint32_t magnitude = 0x7fff'ffff, least = 0x0010'0000;
    std::uint32_t const of_a = upper_word(a), size_a = of_a & magnitude;
    bool const negative = of_a != size_a && a != 0;
    switch (way) {
        default: break;
        case slow_way::quotient: { // the words of the divisor and of the quotient are taken for floats
            constexpr std::uint32_t least_dividend = 0x0360'0000, infinite_float = 0x7f80'0000;
            std::uint32_t const size_b = upper_word(b) & magnitude, size = upper_word(a / b) & magnitude;
            bool const fast = size_a >= least_dividend && size > least && size <= infinite_float && size_b >= least &&
                              size_b < infinite_float;
            bool const numbers = a == a && b == b;
            return fast ? 0 : 1u | (size_a < least ? 2u : 0u) | (size_b < least ? 4u : 0u) | (numbers ? 8u : 0u);
        }
        case slow_way::reciprocal: return may_be_slow<slow_way::reciprocal>(of_a, 0) ? 1u | (a == a ? 2u : 0u) : 0;
        case slow_way::root: return !may_be_slow<slow_way::root>(of_a, 0) ? 0 : 1u | (negative ? 4u : 2u);
        case slow_way::reciprocal_root:
            return !may_be_slow<slow_way::reciprocal_root>(of_a, 0)
                       ? 0
                       : 1u | (a != a ? 2u : 0u) | (negative && a == a ? 4u : 0u);
    }
    return 0;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_SLOW_WAY_HPP
