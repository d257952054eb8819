// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the table of commands. Parsing, help, the man page and shell completion are made from them.
#ifndef GPUPROF_SRC_COMMAND_COMMAND_ROW_HPP
#define GPUPROF_SRC_COMMAND_COMMAND_ROW_HPP

#include <span>
#include <string_view>

namespace gpuprof::command {

class arguments;

struct option_row {
    std::string_view name;         // "--chip"
    std::string_view word;         // "CHIP", which follows the name; empty for an option without a word
    std::string_view meaning;      // a sentence
    std::string_view choices = {}; // "text csv json none": the only words that it takes, the default first; empty: any
    std::string_view offered = {}; // words that completion offers where any is taken
};

struct status_row {
    std::string_view status; // "2", or in words
    std::string_view meaning;
};

// What follows the options.
enum class operand_kind : unsigned char {
    words,   // options may stand among them
    program, // a program and its arguments, which are not read
    files,   // as words; a shell completes names of files
    commands // as words; a shell completes names of commands
};

struct command_row {
    std::string_view name;     // "run"
    std::string_view operands; // "[--] PROGRAM [ARGUMENTS]"
    operand_kind kind;
    std::string_view summary; // less than a line
    std::string_view
        description; // paragraphs with an empty line between them; lines that begin with blanks stay as they are
    std::span<option_row const> options;
    std::span<status_row const> statuses;
    std::string_view first_words; // that the first operand is one of; empty: any
    int (*run)(arguments const&); // returns the exit status
};

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_COMMAND_ROW_HPP
