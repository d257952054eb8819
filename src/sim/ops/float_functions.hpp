// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions PTX approximates, of one lane.
#ifndef GPUPROF_SRC_SIM_OPS_FLOAT_FUNCTIONS_HPP
#define GPUPROF_SRC_SIM_OPS_FLOAT_FUNCTIONS_HPP

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "float_ops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ops {

// The host's, in double, rounded once. They meet every error bound PTX gives.
template <class Function>
struct approximate {
    explicit approximate(decoded const& op) noexcept : ftz{op.ftz} {}
    bool ftz;
    template <class T, class... A>
    T operator()(T a, A... rest) const noexcept {
        if (ftz)
            return flush(
                canonical(rounded_to<T>(Function{}(value_of(flush(a)), value_of(flush(rest))...), rounding::nearest)));
        return canonical(rounded_to<T>(Function{}(value_of(a), value_of(rest)...), rounding::nearest));
    }
};
struct sine {
    double operator()(double x) const noexcept { return std::sin(x); }
};
struct cosine {
    double operator()(double x) const noexcept { return std::cos(x); }
};
struct log2 {
    double operator()(double x) const noexcept { return std::log2(x); }
};
struct exp2 {
    double operator()(double x) const noexcept { return std::exp2(x); }
};
struct hyperbolic_tangent {
    double operator()(double x) const noexcept { return std::tanh(x); }
};
struct reciprocal_root {
    double operator()(double x) const noexcept { return 1 / std::sqrt(x); }
};
// rsqrt.approx.f64, which an H100 rounds to nearest: 0 of 1,015 results were others. A step of Newton's
// method mends what the two roundings of the host lost.
struct reciprocal_root_of_double {
    double operator()(double x) const noexcept {
        double const y = 1 / std::sqrt(x);
        if (!(x > 0) || x > (std::numeric_limits<double>::max)()) return y;
        double const product = x * y;
        double const lost = multiply_and_add(x, y, -product);
        double const error = multiply_and_add(-product, y, 1.0) - lost * y; // 1 - x * y * y
        return multiply_and_add(y, error / 2, y);
    }
};
struct approximate_reciprocal {
    double operator()(double x) const noexcept { return 1 / x; }
};
struct approximate_root {
    double operator()(double x) const noexcept { return std::sqrt(x); }
};
// div.approx multiplies by a reciprocal that has underflown when |b| is beyond 2^126.
struct approximate_quotient {
    double operator()(double a, double b) const noexcept {
        constexpr double far_from_zero = 0x1p126;
        if (std::fabs(b) > far_from_zero && std::fabs(b) <= (std::numeric_limits<float>::max)())
            return a * std::copysign(0.0, b);
        return a / b;
    }
};
// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 work on the upper half of the argument and give the
// upper half. rsqrt.approx.f64, without .ftz, has all digits.
template <class Function>
struct approximate_double {
    double operator()(double x) const noexcept { return upper(Function{}(upper(x))); }
    static double upper(double x) noexcept {
        auto bits = std::bit_cast<std::uint64_t>(x) & 0xffff'ffff'0000'0000;
        if ((bits & 0x7ff0'0000'0000'0000) == 0) bits &= std::uint64_t{1} << 63;
        return x != x ? x : std::bit_cast<double>(bits);
    }
};

} // namespace sim::ops
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_FLOAT_FUNCTIONS_HPP
