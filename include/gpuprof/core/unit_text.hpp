// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes quantities as text: "4,096 sectors", "87.5 %".
#ifndef GPUPROF_CORE_UNIT_TEXT_HPP
#define GPUPROF_CORE_UNIT_TEXT_HPP

#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <string>

#include "../detail/config.hpp"
#include "counted.hpp"
#include "units.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
[[nodiscard]] inline std::string number_text(double value) {
    bool const fits = value > -9007199254740992.0 && value < 9007199254740992.0;
    if (fits && static_cast<double>(static_cast<std::int64_t>(value)) == value)
        return std::to_string(static_cast<std::int64_t>(value));
    if (value != value) return "nan"; // of either sign
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}
} // namespace detail

// Returns the number and the unit as people write them: whole numbers in full, others with six significant digits, thousands
// separated by commas; the unit in the plural unless the number is 1. Allocates.
template <unit Unit>
[[nodiscard]] std::string to_text(quantity<Unit> of) {
    return detail::grouped_number(of.value()).append(1, ' ').append(detail::unit_after(of.value(), of.symbol()));
}

// Writes the same to a stream: doctest, Catch2 and GoogleTest show it of a failed check.
template <class Traits, unit Unit>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, quantity<Unit> of) {
    return out << to_text(of); // std::string's operator needs only the stream's declaration
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_UNIT_TEXT_HPP
