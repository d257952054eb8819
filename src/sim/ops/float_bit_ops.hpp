// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations that do not round, of one lane: minimum, sign, class.
#ifndef GPUPROF_SRC_SIM_OPS_FLOAT_BIT_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_FLOAT_BIT_OPS_HPP

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "float_ops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ops {

// min and max. `mode` bit 0: larger wins, 1: NaN wins, 2: the sign of the product on magnitudes, 3:
// .relu.
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
template <class Op>
struct flushed { // subnormal arguments count as zero
    explicit flushed(decoded const& op) noexcept : each{op} {}
    Op each;
    std::uint32_t operator()(std::uint32_t a) const noexcept {
        return each(std::bit_cast<std::uint32_t>(flush(std::bit_cast<float>(a))));
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

} // namespace sim::ops
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_FLOAT_BIT_OPS_HPP
