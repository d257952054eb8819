// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a command line, read by a row of the table of commands.
#ifndef GPUPROF_SRC_COMMAND_ARGUMENTS_HPP
#define GPUPROF_SRC_COMMAND_ARGUMENTS_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/text/list_parts.hpp>

#include "command_row.hpp"

namespace gpuprof::command {

inline constexpr int wrong_use = 2; // the exit status

// Prints "gpuprof: text" on the standard error output, and ends the process.
[[noreturn]] void refuse(int status, std::string const& text);
[[noreturn]] inline void refuse(std::string const& text) { refuse(wrong_use, text); }

// "; perhaps --chip", or nothing if none of the names is like the word.
[[nodiscard]] std::string perhaps(std::string_view word, std::span<std::string_view const> names);

using gpuprof::detail::list_parts;

class arguments {
public:
    // Refuses, before anything else happens, unknown options, options without their word, and words that are none of an
    // option's choices. An option takes its word after a blank or an equals sign; of several, the last counts; "--" ends them.
    arguments(command_row const& row, std::span<char* const> words);

    [[nodiscard]] bool has(std::string_view option) const { return find(option).has_value(); }
    [[nodiscard]] std::optional<std::string> find(std::string_view option) const;
    // The words of an option that may be given several times, in their order.
    [[nodiscard]] std::vector<std::string> each(std::string_view option) const;
    // The word of an option; the first of its choices, or an empty one, if it was not given.
    [[nodiscard]] std::string word(std::string_view option) const;
    // A whole number in that range. Refuses another word.
    [[nodiscard]] std::optional<std::size_t> number(std::string_view option, std::size_t least, std::size_t most) const;
    [[nodiscard]] std::vector<std::string> const& operands() const noexcept { return operands_; }
    [[nodiscard]] std::string operand(std::size_t index) const {
        return index < operands_.size() ? operands_[index] : std::string{};
    }

private:
    command_row const* row_;
    std::vector<std::pair<std::string_view, std::string>> given_;
    std::vector<std::string> operands_;
};

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_ARGUMENTS_HPP
