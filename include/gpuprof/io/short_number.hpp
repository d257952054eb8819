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

// The number with its unit: "12.35 %", "1.331 M sectors", "1.235 ms".
[[nodiscard]] inline std::string short_value(double value, gpuprof::unit const& of) {
    if (of == unit_of(dimension::second, -9)) return short_duration(value);
    std::string text = short_number(value);
    unit_symbol const symbol{of};
    if (of != one) (text += ' ') += gpuprof::detail::unit_after(value, symbol.view());
    return text;
}

// "12 %"; of a share.
[[nodiscard]] inline std::string whole_share(double of) {
    return std::to_string(static_cast<long long>(std::floor(100 * of + 0.5))) + " %";
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SHORT_NUMBER_HPP
