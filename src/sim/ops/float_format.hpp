// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Narrow floating formats (f16, bf16, tf32, e4m3, e5m2, f32) to and from double.
#ifndef GPUPROF_SRC_SIM_OPS_FLOAT_FORMAT_HPP
#define GPUPROF_SRC_SIM_OPS_FLOAT_FORMAT_HPP

#include <bit>
#include <cstdint>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A binary format of at most 32 bits. `canonical_nan` is what PTX instructions return.
struct float_format {
    int mantissa; // stored bits
    int exponent; // bits
    std::uint32_t canonical_nan;
    bool has_infinity = true;

    [[nodiscard]] constexpr int bias() const noexcept { return (1 << (exponent - 1)) - 1; }
    [[nodiscard]] constexpr std::uint32_t sign_bit() const noexcept {
        return std::uint32_t{1} << (mantissa + exponent);
    }
    [[nodiscard]] constexpr std::uint32_t infinity() const noexcept {
        return ((std::uint32_t{1} << exponent) - 1) << mantissa;
    }
    [[nodiscard]] constexpr std::uint32_t largest() const noexcept {
        return has_infinity ? infinity() - 1 : (std::uint32_t{1} << (mantissa + exponent)) - 2;
    }
};

inline constexpr float_format f32_format{23, 8, 0x7fff'ffff};
inline constexpr float_format f16_format{10, 5, 0x7fff};
inline constexpr float_format bf16_format{7, 8, 0x7fff};
inline constexpr float_format tf32_format{10, 8, 0x3'ffff};
inline constexpr float_format e4m3_format{3, 4, 0x7f, false};
inline constexpr float_format e5m2_format{2, 5, 0x7f};

// Exact.
[[nodiscard]] constexpr double widen(std::uint32_t bits, float_format f) noexcept {
    std::uint64_t const sign = bits & f.sign_bit() ? std::uint64_t{1} << 63 : 0;
    std::uint32_t const magnitude = bits & (f.sign_bit() - 1);
    std::uint64_t const fraction = magnitude & ((std::uint32_t{1} << f.mantissa) - 1);
    auto const exponent = static_cast<int>(magnitude >> f.mantissa);
    bool const special = f.has_infinity ? magnitude >= f.infinity() : magnitude > f.largest();
    if (special) return std::bit_cast<double>(sign | 0x7ff0'0000'0000'0000 | (f.has_infinity ? fraction << 29 : 1));
    if (exponent == 0) { // zero or subnormal: fraction * 2^(1 - bias - mantissa), exact in double
        std::uint64_t const scale = static_cast<std::uint64_t>(1023 + 1 - f.bias() - f.mantissa) << 52;
        double const value = static_cast<double>(fraction) * std::bit_cast<double>(scale);
        return sign ? -value : value;
    }
    return std::bit_cast<double>(sign | static_cast<std::uint64_t>(exponent - f.bias() + 1023) << 52 |
                                 fraction << (52 - f.mantissa));
}

// Rounds once. A `value` that was itself rounded to odd gives the same as the exact one would.
// Overflow gives infinity or the largest number as the mode asks; NaN the canonical one.
[[nodiscard]] constexpr std::uint32_t narrow(double value, float_format f, rounding mode = rounding::nearest) noexcept {
    auto const bits = std::bit_cast<std::uint64_t>(value);
    bool const negative = bits >> 63 != 0;
    std::uint32_t const sign = negative ? f.sign_bit() : 0;
    auto const exponent = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t const fraction = bits & 0x000f'ffff'ffff'ffff;
    if (exponent == 0x7ff)
        return fraction != 0 ? f.canonical_nan : sign | (f.has_infinity ? f.infinity() : f.canonical_nan);
    std::uint64_t const significand = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    int target = exponent - 1023 + f.bias(); // the biased exponent in the new format, before rounding
    int drop = 52 - f.mantissa;
    if (target < 1) drop += 1 - target, target = 1;
    std::uint64_t kept = 0;
    std::uint64_t rest = significand != 0; // only "not zero and below half" when everything is dropped
    std::uint64_t half = 2;
    if (drop < 64) {
        kept = significand >> drop;
        half = std::uint64_t{1} << (drop - 1);
        rest = significand & (half * 2 - 1);
    }
    bool up = false;
    switch (mode) {
        case rounding::nearest: up = rest > half || (rest == half && (kept & 1)); break;
        case rounding::nearest_away: up = rest >= half; break;
        case rounding::zero: break;
        case rounding::down: up = negative && rest != 0; break;
        case rounding::up: up = !negative && rest != 0; break;
    }
    // A carry out of the mantissa moves into the exponent, which is just what it should do.
    std::uint64_t const result = (static_cast<std::uint64_t>(target - 1) << f.mantissa) + kept + (up ? 1 : 0);
    if (result <= f.largest()) return sign | static_cast<std::uint32_t>(result);
    bool const to_largest =
        mode == rounding::zero || (mode == rounding::down && !negative) || (mode == rounding::up && negative);
    return sign | (to_largest ? f.largest() : f.has_infinity ? f.infinity() : f.canonical_nan);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_FLOAT_FORMAT_HPP
