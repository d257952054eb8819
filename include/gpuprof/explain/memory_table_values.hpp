// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory tables of one range, filled in.
#ifndef GPUPROF_EXPLAIN_MEMORY_TABLE_VALUES_HPP
#define GPUPROF_EXPLAIN_MEMORY_TABLE_VALUES_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "explanation.hpp"
#include "memory_tables.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What stands in a cell.
enum class cell_kind : unsigned char {
    value,     // a number, or the reason why there is none
    unused,    // this access has no such number
    with_above // the number in the row above is of both
};

// One cell of a table.
struct table_cell {
    cell_kind kind = cell_kind::unused;
    row_value value{};         // of kind `value`; its unit is the column's
    std::string calculation{}; // the metric, or what it is calculated from: "32 * lts__t_sectors.sum"
};

// A table with the rows and columns that the range's chip has. A value: it needs the report no longer.
struct memory_table_values {
    memory_table const* table = nullptr;
    std::vector<table_column const*> columns{};
    std::vector<table_row const*> rows{};
    std::vector<table_cell> cells{}; // row by row

    // @pre row < rows.size(), column < columns.size()
    [[nodiscard]] table_cell const& at(std::size_t row, std::size_t column) const noexcept {
        return cells[row * columns.size() + column];
    }
    // Whether any cell has a number.
    [[nodiscard]] bool has_numbers() const noexcept {
        for (table_cell const& each : cells)
            if (each.value.number) return true;
        return false;
    }
};

// Calculates every cell. A cell of which a part is missing has none, and says which. A chip that does not have the table gets
// one without rows. The metrics are those of sections::memory_tables. Cost: some 200 look-ups in the report.
[[nodiscard]] memory_table_values values_of(memory_table const& table, range_view const& range);

#if !GPUPROF_ENABLED
inline memory_table_values values_of(memory_table const& table, range_view const&) {
    memory_table_values none;
    none.table = &table;
    return none;
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "memory_table_values.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_MEMORY_TABLE_VALUES_HPP
