// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a cell of CSV (RFC 4180).
#ifndef GPUPROF_IO_CSV_CELL_HPP
#define GPUPROF_IO_CSV_CELL_HPP

#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Writes a cell; adds quotes where necessary and doubles quotes in it.
template <class Text>
void write_csv_cell(Text& to, std::string_view cell) {
    if (cell.find_first_of(",\"\r\n") == cell.npos) {
        to.text(cell);
        return;
    }
    to.text("\"");
    for (std::size_t quote; (quote = cell.find('"')) != cell.npos; cell.remove_prefix(quote + 1)) {
        to.text(cell.substr(0, quote + 1));
        to.text("\"");
    }
    to.text(cell);
    to.text("\"");
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_CSV_CELL_HPP
