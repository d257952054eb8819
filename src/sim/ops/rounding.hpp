// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic rounded to odd, and directed rounding of doubles.
#ifndef GPUPROF_SRC_SIM_OPS_ROUNDING_HPP
#define GPUPROF_SRC_SIM_OPS_ROUNDING_HPP

#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../code/decoded.hpp"
#include "fused.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Rounding to odd: an inexact result gets its last bit set, towards the exact one. Rounding that
// once more, to a format with at least two bits less, in any mode, is then the same as rounding the
// exact result. The arguments here are numbers of a format narrow enough that products are exact in
// Wide: f32 in a double, f16 in a float.
template <std::floating_point Wide>
[[nodiscard]] inline Wide to_odd(Wide rounded, Wide error) noexcept {
    using word = std::conditional_t<sizeof(Wide) == 4, std::uint32_t, std::uint64_t>;
    constexpr int sign = std::numeric_limits<word>::digits - 1;
    auto const bits = std::bit_cast<word>(rounded);
    word const inexact = word{error > 0} | word{error < 0};        // no branch, for loops to vectorise
    word const away = (std::bit_cast<word>(error) ^ bits) >> sign; // the rounding went away from zero: step back
    word const step = inexact & ~bits;
    return std::bit_cast<Wide>(bits + step - 2 * (step & away));
}

template <std::floating_point Wide>
[[nodiscard]] inline Wide add_odd(Wide a, Wide b, rounding mode = rounding::nearest) noexcept {
    Wide const sum = a + b;
    // An exact zero of opposite signs is -0 when rounding down; the host's mode says +0.
    if (mode == rounding::down && sum == 0 && (std::signbit(a) || std::signbit(b))) return -Wide{0};
    Wide const b_part = sum - a;
    Wide const error = (a - (sum - b_part)) + (b - b_part);
    return to_odd(sum, error); // an infinite or NaN sum has a NaN error, which counts as none
}

template <std::floating_point Wide>
[[nodiscard]] inline Wide fma_odd(Wide a, Wide b, Wide c, rounding mode = rounding::nearest) noexcept {
    return add_odd(a * b, c, mode);
}

template <std::floating_point Wide>
[[nodiscard]] inline Wide divide_odd(Wide a, Wide b) noexcept {
    Wide const quotient = a / b;
    Wide const remainder = multiply_and_add(-quotient, b, a);
    return to_odd(quotient, (remainder < 0) != (b < 0) ? -std::fabs(remainder) : std::fabs(remainder));
}

template <std::floating_point Wide>
[[nodiscard]] inline Wide sqrt_odd(Wide a) noexcept {
    Wide const root = std::sqrt(a);
    return to_odd(root, multiply_and_add(-root, root, a));
}

// The host's rounding mode for a while. Only doubles need it: everything narrower is rounded from
// doubles.
class rounding_guard {
public:
    explicit rounding_guard(rounding mode) noexcept : saved_{std::fegetround()} {
        std::fesetround(mode == rounding::zero   ? FE_TOWARDZERO
                        : mode == rounding::down ? FE_DOWNWARD
                        : mode == rounding::up   ? FE_UPWARD
                                                 : FE_TONEAREST);
    }
    ~rounding_guard() { std::fesetround(saved_); }
    rounding_guard(rounding_guard const&) = delete;
    rounding_guard& operator=(rounding_guard const&) = delete;

private:
    int saved_;
};

struct no_rounding_guard {
    explicit constexpr no_rounding_guard(rounding) noexcept {}
};

// Keeps a compiler from moving arithmetic on `value` over a change of the rounding mode.
[[nodiscard]] inline double opaque(double value) noexcept {
    double volatile hidden = value;
    return hidden;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_ROUNDING_HPP
