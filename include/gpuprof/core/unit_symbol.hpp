// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols of units, for people: "byte/ns", "sector/request", "%".
#ifndef GPUPROF_CORE_UNIT_SYMBOL_HPP
#define GPUPROF_CORE_UNIT_SYMBOL_HPP

#include <string_view>

#include "unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// A unit's symbol in its own buffer: available at compile time and without allocation.
class unit_symbol {
public:
    // "%" for percent, "ratio" for a pure number, else the dimensions with positive exponents,
    // joined by "*", then each negative one after a "/". A power of ten goes into the seconds where
    // it fits ("ns", "us", "ms"), else in front ("k", "M", "G", "T", or "10^6 "). Cuts text that
    // exceeds the buffer.
    constexpr explicit unit_symbol(unit const& of) noexcept {
        if (of == percent_unit || of == one) {
            append(of == one ? "ratio" : "%");
            return;
        }
        std::string_view second = "s";
        int power = of.power_of_ten;
        for (auto const& factor : of.factors) {
            if (factor.of != dimension::second || (factor.exponent != 1 && factor.exponent != -1)) continue;
            int const seconds = power * factor.exponent;
            if (seconds == -3) second = "ms";
            if (seconds == -6) second = "us";
            if (seconds == -9) second = "ns";
            if (second != "s") power = 0;
        }
        append_prefix(power, of.factors[0].exponent > 0);
        bool first = true;
        for (auto const& factor : of.factors) {
            if (factor.exponent <= 0) continue;
            if (!first) append("*");
            append_factor(factor, second);
            first = false;
        }
        if (first) append("1");
        for (auto const& factor : of.factors) {
            if (factor.exponent >= 0) continue;
            append("/");
            append_factor(factor, second);
        }
    }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_, size_}; }
    [[nodiscard]] constexpr operator std::string_view() const noexcept { return view(); }

private:
    constexpr void append_prefix(int power, bool has_word_to_join) noexcept {
        if (power == 0) return;
        if (has_word_to_join && power == 3) return append("k");
        if (has_word_to_join && power == 6) return append("M");
        if (has_word_to_join && power == 9) return append("G");
        if (has_word_to_join && power == 12) return append("T");
        append("10^");
        append_number(power);
        append(" ");
    }
    constexpr void append_factor(unit::factor factor, std::string_view second) noexcept {
        append(factor.of == dimension::second ? second : name(factor.of));
        int const exponent = factor.exponent < 0 ? -factor.exponent : factor.exponent;
        if (exponent == 1) return;
        append("^");
        append_number(exponent);
    }
    constexpr void append_number(int number) noexcept {
        if (number < 0) {
            append("-");
            number = -number;
        }
        if (number >= 10) append_number(number / 10);
        char const digit = static_cast<char>('0' + number % 10);
        append({&digit, 1});
    }
    constexpr void append(std::string_view text) noexcept {
        for (char const c : text) {
            if (size_ < sizeof text_) text_[size_++] = c;
        }
    }

    char text_[63]{};
    unsigned char size_ = 0;
};

// The symbol of a unit known at run time. No allocation, never fails.
[[nodiscard]] constexpr unit_symbol symbol(unit const& of) noexcept { return unit_symbol{of}; }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_UNIT_SYMBOL_HPP
