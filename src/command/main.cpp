// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `gpuprof` (docs/command.md).
#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>

#include <unistd.h>

#include "arguments.hpp"
#include "commands.hpp"
#include "help.hpp"
#include "libraries.hpp"
#include "terminal.hpp"

int main(int count, char** words) {
    namespace command = gpuprof::command;
    std::span<char* const> const given{words, static_cast<std::size_t>(count)};
    if (count < 2) {
        std::fputs(command::help_text(command::columns(STDERR_FILENO)).c_str(), stderr);
        return command::wrong_use;
    }
    std::string_view const name = given[1];
    if (name == "--version") {
        command::print(command::version_text() + '\n');
        return 0;
    }
    if (name == "--print-libraries") {
        command::print(command::embedded_libraries() + '\n');
        return 0;
    }
    if (name == "--help" || name == "-h") {
        command::print(command::help_text(command::columns(STDOUT_FILENO)));
        return 0;
    }
    command::command_row const& row = command::command_named(name);
    command::arguments const arguments{row, given.subspan(2)};
    if (arguments.has(command::help_option.name)) {
        command::print(command::help_text(row, command::columns(STDOUT_FILENO)));
        return 0;
    }
    return row.run(arguments);
}
