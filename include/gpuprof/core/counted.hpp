// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes numbers and their units for people: "26,880 conflicts", "1 conflict", "4 sectors/request".
#ifndef GPUPROF_CORE_COUNTED_HPP
#define GPUPROF_CORE_COUNTED_HPP

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// How many decimals six significant digits have.
[[nodiscard]] constexpr int decimals_of(double size) noexcept {
    int decimals = 0;
    while (size < 1e5) {
        size *= 10;
        ++decimals;
    }
    return decimals;
}

// Thousands are separated by commas. Whole numbers are written in full, others with six significant digits, and with all of
// their whole part: "133,140,480", "5,466,231", "82.1318". Numbers from 1e18 on and below 1e-9 have an exponent. No locale.
[[nodiscard]] inline std::string grouped_number(double value) {
    double const size = value < 0 ? -value : value;
    char text[64] = {};
    if (value != value) return "nan"; // of either sign
    if (!(size < 1e18) || (size != 0 && size < 1e-9)) {
        std::snprintf(text, sizeof text, "%.6g", value);
        for (char& c : text)
            if (c == ',') c = '.'; // the decimal point of some locales
        return text;
    }
    int decimals = 0;
    if (size >= 9007199254740992.0 || value != static_cast<double>(static_cast<long long>(value)))
        decimals = decimals_of(size);
    std::snprintf(text, sizeof text, "%.*f", decimals, value + 0.0); // no "-0"
    std::string digits{text};
    std::size_t whole = digits.find_first_of(".,");
    if (whole == digits.npos) {
        whole = digits.size();
    } else {
        digits[whole] = '.';
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.') digits.pop_back();
    }
    std::size_t const sign = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = whole; at > sign + 3;) digits.insert(at -= 3, ",");
    return digits;
}

// A unit's symbol as it follows a number: "conflict" after 1, "conflicts" after others; "sectors/request", "ns", "%".
[[nodiscard]] inline std::string unit_after(double value, std::string_view symbol) {
    std::string text{symbol};
    constexpr std::string_view unchanged[]{"", "1", "%", "ratio", "s", "ms", "us", "ns"};
    std::size_t const begin = symbol.substr(0, 3) == "10^" ? symbol.find(' ') + 1 : 0;
    std::size_t const end = begin + symbol.substr(begin).find_first_of("/*^(");
    std::string_view const word = symbol.substr(begin, end < begin ? symbol.npos : end - begin);
    for (std::string_view const each : unchanged)
        if (word == each) return text;
    if (value == 1 || value == -1) return text;
    return text.insert(begin + word.size(), word.back() == 's' ? "es" : "s");
}

// "62 conflicts". The unit of a pure number is left out.
[[nodiscard]] inline std::string counted(double value, std::string_view symbol) {
    std::string text = grouped_number(value);
    if (!symbol.empty() && symbol != "ratio") (text += ' ') += unit_after(value, symbol);
    return text;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_COUNTED_HPP
