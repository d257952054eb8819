// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit floating numbers, widened and rounded without branches.
#ifndef GPUPROF_SRC_SIM_OPS_SHORT_FLOAT_HPP
#define GPUPROF_SRC_SIM_OPS_SHORT_FLOAT_HPP

#include <bit>
#include <concepts>
#include <cstdint>

#include "float_format.hpp"

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

// widen() and narrow() of float_format.hpp serve every format and rounding. What follows gives the
// same for rounding to nearest, in loops that compilers vectorise.

// Exact, in a type in which the product of two numbers is exact, too.
[[nodiscard]] inline float widened(half x) noexcept {
    std::uint32_t const magnitude = x.bits & 0x7fffu;
    float const finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f; // another bias; subnormals become normal
    std::uint32_t const special = magnitude >= 0x7c00 ? 0x7f80'0000 : 0;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(finite) | special |
                                static_cast<std::uint32_t>(x.bits & 0x8000) << 16);
}
[[nodiscard]] inline double widened(bfloat x) noexcept {
    return double{std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16)};
}

[[nodiscard]] constexpr std::int32_t pattern(float x) noexcept { return std::bit_cast<std::int32_t>(x); }

// Rounds once, to nearest. `x` may have been rounded to odd. Adding a number whose last place is
// worth as much as the result's leaves what the result keeps; `binade` is the power of two that x
// is at least. What is chosen between are integers: compilers do not compute a float in vain, for
// what it might signal.
[[nodiscard]] inline half rounded_half(float x) noexcept {
    auto const bits = std::bit_cast<std::uint32_t>(x);
    auto const all = static_cast<std::int32_t>(bits & 0x7fff'ffff); // as patterns, magnitudes compare like integers
    std::int32_t const magnitude = all < pattern(0x1p17f) ? all : pattern(0x1p17f); // infinity from 2^16 on
    std::int32_t const binade = magnitude & 0x7f80'0000;
    std::int32_t const least = binade > pattern(0x1p-14f) ? binade : pattern(0x1p-14f);
    float const shift = std::bit_cast<float>(least + (13 << 23));
    float const kept = (std::bit_cast<float>(magnitude) + shift) - shift;
    std::int32_t const finite = pattern(kept * 0x1p-112f) >> 13;
    bool const is_nan = all > 0x7f80'0000;
    std::uint32_t const sign = is_nan ? 0 : bits >> 16 & 0x8000;
    std::int32_t const number = (finite < 0x7c00 ? finite : 0x7c00) | (is_nan ? 0x3ff : 0);
    return {static_cast<std::uint16_t>(static_cast<std::uint32_t>(number) | sign)};
}
[[nodiscard]] inline bfloat rounded_bfloat(double x) noexcept {
    auto const bits = std::bit_cast<std::uint64_t>(x);
    double const all = std::bit_cast<double>(bits & 0x7fff'ffff'ffff'ffff);
    double const magnitude = all < 0x1p129 ? all : 0x1p129; // infinity from 2^128 on
    double const binade = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) & 0x7ff0'0000'0000'0000);
    double const shift = (binade > 0x1p-126 ? binade : 0x1p-126) * 0x1p45;
    double const kept = (magnitude + shift) - shift;
    std::uint32_t const number = std::bit_cast<std::uint32_t>(static_cast<float>(kept)) >> 16;
    auto const sign = static_cast<std::uint32_t>(bits >> 48 & 0x8000);
    return {static_cast<std::uint16_t>(x != x ? bfloat::format.canonical_nan : number | sign)};
}
template <short_float T>
[[nodiscard]] inline T rounded_short(decltype(widened(T{})) x) noexcept {
    if constexpr (std::same_as<T, half>) return rounded_half(x);
    else return rounded_bfloat(x);
}

} // namespace ops
} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_SHORT_FLOAT_HPP
