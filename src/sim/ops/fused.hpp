// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a * b + c, rounded once, in any rounding mode of the host.
#ifndef GPUPROF_SRC_SIM_OPS_FUSED_HPP
#define GPUPROF_SRC_SIM_OPS_FUSED_HPP

#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gpuprof/detail/builtin.hpp>
#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Digits of a number, 128 of them.
struct wide_digits {
    std::uint64_t high, low;

    [[nodiscard]] constexpr int width() const noexcept {
        return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
    }
    [[nodiscard]] constexpr wide_digits shifted_left(int by) const noexcept {
        if (by == 0) return *this;
        if (by >= 64) return {low << (by - 64), 0};
        return {high << by | low >> (64 - by), low << by};
    }
    // What is lost sets the last digit: it says "and a little more", as rounding needs it.
    [[nodiscard]] constexpr wide_digits shifted_right(int by) const noexcept {
        if (by == 0) return *this;
        if (by >= 128) return {0, std::uint64_t{(high | low) != 0}};
        wide_digits const lost = shifted_left(128 - by);
        std::uint64_t const more = (lost.high | lost.low) != 0;
        if (by >= 64) return {0, high >> (by - 64) | more};
        return {high >> by, low >> by | high << (64 - by) | more};
    }
    [[nodiscard]] friend constexpr wide_digits operator+(wide_digits a, wide_digits b) noexcept {
        std::uint64_t const sum = a.low + b.low;
        return {a.high + b.high + (sum < a.low), sum};
    }
    [[nodiscard]] friend constexpr wide_digits operator-(wide_digits a, wide_digits b) noexcept {
        return {a.high - b.high - (a.low < b.low), a.low - b.low};
    }
    [[nodiscard]] friend constexpr bool operator<(wide_digits a, wide_digits b) noexcept {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
    [[nodiscard]] static constexpr wide_digits product(std::uint64_t a, std::uint64_t b) noexcept {
        std::uint64_t const half = 0xffff'ffff;
        std::uint64_t const bottom = (a & half) * (b & half), left = (a >> 32) * (b & half);
        std::uint64_t const right = (a & half) * (b >> 32) + (bottom >> 32) + (left & half);
        return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32), right << 32 | (bottom & half)};
    }
};

// By integers alone, since not every C library rounds std::fma once.
template <std::floating_point T>
[[nodiscard]] inline T multiply_and_add_by_integers(T a, T b, T c) noexcept {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using limits = std::numeric_limits<T>;
    constexpr int least = limits::min_exponent - limits::digits; // the weight of the last digit that there is
    constexpr word hidden = word{1} << (limits::digits - 1);
    if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b)) return a * b + c;
    if (!std::isfinite(c)) return c;
    if (c == 0) return a * b;

    struct number {
        wide_digits digits;
        int exponent; // weight of the last digit
        bool negative;
        void normalise() noexcept { // room for a carry above
            int const by = 126 - digits.width();
            digits = digits.shifted_left(by);
            exponent -= by;
        }
    };
    auto const number_of = [](T value) {
        word const bits = std::bit_cast<word>(std::fabs(value));
        word const exponent = bits / hidden, fraction = bits % hidden;
        return number{{0, exponent == 0 ? fraction : fraction + hidden},
                      least + (exponent == 0 ? 0 : static_cast<int>(exponent) - 1),
                      std::signbit(value)};
    };
    number const x = number_of(a), y = number_of(b);
    number greater{wide_digits::product(x.digits.low, y.digits.low), x.exponent + y.exponent, x.negative != y.negative};
    number smaller = number_of(c);
    greater.normalise();
    smaller.normalise();
    if (greater.exponent < smaller.exponent ||
        (greater.exponent == smaller.exponent && greater.digits < smaller.digits)) {
        number const kept = greater;
        greater = smaller;
        smaller = kept;
    }
    smaller.digits = smaller.digits.shifted_right(greater.exponent - smaller.exponent);
    bool const differs = greater.negative != smaller.negative;
    wide_digits const sum = differs ? greater.digits - smaller.digits : greater.digits + smaller.digits;
    int const mode = std::fegetround();
    if ((sum.high | sum.low) == 0) return mode == FE_DOWNWARD ? -T{0} : T{0};

    // The digits that there is room for, and two more: half of the last one, and whether there is
    // anything below.
    int last = greater.exponent + sum.width() - limits::digits;
    if (last < least) last = least;
    int const drop = last - 2 - greater.exponent;
    std::uint64_t const kept = (drop < 0 ? sum.shifted_left(-drop) : sum.shifted_right(drop)).low;
    bool const away = mode == (greater.negative ? FE_DOWNWARD : FE_UPWARD); // from zero
    bool const nearest = mode == FE_TONEAREST;
    std::uint64_t const below = kept & 3;
    bool const up = nearest ? below + (kept >> 2 & 1) > 2 : away && below != 0;
    // The first digit adds one to the exponent before it, and so does a carry.
    std::uint64_t bits = static_cast<std::uint64_t>(last - least) * hidden + (kept >> 2) + up;
    std::uint64_t const infinite = std::bit_cast<word>(limits::infinity());
    if (bits >= infinite) bits = infinite - (nearest || away ? 0 : 1);
    T const value = std::bit_cast<T>(static_cast<word>(bits));
    return greater.negative ? -value : value;
}

// std::fma, where the C library has one that rounds once.
template <std::floating_point T>
[[nodiscard]] inline T multiply_and_add(T a, T b, T c) noexcept {
#if GPUPROF_FMA_ROUNDS_ONCE
    return std::fma(a, b, c);
#else
    return multiply_and_add_by_integers(a, b, c);
#endif
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_FUSED_HPP
