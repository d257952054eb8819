// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_table_values.hpp.
#ifndef GPUPROF_EXPLAIN_MEMORY_TABLE_VALUES_INL_HPP
#define GPUPROF_EXPLAIN_MEMORY_TABLE_VALUES_INL_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/counted.hpp"
#include "../measure/doubtful.hpp"
#include "chip_of.hpp"
#include "memory_table_values.hpp"
#include "value_sum.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
using gpuprof::detail::joined;

// Makes the cells of one table.
class table_maker {
public:
    table_maker(memory_table const& table, range_view const& range, compute_capability chip)
        : table_{table}, range_{range}, chip_{chip} {
        std::size_t next = 0;
        for (table_column const& column : table.columns) places_.push_back(column.of < 0 ? next++ : next);
    }

    [[nodiscard]] table_cell make(std::size_t row, std::size_t column) const {
        table_column const& of = table_.columns[column];
        table_cell made = of.of < 0 ? plain(row, column) : calculated(row, of);
        made.value.value_unit = of.unit;
        if (made.value.number && of.unit == percent_unit && *made.value.number > gpuprof::detail::most_percent)
            refuse(made,
                   error{errc::not_collected, 0, of.title,
                         joined({gpuprof::detail::grouped_number(*made.value.number),
                                 " % is impossible: its parts were counted in passes that do not belong together"}),
                         "measure longer work"});
        return made;
    }

private:
    static void refuse(table_cell& cell, error why) {
        cell.value.number.reset();
        cell.value.missing = std::move(why);
    }
    [[nodiscard]] table_cell plain(std::size_t row, std::size_t column) const {
        table_row const& of = table_.rows[row];
        char const* const metric = of.cells[places_[column]];
        table_cell made;
        if (metric == nullptr) return of.sum_of == 0 ? made : sum(of.sum_of, column);
        if (*metric == *above) {
            made.kind = cell_kind::with_above;
            return made;
        }
        made.kind = cell_kind::value;
        made.calculation = metric;
        made.value = value_of(section_row{{}, metric}, range_);
        return made;
    }
    [[nodiscard]] table_cell sum(unsigned rows, std::size_t column) const {
        table_cell made;
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            if ((rows >> row & 1u) == 0 || !table_.rows[row].is_for(chip_)) continue;
            table_cell part = plain(row, column);
            if (part.kind != cell_kind::value) continue;
            made.kind = cell_kind::value;
            if (!made.calculation.empty()) made.calculation += " + ";
            made.calculation += part.calculation;
            add(made.value, std::move(part.value));
        }
        return made;
    }
    // A part in brackets where it is a sum.
    [[nodiscard]] static std::string in_brackets(std::string const& part) {
        return part.find(' ') == part.npos ? part : joined({"(", part, ")"});
    }
    [[nodiscard]] table_cell calculated(std::size_t row, table_column const& column) const {
        table_cell made = plain(row, static_cast<std::size_t>(column.of));
        if (made.kind != cell_kind::value) return made;
        if (column.factor != 1)
            made.calculation =
                joined({gpuprof::detail::grouped_number(column.factor), " * ", in_brackets(made.calculation)});
        if (made.value.number) *made.value.number *= column.factor;
        if (column.over >= 0) return divide(std::move(made), plain(row, static_cast<std::size_t>(column.over)), 1);
        if (!column.per_second) return made;
        table_cell time;
        time.kind = cell_kind::value;
        time.calculation = "gpu__time_duration.sum";
        time.value = value_of(section_row{{}, time.calculation}, range_);
        return divide(std::move(made), time, 1e9);
    }
    [[nodiscard]] static table_cell divide(table_cell made, table_cell const& by, double factor) {
        if (by.kind != cell_kind::value) return table_cell{};
        made.calculation = joined({made.calculation, " / ", in_brackets(by.calculation)});
        made.value.how = std::max(made.value.how, by.value.how);
        if (!made.value.number) return made;
        if (!by.value.number)
            refuse(made, by.value.missing.value_or(error{errc::not_collected, 0, by.calculation, "it is no number"}));
        else if (*by.value.number == 0)
            refuse(made, error{errc::not_collected, 0, made.calculation, joined({by.calculation, " is 0"})});
        else made.value.number = *made.value.number * factor / *by.value.number;
        return made;
    }

    memory_table const& table_;
    range_view range_;
    compute_capability chip_;
    std::vector<std::size_t> places_{}; // of each column among the plain ones
};
} // namespace detail

GPUPROF_INLINE memory_table_values values_of(memory_table const& table, range_view const& range) {
    memory_table_values made;
    made.table = &table;
    compute_capability const chip = detail::capability_of(range.report());
    if (chip < table.least) return made;
    for (table_column const& column : table.columns)
        if (column.shown) made.columns.push_back(&column);
    detail::table_maker const maker{table, range, chip};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (!table.rows[row].is_for(chip)) continue;
        made.rows.push_back(&table.rows[row]);
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            if (table.columns[column].shown) made.cells.push_back(maker.make(row, column));
    }
    return made;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEMORY_TABLE_VALUES_INL_HPP
