// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_table_text.hpp.
#ifndef GPUPROF_IO_MEMORY_TABLE_TEXT_INL_HPP
#define GPUPROF_IO_MEMORY_TABLE_TEXT_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../core/counted.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "memory_table_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE std::string text(explain::table_cell const& of) {
    if (of.kind == explain::cell_kind::unused) return "-";
    if (of.kind == explain::cell_kind::with_above) return "above";
    if (!of.value.number) return "n/a";
    double number = *of.value.number;
    if (std::fabs(number) < 1e6) number = std::round(number * 100) / 100; // quotients and percentages
    else number = std::round(number);
    return gpuprof::detail::grouped_number(number);
}

GPUPROF_INLINE std::string table(explain::memory_table_values const& of, std::size_t columns) {
    using gpuprof::detail::joined;
    std::string made = joined({of.table->title, "\n"});
    if (of.rows.empty()) return made + "n/a: this chip does not have it\n";
    std::size_t label = 0;
    for (explain::table_row const* const row : of.rows) label = std::max(label, row->title.size());
    for (std::size_t first = 0; first < of.columns.size();) {
        std::size_t width = label, last = first;
        for (; last < of.columns.size(); ++last) {
            std::size_t wide = of.columns[last]->title.size();
            for (std::size_t row = 0; row < of.rows.size(); ++row) wide = std::max(wide, text(of.at(row, last)).size());
            if (width + 2 + wide > columns && last > first) break;
            width += 2 + wide;
        }
        std::vector<std::string> cells{""};
        for (std::size_t column = first; column < last; ++column) cells.emplace_back(of.columns[column]->title);
        for (std::size_t row = 0; row < of.rows.size(); ++row) {
            cells.emplace_back(of.rows[row]->title);
            for (std::size_t column = first; column < last; ++column) cells.push_back(text(of.at(row, column)));
        }
        made += detail::aligned(cells, std::string{"l"}.append(last - first, 'r'));
        first = last;
    }
    std::size_t missing = 0;
    explain::table_cell const* example = nullptr;
    for (explain::table_cell const& each : of.cells)
        if (each.kind == explain::cell_kind::value && each.value.missing) {
            ++missing;
            if (example == nullptr) example = &each;
        }
    if (example != nullptr) {
        gpuprof::detail::append_wrapped(made,
                                        joined({std::to_string(missing), missing == 1 ? " cell is" : " cells are",
                                                " n/a, the first because ", example->value.missing->message()}),
                                        0, 2, columns);
        made += '\n';
    }
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_MEMORY_TABLE_TEXT_INL_HPP
