// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of four significant digits, for people: "12.35", "1.331 M", "4.125 ms".
#ifndef GPUPROF_IO_SHORT_NUMBER_HPP
#define GPUPROF_IO_SHORT_NUMBER_HPP

#include <cmath>
#include <cstddef>
#include <string>

#include "../core/counted.hpp"
#include "../core/unit.hpp"
#include "../core/unit_symbol.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// Rounds to four significant digits. Whole numbers below a million are written in full; from there on with M, G, T, P or E.
[[nodiscard]] inline std::string short_number(double value) {
    double const size = std::fabs(value);
    if (!(size < 1e21)) return gpuprof::detail::grouped_number(value); // NaN, too
    if (size < 1e6 && value == std::floor(value)) return gpuprof::detail::grouped_number(value);
    double scaled = value;
    constexpr char const* letters[]{"", " M", " G", " T", " P", " E"};
    std::size_t letter = 0;
    if (size >= 999'950) {
        scaled /= 1e6;
        for (letter = 1; std::fabs(scaled) >= 999.95 && letter < 5; ++letter) scaled /= 1000;
    }
    double const digits = 3 - std::floor(std::log10(std::fabs(scaled)));
    double const scale = std::pow(10.0, digits);
    double const rounded = digits < 0 ? std::round(scaled) : std::round(scaled * scale) / scale;
    return gpuprof::detail::grouped_number(rounded) + letters[letter];
}

// "1.235 ms"
[[nodiscard]] inline std::string short_duration(double nanoseconds) {
    constexpr char const* units[]{" ns", " us", " ms", " s"};
    std::size_t at = 0;
    for (; std::fabs(nanoseconds) >= 999.95 && at < 3; ++at) nanoseconds /= 1000;
    return short_number(nanoseconds) + units[at];
}

// A number and its unit apart: "12.35", "%"; "1.331 M", "sectors"; "1.235", "ms". A pure number has no unit.
struct shown_value {
    std::string number;
    std::string unit;
};
[[nodiscard]] inline shown_value shown(double value, gpuprof::unit const& of) {
    if (of == unit_of(dimension::second, -9)) {
        std::string const text = short_duration(value);
        std::size_t const blank = text.rfind(' ');
        return {text.substr(0, blank), text.substr(blank + 1)};
    }
    unit_symbol const symbol{of};
    return {short_number(value), of == one ? std::string{} : gpuprof::detail::unit_after(value, symbol.view())};
}
// Both together: "12.35 %".
[[nodiscard]] inline std::string short_value(double value, gpuprof::unit const& of) {
    shown_value parts = shown(value, of);
    if (!parts.unit.empty()) (parts.number += ' ') += parts.unit;
    return parts.number;
}

// A share in whole per cent: "12 %", or "<1 %" if little is not nothing.
[[nodiscard]] inline std::string whole_share(double of) {
    if (of > 0 && of < 0.005) return "<1 %";
    return std::to_string(static_cast<long long>(std::floor(100 * of + 0.5))) + " %";
}
// "7 to 18 %"
[[nodiscard]] inline std::string share_interval(double least, double most) {
    return std::to_string(static_cast<long long>(std::floor(100 * least + 0.5))) + " to " + whole_share(most);
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SHORT_NUMBER_HPP
