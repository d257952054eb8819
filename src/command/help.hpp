// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the table of commands becomes: help, the man page, and completion of shells.
#ifndef GPUPROF_SRC_COMMAND_HELP_HPP
#define GPUPROF_SRC_COMMAND_HELP_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "command_row.hpp"

namespace gpuprof::command {

// Null if there is none of that name.
[[nodiscard]] command_row const* find_command(std::string_view name) noexcept;
// Refuses an unknown name, with the nearest.
[[nodiscard]] command_row const& command_named(std::string_view name);

[[nodiscard]] std::string version_text(); // "gpuprof 1.2.3"
[[nodiscard]] std::string help_text(std::size_t width);
[[nodiscard]] std::string help_text(command_row const& of, std::size_t width);
[[nodiscard]] std::string man_page(); // in roff
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_HELP_HPP
