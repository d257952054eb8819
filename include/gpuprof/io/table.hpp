// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as a table a person can read. Layer: write out; depends on the report only.
#ifndef GPUPROF_IO_TABLE_HPP
#define GPUPROF_IO_TABLE_HPP

#include <cstddef>     // std::size_t
#include <cstdio>      // numbers to text
#include <iosfwd>      // operator<< without the cost of <ostream>
#include <string>      // the table
#include <string_view> // cells
#include <vector>      // cells

#include "../core/printable.hpp"
#include "../measure/report.hpp"
#include "../core/unit_symbol.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// "133,140,480" for whole numbers that a double holds exactly, else six significant digits ("82.1318").
GPUPROF_LAZY [[nodiscard]] std::string number(double value) {
    char text[64] = {};
    if (value != value) return "not collected"; // NaN
    bool const exact = value > -9007199254740992.0 && value < 9007199254740992.0;
    if (!exact || value != static_cast<double>(static_cast<long long>(value))) {
        std::snprintf(text, sizeof text, "%.6g", value);
        for (char& c : text)
            if (c == ',') c = '.'; // some locales' decimal point; here a comma parts thousands
        return text;
    }
    std::snprintf(text, sizeof text, "%.0f", value + 0.0); // no "-0"
    std::string digits{text};
    std::size_t const sign = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
    return digits;
}

// One line a range and metric, ranges indented by depth; above, where the values come from; below, what is missing.
GPUPROF_LAZY [[nodiscard]] std::string table(report const& of) {
    std::vector<std::vector<std::string>> rows{{"range", "count", "metric", "value", "unit"}};
    for (range_view const range : of) {
        std::string shown(2 * (range.depth() - 1), ' ');
        shown += detail::printable(range.name());
        std::string count = std::to_string(range.count());
        for (metric_info const& metric : of.metrics()) {
            auto const value = range.try_value(metric.name);
            std::string unit{unit_symbol{metric.value_unit}.view()};
            if (range.count() > 1 && metric.aggregation == aggregation::mean)
                unit += unit.empty() ? "(mean)" : " (mean)";
            rows.push_back({shown, count, metric.name, value ? number(value->value) : "not collected", unit});
            shown.clear();
            count.clear();
        }
    }
    std::vector<std::size_t> widths(rows.front().size());
    for (auto const& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = row[i].size() > widths[i] ? row[i].size() : widths[i];

    auto const& state = of.completeness();
    std::string text{of.device()};
    if (of.device().find(of.chip()) == std::string_view::npos) text += " (" + std::string{of.chip()} + ')';
    if (of.source() == device_source::embedded) text += ", embedded GPU: not hardware";
    text += ", " + std::string{of.hardware()} + ": " + std::to_string(of.metrics().size()) + " metrics, " +
            std::to_string(state.passes_needed) + (state.passes_needed == 1 ? " pass, " : " passes, ") +
            std::to_string(state.replay_passes) + (state.replay_passes == 1 ? " replay pass\n" : " replay passes\n");
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string const pad(widths[i] - row[i].size(), ' ');
            bool const right = i == 1 || i == 3;
            line += (i == 0 ? "" : "  ") + (right ? pad + row[i] : row[i] + pad);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    for (error const& problem : state.problems) text += "incomplete: " + problem.message() + '\n';
    return text;
}

} // namespace io

// The table, on a stream the caller has included the header of.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, report const& of) {
    return out << io::table(of);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TABLE_HPP
