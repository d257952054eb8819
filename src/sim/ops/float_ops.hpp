// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic that rounds, of one lane, in every format and rounding.
#ifndef GPUPROF_SRC_SIM_OPS_FLOAT_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_FLOAT_OPS_HPP

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "../code/decoded.hpp"
#include "float_format.hpp"
#include "fused.hpp"
#include "lane_map.hpp"
#include "rounding.hpp"
#include "short_float.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace ops {

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

// The operations that round. nearest() is for float and double; odd() gets narrower numbers in a
// wider type, and the mode because the sign of a zero depends on it.
struct fadd {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a + b;
    }
    template <class Wide>
    static Wide odd(rounding mode, Wide a, Wide b) noexcept {
        return add_odd(a, b, mode);
    }
};
struct fsubtract {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a - b;
    }
    template <class Wide>
    static Wide odd(rounding mode, Wide a, Wide b) noexcept {
        return add_odd(a, -b, mode);
    }
};
struct fmultiply {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a * b;
    }
    template <class Wide>
    static Wide odd(rounding, Wide a, Wide b) noexcept {
        return a * b;
    }
};
struct fused_multiply_add {
    static float nearest(float a, float b, float c) noexcept {
        return static_cast<float>(fma_odd(double{a}, double{b}, double{c}));
    }
    static double nearest(double a, double b, double c) noexcept { return multiply_and_add(a, b, c); }
    template <class Wide>
    static Wide odd(rounding mode, Wide a, Wide b, Wide c) noexcept {
        return fma_odd(a, b, c, mode);
    }
};
struct fused_multiply_subtract { // a * b - c
    template <class T>
    static T nearest(T a, T b, T c) noexcept {
        return fused_multiply_add::nearest(a, b, -c);
    }
    template <class Wide>
    static Wide odd(rounding mode, Wide a, Wide b, Wide c) noexcept {
        return fma_odd(a, b, -c, mode);
    }
};
struct fused_subtract_product { // c - a * b
    template <class T>
    static T nearest(T a, T b, T c) noexcept {
        return fused_multiply_add::nearest(-a, b, c);
    }
    template <class Wide>
    static Wide odd(rounding mode, Wide a, Wide b, Wide c) noexcept {
        return fma_odd(-a, b, c, mode);
    }
};
struct fdivide {
    template <class T>
    static T nearest(T a, T b) noexcept {
        return a / b;
    }
    template <class Wide>
    static Wide odd(rounding, Wide a, Wide b) noexcept {
        return divide_odd(a, b);
    }
};
struct reciprocal {
    template <class T>
    static T nearest(T a) noexcept {
        return T{1} / a;
    }
    template <class Wide>
    static Wide odd(rounding, Wide a) noexcept {
        return divide_odd(Wide{1}, a);
    }
};
struct square_root {
    template <class T>
    static T nearest(T a) noexcept {
        return std::sqrt(a);
    }
    template <class Wide>
    static Wide odd(rounding, Wide a) noexcept {
        return sqrt_odd(a);
    }
};

// As narrow() to f32, without its work on bits: what rounds to nearest is at most one step off.
[[nodiscard]] inline float rounded_single(double x, rounding mode) noexcept {
    float const nearest = static_cast<float>(x);
    auto const bits = std::bit_cast<std::uint32_t>(nearest);
    bool const is_negative = (bits & 0x8000'0000) != 0;
    bool const is_above = double{nearest} > x, is_below = double{nearest} < x;
    bool const shrinks = is_negative ? is_below && mode != rounding::down : is_above && mode != rounding::up;
    bool const grows = is_negative ? is_above && mode == rounding::down : is_below && mode == rounding::up;
    if (mode == rounding::nearest) return nearest;
    return std::bit_cast<float>(bits + (grows ? 1u : 0u) - (shrinks ? 1u : 0u));
}

// How an instruction's modifiers change the result of a rounding operation. mode 1: .relu.
template <class Op, class T>
struct rounded {
    explicit rounded(decoded const& op) noexcept
        : mode{op.rounding}, ftz{op.ftz}, sat{op.sat}, relu{op.mode == 1}, guard{op.rounding} {}
    rounding mode;
    bool ftz;
    bool sat;
    bool relu;
    // All lanes of a warp are computed in one change of the host's mode, which costs more than they
    // do.
    std::conditional_t<std::same_as<T, double>, rounding_guard, no_rounding_guard> guard;

    template <class... A>
    T operator()(A... a) const noexcept {
        if (ftz) return finish(flush(compute(flush(a)...)));
        return finish(compute(a...));
    }

private:
    template <class... A>
    T compute(A... a) const noexcept {
        if constexpr (std::same_as<T, double>) {
            return opaque(Op::nearest(opaque(a)...));
        } else if constexpr (std::same_as<T, float>) {
            if (mode == rounding::nearest) return canonical(Op::nearest(a...));
            return canonical(rounded_single(Op::odd(mode, double{a}...), mode));
        } else {
            if (mode == rounding::nearest) return rounded_short<T>(Op::odd(mode, widened(a)...));
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
        if constexpr (short_float<T>) return rounded_short<T>(Op::odd(rounding::nearest, widened(a), widened(rest)...));
        else return canonical(Op::nearest(a, rest...));
    }
};

// The same with .ftz alone, which is all that -use_fast_math asks for.
template <class Op>
struct flushing {
    template <class... A>
    float operator()(A... a) const noexcept {
        return flush(canonical(Op::nearest(flush(a)...)));
    }
};

// Both halves of a packed register, one after the other.
template <class Op, class T>
struct packed {
    explicit packed(decoded const& op) noexcept : each{make_operation<Op>(op)} {}
    Op each;
    template <class... A>
    std::uint32_t operator()(A... a) const noexcept {
        std::uint32_t const low = each(T{static_cast<std::uint16_t>(a)}...).bits;
        std::uint32_t const high = each(T{static_cast<std::uint16_t>(a >> 16)}...).bits;
        return high << 16 | low;
    }
};

} // namespace ops
} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_FLOAT_OPS_HPP
