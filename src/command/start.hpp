// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a program, in place of this process or beside it.
#ifndef GPUPROF_SRC_COMMAND_START_HPP
#define GPUPROF_SRC_COMMAND_START_HPP

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuprof::command {

// Refuses a program that is not there with a shell's 127, and what cannot be run with 126.
void check_program(std::vector<std::string> const& words, std::string_view command);

void set_variable(char const* name, std::string const& value);
void unset_variable(char const* name);

// The program, and those it starts, find the embedded GPU in place of the machine's. @param chip empty: as the environment says
void set_embedded(std::string const& chip);

// Replaces this process by the program. @pre check_program
[[noreturn]] void start(std::vector<std::string> const& words);

// Runs the program beside this process, which waits for its end. @return its exit status, or 128 and the number of the signal
// that ended it @pre check_program @param must_end asked a few times a second; once it is true, the program is ended @param again
// of a program that ran before: where in its standard input it began to read; it reads from there, or nothing if that is -1, and
// what it prints on its standard output is dropped
[[nodiscard]] int run_to_end(std::vector<std::string> const& words, std::function<bool()> const& must_end = {},
                             std::optional<long> again = {});

// A path that holds if the program goes to another folder.
[[nodiscard]] std::string absolute(std::string const& path);

// The same of a pattern as injection/file_name.hpp has it: the name of the working directory is none.
[[nodiscard]] std::string pattern_here(std::string const& file);

// Creates the file, or empties it. Refuses what cannot be written: this is not found out after hours.
void empty_file(std::string const& path);

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_START_HPP
