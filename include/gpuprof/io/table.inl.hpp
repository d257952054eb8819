// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of table.hpp. Layer: write out.
#ifndef GPUPROF_IO_TABLE_INL_HPP
#define GPUPROF_IO_TABLE_INL_HPP

#include <cstddef>     // std::size_t
#include <cstdio>      // numbers to text
#include <string>      // the table
#include <string_view> // cells
#include <vector>      // cells

#include "../core/printable.hpp"
#include "../core/unit_symbol.hpp"
#include "table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_DEFINE std::string number(double value) {
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

namespace detail {

// A table of five columns being made: cells as they come, a row every fifth.
GPUPROF_DECLARE [[nodiscard]] std::string aligned(std::vector<std::string> const& cells);

GPUPROF_DEFINE std::string aligned(std::vector<std::string> const& cells) {
    constexpr std::size_t columns = 5;
    std::size_t widths[columns]{};
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].size() > widths[i % columns]) widths[i % columns] = cells[i].size();
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::size_t const column = i % columns;
        std::size_t const pad = widths[column] - cells[i].size();
        bool const right = column == 1 || column == 3;
        if (right) text.append(pad, ' ');
        text += cells[i];
        if (!right) text.append(pad, ' ');
        if (column + 1 < columns) {
            text += "  ";
        } else {
            text.erase(text.find_last_not_of(' ') + 1);
            text += '\n';
        }
    }
    return text;
}

} // namespace detail

GPUPROF_DEFINE std::string table(report const& of) {
    std::vector<std::string> cells;
    auto const add = [&cells](std::string_view cell) { cells.emplace_back(cell); };
    for (char const* const head : {"range", "count", "metric", "value", "unit"}) add(head);
    for (range_view const range : of) {
        std::string shown(2 * (range.depth() - 1), ' ');
        shown += gpuprof::detail::printable(range.name());
        bool first = true;
        for (metric_info const& metric : of.metrics()) {
            auto const value = range.try_value(metric.name);
            add(first ? shown : "");
            add(first ? std::to_string(range.count()) : "");
            add(metric.name);
            add(value ? number(value->value) : "not collected");
            unit_symbol const unit{metric.value_unit};
            bool const mean = range.count() > 1 && metric.aggregation == aggregation::mean;
            add(gpuprof::detail::joined({unit.view(), mean && !unit.view().empty() ? " " : "", mean ? "(mean)" : ""}));
            first = false;
        }
    }
    auto const& state = of.completeness();
    bool const named = of.device().find(of.chip()) != std::string_view::npos;
    std::string text = gpuprof::detail::joined(
        {of.device(), named ? "" : " (", named ? "" : of.chip(), named ? "" : ")",
         of.source() == device_source::embedded ? ", embedded GPU: not hardware" : "", ", ", of.hardware(), ": ",
         std::to_string(of.metrics().size()), " metrics, ", std::to_string(state.passes_needed),
         state.passes_needed == 1 ? " pass, " : " passes, ", std::to_string(state.replay_passes),
         state.replay_passes == 1 ? " replay pass\n" : " replay passes\n"});
    text += detail::aligned(cells);
    if (state.cache_flushes != 0)
        text += gpuprof::detail::joined({"caches: flushed ", std::to_string(state.cache_flushes),
                                         state.cache_flushes == 1 ? " time\n" : " times\n"});
    for (error const& problem : state.problems)
        text += gpuprof::detail::joined({"incomplete: ", problem.message(), "\n"});
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TABLE_INL_HPP
