// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a cell of CSV (RFC 4180).
#ifndef GPUPROF_IO_CSV_CELL_HPP
#define GPUPROF_IO_CSV_CELL_HPP

#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"
#include "../text/json_text.hpp" // utf8_length

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// Whether a spreadsheet takes a cell for a formula: text that begins with one of = + - @ and is no
// number.
[[nodiscard]] inline bool reads_as_formula(std::string_view cell) noexcept {
    constexpr std::string_view begins{"=+-@"};
    if (cell.empty() || begins.find(cell.front()) == begins.npos) return false;
    return cell.size() < 2 || cell.find_first_not_of("0123456789.eE+-", 1) != cell.npos || cell.front() == '=';
}

} // namespace detail

// Writes a cell; adds quotes where necessary and doubles quotes in it. A byte 0, and each byte that
// is no UTF-8, is written as U+FFFD, as in JSON. Before what a spreadsheet would compute stands a '.
template <class Text>
void write_csv_cell(Text& to, std::string_view cell) {
    bool const quoted = cell.find_first_of(",\"\r\n") != cell.npos;
    if (quoted) to.text("\"");
    if (detail::reads_as_formula(cell)) to.text("'");
    std::size_t plain = 0; // the first character that is not written yet
    for (std::size_t at = 0; at < cell.size();) {
        std::size_t const length = cell[at] == '\0' ? 0 : gpuprof::detail::utf8_length(cell, at);
        bool const quote = cell[at] == '"';
        at += length == 0 ? 1 : length;
        if (length != 0 && !quote) continue;
        to.text(cell.substr(plain, at - plain - (quote ? 0 : 1)));
        to.text(quote ? "\"" : "\xef\xbf\xbd");
        plain = at;
    }
    to.text(cell.substr(plain));
    if (quoted) to.text("\"");
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_CSV_CELL_HPP
