// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations of one lane, in every format and rounding. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_FLOAT_OPS_HPP
#define GPUPROF_HW_SIM_FLOAT_OPS_HPP

#include <bit>      // bit patterns
#include <cmath>    // libm
#include <concepts> // formats
#include <cstdint>  // bit patterns
#include <limits>   // infinities

#include "decoded.hpp"
#include "float_format.hpp"
#include "rounding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// 16-bit numbers as they stand in a register.
struct half {
    std::uint16_t bits;
    static constexpr float_format format = f16_format;
};
struct bfloat {
    std::uint16_t bits;
    static constexpr float_format format = bf16_format;
};

namespace ops {

template <class T>
concept short_float = std::same_as<T, half> || std::same_as<T, bfloat>;

template <class T>
[[nodiscard]] inline double value_of(T x) noexcept {
    if constexpr (short_float<T>) return widen(x.bits, T::format);
    else return double{x};
}
// A double that is exact or rounded to odd, in format T.
template <class T>
[[nodiscard]] inline T rounded_to(double x, rounding mode) noexcept {
    if constexpr (short_float<T>) return T{static_cast<std::uint16_t>(narrow(x, T::format, mode))};
    else if constexpr (std::same_as<T, double>) return x;
    else return mode == rounding::nearest ? static_cast<T>(x) : std::bit_cast<T>(narrow(x, f32_format, mode));
}

// Results of f32 and narrower are the canonical NaN; doubles keep what the host gives.
template <class T>
[[nodiscard]] inline T canonical(T x) noexcept {
    if constexpr (std::same_as<T, float>) return x != x ? std::bit_cast<float>(f32_format.canonical_nan) : x;
    else return x;
}
template <class T>
[[nodiscard]] inline T flush(T x) noexcept {
    if constexpr (std::same_as<T, float>) {
        auto const bits = std::bit_cast<std::uint32_t>(x);
        return (bits & 0x7f80'0000) == 0 ? std::bit_cast<float>(bits & 0x8000'0000) : x;
    } else if constexpr (std::same_as<T, half>) {
        return (x.bits & 0x7c00) == 0 ? half{static_cast<std::uint16_t>(x.bits & 0x8000)} : x;
    } else {
        return x;
    }
}
// .sat: to [0, 1], NaN to zero.
template <class T>
[[nodiscard]] inline T saturate(T x) noexcept {
    double const v = value_of(x);
    return v > 0 ? (v < 1 ? x : rounded_to<T>(1.0, rounding::nearest)) : rounded_to<T>(0.0, rounding::nearest);
}
template <class T>
[[nodiscard]] inline T clamp_below_zero(T x) noexcept { // .relu keeps NaN
    return value_of(x) < 0 ? rounded_to<T>(0.0, rounding::nearest) : x;
}

// The operations that round. nearest() is for float and double; odd() gets narrower numbers as doubles, and the mode
// because the sign of a zero depends on it.
struct fadd {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a + b;
    }
    static double odd(rounding mode, double a, double b) noexcept { return add_odd(a, b, mode); }
};
struct fsubtract {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a - b;
    }
    static double odd(rounding mode, double a, double b) noexcept { return add_odd(a, -b, mode); }
};
struct fmultiply {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a * b;
    }
    static double odd(rounding, double a, double b) noexcept { return a * b; }
};
struct fused_multiply_add {
    static float nearest(float a, float b, float c) noexcept { return static_cast<float>(fma_odd(a, b, c)); }
    static double nearest(double a, double b, double c) noexcept { return std::fma(a, b, c); }
    static double odd(rounding mode, double a, double b, double c) noexcept { return fma_odd(a, b, c, mode); }
};
struct fdivide {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a / b;
    }
    static double odd(rounding, double a, double b) noexcept { return divide_odd(a, b); }
};
struct reciprocal {
    template <class T>
    static T nearest(T a) noexcept {
        return T{1} / a;
    }
    static double odd(rounding, double a) noexcept { return divide_odd(1, a); }
};
struct square_root {
    template <class T>
    static T nearest(T a) noexcept {
        return std::sqrt(a);
    }
    static double odd(rounding, double a) noexcept { return sqrt_odd(a); }
};

// How an instruction's modifiers change the result of a rounding operation. mode 1: .relu.
template <class Op, class T>
struct rounded {
    explicit rounded(decoded const& op) noexcept : mode{op.rounding}, ftz{op.ftz}, sat{op.sat}, relu{op.mode == 1} {}
    rounding mode;
    bool ftz;
    bool sat;
    bool relu;

    template <class... A>
    T operator()(A... a) const noexcept {
        if (ftz) return finish(flush(compute(flush(a)...)));
        return finish(compute(a...));
    }

private:
    template <class... A>
    T compute(A... a) const noexcept {
        if constexpr (std::same_as<T, double>) {
            if (mode == rounding::nearest) return Op::nearest(a...);
            rounding_guard const guard{mode};
            return opaque(Op::nearest(opaque(a)...));
        } else if constexpr (std::same_as<T, float>) {
            if (mode == rounding::nearest) return canonical(Op::nearest(a...));
            return canonical(rounded_to<float>(Op::odd(mode, double{a}...), mode));
        } else {
            return rounded_to<T>(Op::odd(mode, value_of(a)...), mode);
        }
    }
    T finish(T x) const noexcept {
        if (sat) x = saturate(x);
        if (relu) x = clamp_below_zero(x);
        return x;
    }
};

