// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligns text in columns.
#ifndef GPUPROF_IO_ALIGNED_HPP
#define GPUPROF_IO_ALIGNED_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// Writes cells, row by row, with two blanks between columns. `columns` has a letter a column: l for
// left-aligned, r for right-aligned.
[[nodiscard]] inline std::string aligned(std::vector<std::string> const& cells, std::string_view columns) {
    std::vector<std::size_t> widths(columns.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].size() > widths[i % columns.size()]) widths[i % columns.size()] = cells[i].size();
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::size_t const column = i % columns.size();
        std::size_t const pad = widths[column] - cells[i].size();
        bool const right = columns[column] == 'r';
        if (right) text.append(pad, ' ');
        text += cells[i];
        if (!right) text.append(pad, ' ');
        if (column + 1 < columns.size()) {
            text += "  ";
        } else {
            text.erase(text.find_last_not_of(' ') + 1);
            text += '\n';
        }
    }
    return text;
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ALIGNED_HPP
