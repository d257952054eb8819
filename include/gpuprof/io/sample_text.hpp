// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats numbers and shares of samples for tables.
#ifndef GPUPROF_IO_SAMPLE_TEXT_HPP
#define GPUPROF_IO_SAMPLE_TEXT_HPP

#include <cstdint>
#include <cstdio>
#include <string>

#include "table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// "86.1 %"; "-" if `whole` is 0.
[[nodiscard]] inline std::string percent_text(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    char text[32] = {};
    std::snprintf(text, sizeof text, "%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
    for (char& c : text)
        if (c == ',') c = '.'; // some locales' decimal point
    return text;
}
[[nodiscard]] inline std::string count_text(std::uint64_t count) { return number(static_cast<double>(count)); }

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SAMPLE_TEXT_HPP
