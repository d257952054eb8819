// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion between any two types: widen, round, narrow.
#ifndef GPUPROF_SRC_SIM_OPS_CONVERT_OPS_HPP
#define GPUPROF_SRC_SIM_OPS_CONVERT_OPS_HPP

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../code/decoded.hpp"
#include "float_format.hpp"
#include "float_ops.hpp"
#include "lane_map.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

[[nodiscard]] constexpr float_format format_of(ptx::type t) noexcept {
    switch (t) {
        case ptx::type::f16:
        case ptx::type::f16x2: return f16_format;
        case ptx::type::bf16:
        case ptx::type::bf16x2: return bf16_format;
        case ptx::type::tf32: return tf32_format;
        case ptx::type::e4m3:
        case ptx::type::e4m3x2: return e4m3_format;
        case ptx::type::e5m2:
        case ptx::type::e5m2x2: return e5m2_format;
        default: return f32_format;
    }
}

namespace ops {

[[nodiscard]] inline double round_to_integer(double x, rounding mode) noexcept {
    switch (mode) {
        case rounding::zero: return std::trunc(x);
        case rounding::down: return std::floor(x);
        case rounding::up: return std::ceil(x);
        case rounding::nearest_away: return std::round(x);
        case rounding::nearest: break;
    }
    return std::nearbyint(x);
}

// To an integer of `bits` bits: beyond its range the nearest one. NaN becomes zero if it was no f64
// and the target has not 64 bits, else the highest bit alone (PTX ISA 9.0, cvt).
[[nodiscard]] inline std::uint64_t to_integer(double x, unsigned bits, bool is_signed, bool from_f64 = false) noexcept {
    if (x != x) {
        if (!from_f64 && bits != 64) return 0;
        return is_signed ? ~std::uint64_t{0} << (bits - 1) : std::uint64_t{1} << (bits - 1);
    }
    double const top = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
    std::uint64_t const largest = (is_signed    ? std::uint64_t{1} << (bits - 1)
                                   : bits == 64 ? 0
                                                : std::uint64_t{1} << bits) -
                                  1;
    if (x >= top) return largest;
    if (is_signed) return x < -top ? ~largest : static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
    return x <= 0 ? 0 : static_cast<std::uint64_t>(x);
}

// A 64-bit integer rounded to odd in a double, so that every narrower format can be rounded from
// it.
[[nodiscard]] inline double integer_to_odd(std::uint64_t magnitude, bool negative) noexcept {
    double const high = static_cast<double>(magnitude >> 32) * 0x1p32;
    double const low = static_cast<double>(magnitude & 0xffff'ffff);
    double const value = add_odd(high, low);
    return negative ? -value : value;
}

// Integers clamp to the target's range with .sat and whenever the source was floating.
[[nodiscard]] inline std::uint64_t clamp_integer(std::uint64_t v, bool from_signed, unsigned bits,
                                                 bool to_signed) noexcept {
    bool const negative = from_signed && static_cast<std::int64_t>(v) < 0;
    std::uint64_t const largest = ~std::uint64_t{0} >> (64 - bits + (to_signed ? 1 : 0));
    if (!negative) return v > largest ? largest : v;
    if (!to_signed) return 0;
    return static_cast<std::int64_t>(v) < static_cast<std::int64_t>(~largest) ? ~largest : v;
}

[[nodiscard]] inline std::uint64_t extend(std::uint64_t v, unsigned bits, bool is_signed) noexcept {
    if (bits == 64) return v;
    std::uint64_t const low = v & ((std::uint64_t{1} << bits) - 1);
    return is_signed && (low >> (bits - 1) & 1) ? low | ~std::uint64_t{0} << bits : low;
}

// One value from `from` to `to`. `integral` keeps a floating result a whole number
// (cvt.rni.f32.f32).
[[nodiscard]] inline std::uint64_t convert(std::uint64_t v, decoded const& op, bool integral) noexcept {
    ptx::type const from = op.source_type;
    ptx::type const to = op.type;
    unsigned const to_bits = ptx::size_of(to) * 8;
    double x = 0;
    if (ptx::is_floating(from)) {
        if (from == ptx::type::f64) x = std::bit_cast<double>(v);
        else x = widen(static_cast<std::uint32_t>(v), format_of(from));
        if (op.ftz && from == ptx::type::f32) x = flush(static_cast<float>(x));
        if (!ptx::is_floating(to))
            return to_integer(round_to_integer(x, op.rounding), to_bits, ptx::is_signed(to), from == ptx::type::f64);
        if (integral) x = round_to_integer(x, op.rounding);
    } else {
        bool const from_signed = ptx::is_signed(from);
        std::uint64_t const wide = extend(v, ptx::size_of(from) * 8, from_signed);
        if (!ptx::is_floating(to)) return op.sat ? clamp_integer(wide, from_signed, to_bits, ptx::is_signed(to)) : wide;
        bool const negative = from_signed && static_cast<std::int64_t>(wide) < 0;
        x = integer_to_odd(negative ? 0 - wide : wide, negative);
        std::uint64_t const magnitude = negative ? 0 - wide : wide;
        if (to == ptx::type::f64 && magnitude >> 53 != 0) { // else it is exact
            rounding_guard const guard{op.rounding};
            double const unit = negative ? -1.0 : 1.0;
            x = opaque(opaque(unit * static_cast<double>(magnitude >> 32) * 0x1p32) +
                       opaque(unit * static_cast<double>(magnitude & 0xffff'ffff)));
        }
    }
    if (op.sat) x = x > 0 ? (x < 1 ? x : 1.0) : 0.0;
    if (op.mode & 1) x = x < 0 ? 0.0 : x; // .relu
    if (to == ptx::type::f64) return std::bit_cast<std::uint64_t>(x);
    float_format const f = format_of(to);
    if ((op.mode & 2) && std::isinf(x)) x = std::copysign(widen(f.largest(), f), x); // .satfinite
    std::uint32_t bits = narrow(x, f, integral ? rounding::nearest : op.rounding);
    if ((op.mode & 2) && (bits & (f.sign_bit() - 1)) > f.largest() && x == x)
        bits = (bits & f.sign_bit()) | f.largest();
    if (!f.has_infinity && x == x && (bits & (f.sign_bit() - 1)) > f.largest())
        bits = (bits & f.sign_bit()) | f.largest();
    if (to == ptx::type::tf32) bits = x == x ? bits << 13 : 0x7fff'ffff; // kept where an f32 has it
    if (op.ftz && to == ptx::type::f32) bits = std::bit_cast<std::uint32_t>(flush(std::bit_cast<float>(bits)));
    return bits;
}

} // namespace ops

// cvt.to.from. `immediate` holds the bytes of the source register, which may be wider than its type, as the target may. `mode` bit 0
// .relu, 1 .satfinite, 2 rounds to an integral value.
inline void convert_lanes(registers const& r, decoded const& op, lane_mask mask) noexcept {
    bool const integral = (op.mode & 4) != 0;
    bool const extends = ptx::is_signed(op.type) && op.result_bytes > ptx::size_of(op.type);
    for (unsigned i = 0; i < warp_size; ++i) {
        if (!(mask >> i & 1)) continue;
        std::uint64_t const d = ops::convert(r.read_lane(op.a, i, op.immediate), op, integral);
        std::uint64_t const cut = ops::extend(d, ptx::size_of(op.type) * 8, extends);
        r.write_lane(op.d, i, op.result_bytes, cut);
    }
}

// cvt to a packed type from two f32, or between packed formats. The first source becomes the upper
// half.
inline void convert_pair(registers const& r, decoded const& op, lane_mask mask) noexcept {
    unsigned const to_bytes = ptx::size_of(op.type);
    unsigned const to_bits = to_bytes * 4;
    bool const from_packed = op.source_type != ptx::type::f32;
    unsigned const from_bytes = ptx::size_of(op.source_type);
    unsigned const from_bits = from_bytes * 4;
    decoded half_op = op;
    switch (op.type) { // the format of one half
        case ptx::type::f16x2: half_op.type = ptx::type::f16; break;
        case ptx::type::bf16x2: half_op.type = ptx::type::bf16; break;
        default: break;
    }
    for (unsigned i = 0; i < warp_size; ++i) {
        if (!(mask >> i & 1)) continue;
        std::uint64_t const a = r.read_lane(op.a, i, from_bytes);
        std::uint64_t const b =
            from_packed ? a & ((std::uint64_t{1} << from_bits) - 1) : r.read_lane(op.b, i, from_bytes);
        std::uint64_t const high = ops::convert(from_packed ? a >> from_bits : a, half_op, false);
        std::uint64_t const low = ops::convert(b, half_op, false);
        r.write_lane(op.d, i, to_bytes, high << to_bits | low);
    }
}

// A few conversions are in every inner loop; these are their fast forms, chosen when nothing else
// is asked for.
namespace ops {
template <class To>
struct cast {
    template <class From>
    To operator()(From a) const noexcept {
        return static_cast<To>(a);
    }
};
struct widen_half {
    float operator()(half a) const noexcept { return canonical(widened(a)); }
};
struct round_to_bfloat {
    bfloat operator()(float a) const noexcept {
        auto const bits = std::bit_cast<std::uint32_t>(a);
        std::uint32_t const nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16; // a carry moves into the exponent
        return {static_cast<std::uint16_t>(a != a ? bfloat::format.canonical_nan : nearest)};
    }
};
// Two of them: b is the lower half.
template <class Round>
struct round_pair {
    std::uint32_t operator()(float a, float b) const noexcept {
        return std::uint32_t{Round{}(a).bits} << 16 | Round{}(b).bits;
    }
};
struct round_to_half {
    half operator()(float a) const noexcept { return rounded_half(a); }
};
// A NaN keeps its bits, also those by which hosts tell quiet ones.
struct widen_single {
    double operator()(float a) const noexcept {
        auto const bits = std::bit_cast<std::uint32_t>(a);
        std::uint64_t const nan =
            std::uint64_t{bits & 0x8000'0000} << 32 | 0x7ff0'0000'0000'0000 | std::uint64_t{bits & 0x007f'ffff} << 29;
        return a != a ? std::bit_cast<double>(nan) : double{a};
    }
};
struct round_to_single {
    float operator()(double a) const noexcept { return canonical(static_cast<float>(a)); }
};
// Towards zero, beyond the range to its end. A NaN becomes 0 if it was no f64.
template <class To>
struct truncate {
    To operator()(float a) const noexcept {
        constexpr double least = (std::numeric_limits<To>::min)(), greatest = (std::numeric_limits<To>::max)();
        double const x = a != a ? 0.0 : double{a};
        return static_cast<To>(x < least ? least : x > greatest ? greatest : x);
    }
};
// To nearest, else as truncate: adding a number whose last place is worth 1 leaves the whole ones.
template <class To>
struct round_to_nearest {
    To operator()(float a) const noexcept {
        constexpr double least = (std::numeric_limits<To>::min)(), greatest = (std::numeric_limits<To>::max)();
        constexpr double ones = 0x1.8p52;
        double const x = a != a ? 0.0 : double{a};
        return static_cast<To>(((x < least ? least : x > greatest ? greatest : x) + ones) - ones);
    }
};
// A whole number, as a floating one: adding what has no digits behind the point leaves the nearest, and that is at most one off.
template <rounding Mode>
struct round_to_whole {
    template <class T>
    T operator()(T a) const noexcept {
        constexpr T no_fraction = std::same_as<T, float> ? T{0x1p23} : T{0x1p52};
        T const ones = std::copysign(no_fraction, a);
        T whole = (a + ones) - ones;
        if constexpr (Mode == rounding::down) whole -= whole > a ? T{1} : T{0};
        if constexpr (Mode == rounding::up) whole += whole < a ? T{1} : T{0};
        if constexpr (Mode == rounding::zero)
            whole = std::fabs(whole) > std::fabs(a) ? whole - std::copysign(T{1}, a) : whole;
        return canonical(std::fabs(a) < no_fraction ? std::copysign(whole, a) : a + T{0});
    }
};
template <class T>
[[nodiscard]] lane_function whole_of(rounding mode) noexcept {
    switch (mode) {
        case rounding::down: return map1<round_to_whole<rounding::down>, T>;
        case rounding::up: return map1<round_to_whole<rounding::up>, T>;
        case rounding::zero: return map1<round_to_whole<rounding::zero>, T>;
        default: return map1<round_to_whole<rounding::nearest>, T>;
    }
}
struct saturate_single {
    float operator()(float a) const noexcept { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; }
};
// An integer in a register of From, which may be wider than the number, to one of To.
template <class From, class To>
struct convert_integer {
    explicit convert_integer(decoded const& op) noexcept
        : above_source{static_cast<unsigned>((sizeof(From) - ptx::size_of(op.source_type)) * 8)},
          above_target{static_cast<unsigned>((sizeof(To) - ptx::size_of(op.type)) * 8)} {}
    unsigned above_source, above_target; // bits
    To operator()(From a) const noexcept {
        using unsigned_from = std::make_unsigned_t<From>;
        using unsigned_to = std::make_unsigned_t<To>;
        auto const number =
            static_cast<From>(static_cast<From>(static_cast<unsigned_from>(a) << above_source) >> above_source);
        auto const cut = static_cast<unsigned_to>(static_cast<unsigned_to>(number) << above_target);
        return static_cast<To>(static_cast<To>(cut) >> above_target);
    }
};
} // namespace ops

// The function of a conversion between integers; null for registers of other than 2, 4 or 8 bytes.
template <class From>
[[nodiscard]] lane_function integer_conversion_from(unsigned to_bytes, bool to_signed) noexcept {
    using ops::convert_integer;
    switch (to_bytes) {
        case 2:
            return to_signed ? map1<convert_integer<From, std::int16_t>, From>
                             : map1<convert_integer<From, std::uint16_t>, From>;
        case 4:
            return to_signed ? map1<convert_integer<From, std::int32_t>, From>
                             : map1<convert_integer<From, std::uint32_t>, From>;
        case 8:
            return to_signed ? map1<convert_integer<From, std::int64_t>, From>
                             : map1<convert_integer<From, std::uint64_t>, From>;
        default: return nullptr;
    }
}
[[nodiscard]] inline lane_function integer_conversion(unsigned from_bytes, bool from_signed, unsigned to_bytes,
                                                      bool to_signed) noexcept {
    switch (from_bytes) {
        case 2:
            return from_signed ? integer_conversion_from<std::int16_t>(to_bytes, to_signed)
                               : integer_conversion_from<std::uint16_t>(to_bytes, to_signed);
        case 4:
            return from_signed ? integer_conversion_from<std::int32_t>(to_bytes, to_signed)
                               : integer_conversion_from<std::uint32_t>(to_bytes, to_signed);
        case 8:
            return from_signed ? integer_conversion_from<std::int64_t>(to_bytes, to_signed)
                               : integer_conversion_from<std::uint64_t>(to_bytes, to_signed);
        default: return nullptr;
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_CONVERT_OPS_HPP
