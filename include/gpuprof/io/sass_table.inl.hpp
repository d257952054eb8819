// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of sass_table.hpp.
#ifndef GPUPROF_IO_SASS_TABLE_INL_HPP
#define GPUPROF_IO_SASS_TABLE_INL_HPP

#include <algorithm>
#include <cstdint>

#include "../text/printable.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "aligned.hpp"
#include "sample_text.hpp"
#include "sass_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

[[nodiscard]] inline std::string origin_text(sass_counts const& of) {
    std::string text = gpuprof::detail::printable(of.device);
    if (!of.chip.empty() && text.find(of.chip) == text.npos) text += " (" + of.chip + ")";
    if (of.how != fidelity::exact) text += ", " + std::string{name(of.how)};
    return text + ": counts of instructions\n";
}
[[nodiscard]] inline std::string losses_text(sass_counts const& of) {
    return of.dropped == 0 ? std::string{} : "dropped: " + count_text(of.dropped) + " values; fetch before the end\n";
}
// Adds a row: texts, and a value for each metric.
inline void add_row(std::vector<std::string>& cells, sass_counts const& of, std::vector<std::uint64_t> const& values) {
    for (std::size_t m = 0; m < of.metrics.size(); ++m) cells.push_back(count_text(m < values.size() ? values[m] : 0));
}

} // namespace detail

GPUPROF_INLINE std::string table(sass_counts const& of) {
    auto functions = of.functions();
    std::stable_sort(functions.begin(), functions.end(), [](sass_function const& a, sass_function const& b) {
        return !a.values.empty() && !b.values.empty() && a.values[0] > b.values[0];
    });
    std::vector<std::string> cells{"function", "instructions"};
    for (std::string const& metric : of.metrics) cells.push_back(gpuprof::detail::printable(metric));
    for (sass_function const& each : functions) {
        cells.push_back(gpuprof::detail::printable(platform::demangled(each.function)));
        cells.push_back(detail::count_text(each.instructions));
        detail::add_row(cells, of, each.values);
    }
    return detail::origin_text(of) + detail::aligned(cells, "lr" + std::string(of.metrics.size(), 'r')) +
           detail::losses_text(of);
}

GPUPROF_INLINE std::string table(sass_counts const& of, std::vector<counted_line> const& lines) {
    std::vector<std::string> cells{"file", "line"};
    for (std::string const& metric : of.metrics) cells.push_back(gpuprof::detail::printable(metric));
    for (counted_line const& each : lines) {
        cells.push_back(each.at.line == 0 ? "(no line)" : gpuprof::detail::printable(each.at.path(), 120));
        cells.push_back(each.at.line == 0 ? "" : std::to_string(each.at.line));
        detail::add_row(cells, of, each.values);
    }
    return detail::origin_text(of) + detail::aligned(cells, "lr" + std::string(of.metrics.size(), 'r')) +
           detail::losses_text(of);
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SASS_TABLE_INL_HPP
