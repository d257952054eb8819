// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fits the terminal.
#ifndef GPUPROF_SRC_COMMAND_TERMINAL_HPP
#define GPUPROF_SRC_COMMAND_TERMINAL_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuprof::command {

// The columns of lines: those of the terminal behind a stream (its file descriptor), or of the variable COLUMNS, 40 at least and
// 100 at most; 100 without a terminal.
[[nodiscard]] std::size_t columns(int stream);

// Whether a stream is a terminal that has colours: not with NO_COLOR or TERM=dumb.
[[nodiscard]] bool has_colours(int stream);

enum class colour : char { red = '1', green = '2', yellow = '3' };

// The text in a colour, or as it is.
[[nodiscard]] std::string coloured(std::string_view text, colour in, bool shown);

// A paragraph in lines of `width`. The first line begins with `first`, which takes that many columns as it is long; the others
// with `indent` blanks. Ends with a line break.
[[nodiscard]] std::string paragraph(std::string_view first, std::string_view words, std::size_t indent,
                                    std::size_t width);

// Writes to the standard output.
void print(std::string const& text);

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_TERMINAL_HPP
