// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic rounded to odd, and directed rounding of doubles. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_ROUNDING_HPP
#define GPUPROF_HW_SIM_ROUNDING_HPP

#include <bit>   // the last bit of a double
#include <cfenv> // directed rounding of doubles
#include <cmath> // std::fma, std::sqrt
#include <cstdint>

#include "decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Rounding to odd: an inexact result gets its last bit set, towards the exact one. Rounding that once more, to a format
// with at least two bits less, in any mode, is then the same as rounding the exact result. The arguments here are
// numbers of narrower formats (f32 and below), so products are exact in a double.
[[nodiscard]] inline double to_odd(double rounded, double error) noexcept {
    auto bits = std::bit_cast<std::uint64_t>(rounded);
    bool const inexact = error > 0 || error < 0;
    bool const even = (bits & 1) == 0;
    bool const away = (error < 0) != (rounded < 0); // the rounding went away from zero: step back
    bits = inexact && even ? (away ? bits - 1 : bits + 1) : bits;
    return std::bit_cast<double>(bits);
}

[[nodiscard]] inline double add_odd(double a, double b, rounding mode = rounding::nearest) noexcept {
    double const sum = a + b;
    // An exact zero of opposite signs is -0 when rounding down; the host's mode says +0.
    if (mode == rounding::down && sum == 0 && (std::signbit(a) || std::signbit(b))) return -0.0;
    double const b_part = sum - a;
    double const error = (a - (sum - b_part)) + (b - b_part);
    return to_odd(sum, error); // an infinite or NaN sum has a NaN error, which counts as none
}

[[nodiscard]] inline double fma_odd(double a, double b, double c, rounding mode = rounding::nearest) noexcept {
    return add_odd(a * b, c, mode);
}

[[nodiscard]] inline double divide_odd(double a, double b) noexcept {
    double const quotient = a / b;
    double const remainder = std::fma(-quotient, b, a);
    return to_odd(quotient, (remainder < 0) != (b < 0) ? -std::fabs(remainder) : std::fabs(remainder));
}

[[nodiscard]] inline double sqrt_odd(double a) noexcept {
    double const root = std::sqrt(a);
    return to_odd(root, std::fma(-root, root, a));
}

// The host's rounding mode for a while. Only doubles need it: everything narrower is rounded from doubles.
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

// Keeps a compiler from moving arithmetic on `value` over a change of the rounding mode.
[[nodiscard]] inline double opaque(double value) noexcept {
    double volatile hidden = value;
    return hidden;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_ROUNDING_HPP