// The same without modifiers, which is nearly always: a loop that vectorises.
template <class Op>
struct plain {
    template <class T, class... A>
    T operator()(T a, A... rest) const noexcept {
        return canonical(Op::nearest(a, rest...));
    }
};

// Functions PTX defines as approximations: the host's, in double, rounded once. They meet every error bound PTX gives.
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
struct approximate_reciprocal {
    double operator()(double x) const noexcept { return 1 / x; }
};
struct approximate_root {
    double operator()(double x) const noexcept { return std::sqrt(x); }
};
// div.approx multiplies by a reciprocal that has underflown when |b| is beyond 2^126.
struct approximate_quotient {
    double operator()(double a, double b) const noexcept {
        constexpr double far = 0x1p126;
        if (std::fabs(b) > far && std::fabs(b) <= std::numeric_limits<float>::max()) return a * std::copysign(0.0, b);
        return a / b;
    }
};
// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 work on the upper half of the argument and give the upper half.
template <class Function>
struct approximate_double {
    double operator()(double x) const noexcept { return upper(Function{}(upper(x))); }
    static double upper(double x) noexcept {
        auto bits = std::bit_cast<std::uint64_t>(x) & 0xffff'ffff'0000'0000;
        if ((bits & 0x7ff0'0000'0000'0000) == 0) bits &= std::uint64_t{1} << 63;
        return x != x ? x : std::bit_cast<double>(bits);
    }
};

// min and max. `mode` bit 0: larger wins, 1: NaN wins, 2: the sign of the product on magnitudes, 3: .relu.
template <class T>
struct extreme {
    explicit extreme(decoded const& op) noexcept : mode{op.mode}, ftz{op.ftz} {}
    unsigned mode;
    bool ftz;
    T operator()(T a, T b) const noexcept {
        if (ftz) a = flush(a), b = flush(b);
        double x = value_of(a);
        double y = value_of(b);
        bool const sign = std::signbit(x) != std::signbit(y);
        if (mode & 4) x = std::fabs(x), y = std::fabs(y);
        double const larger = x > y || (x == y && !std::signbit(x)) ? x : y; // +0 is above -0
        double const smaller = x < y || (x == y && std::signbit(x)) ? x : y;
        double d = mode & 1 ? larger : smaller;
        bool const a_nan = x != x;
        bool const b_nan = y != y;
        if (a_nan || b_nan)
            d = (mode & 2) || (a_nan && b_nan) ? std::numeric_limits<double>::quiet_NaN() : a_nan ? y : x;
        if (mode & 4) d = sign ? -d : d;
        if ((mode & 8) && d < 0) d = 0;
        if constexpr (std::same_as<T, double>) return d;
        else return canonical(rounded_to<T>(d, rounding::nearest));
    }
};

// Both halves of a packed register, one after the other.
template <class Op, class T>
struct packed {
    explicit packed(decoded const& op) noexcept : each{op} {}
    Op each;
    template <class... A>
    std::uint32_t operator()(A... a) const noexcept {
        std::uint32_t const low = each(T{static_cast<std::uint16_t>(a)}...).bits;
        std::uint32_t const high = each(T{static_cast<std::uint16_t>(a >> 16)}...).bits;
        return high << 16 | low;
    }
};

struct fabsolute { // on the bits, so that it also serves packed halves: `offset` holds the sign bits
    explicit fabsolute(decoded const& op) noexcept : sign{static_cast<std::uint64_t>(op.offset)} {}
    std::uint64_t sign;
    template <class T>
    T operator()(T a) const noexcept {
        return static_cast<T>(a & ~sign);
    }
};
struct fnegate {
    explicit fnegate(decoded const& op) noexcept : sign{static_cast<std::uint64_t>(op.offset)} {}
    std::uint64_t sign;
    template <class T>
    T operator()(T a) const noexcept {
        return static_cast<T>(a ^ sign);
    }
};
struct copy_sign { // a's sign on b's magnitude
    explicit copy_sign(decoded const& op) noexcept : sign{static_cast<std::uint64_t>(op.offset)} {}
    std::uint64_t sign;
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>((a & sign) | (b & ~sign));
    }
};
struct flush_bits {
    std::uint32_t operator()(std::uint32_t a) const noexcept {
        return std::bit_cast<std::uint32_t>(flush(std::bit_cast<float>(a)));
    }
};
// testp: `mode` 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal, 5 subnormal.
struct test_property {
    explicit test_property(decoded const& op) noexcept : mode{op.mode} {}
    unsigned mode;
    template <class T>
    bool operator()(T a) const noexcept {
        switch (mode) {
            case 0: return std::isfinite(a);
            case 1: return std::isinf(a);
            case 2: return !std::isnan(a);
            case 3: return std::isnan(a);
            case 4: return std::isnormal(a);
            default: return std::fpclassify(a) == FP_SUBNORMAL;
        }
    }
};

} // namespace ops
} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_FLOAT_OPS_HPP
