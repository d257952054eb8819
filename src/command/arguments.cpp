// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include <gpuprof/metric/nearest.hpp>
#include <gpuprof/text/printable.hpp>

#include "commands.hpp"

namespace gpuprof::command {

void refuse(int status, std::string const& text) {
    std::fputs(("gpuprof: " + text + '\n').c_str(), stderr);
    std::exit(status);
}

std::string perhaps(std::string_view word, std::span<std::string_view const> names) {
    std::string const found = gpuprof::detail::perhaps(word, names);
    return found.empty() ? found : "; " + found;
}

namespace {

// "leave or flush", "text, csv, json or none"
std::string one_of(std::vector<std::string_view> const& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += std::string{i == 0 ? "" : i + 1 == words.size() ? " or " : ", "}.append(words[i]);
    return text;
}

option_row const& option_named(command_row const& row, std::string_view name) {
    for (option_row const& each : row.options)
        if (each.name == name) return each;
    std::vector<std::string_view> names{help_option.name};
    for (option_row const& each : row.options) names.push_back(each.name);
    refuse("there is no option " + gpuprof::detail::printable(name) + perhaps(name, names) + "; gpuprof " +
           std::string{row.name} + " --help shows those there are");
}

void check_choice(option_row const& option, std::string_view word) {
    auto const choices = list_parts(option.choices, ' ');
    if (choices.empty() || std::ranges::find(choices, word) != choices.end()) return;
    refuse(std::string{option.name} + " is " + one_of(choices) + ", not " + gpuprof::detail::printable(word) +
           perhaps(word, choices));
}

} // namespace

arguments::arguments(command_row const& row, std::span<char* const> words) : row_{&row} {
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string_view const word = words[i];
        bool const is_end = word == "--";
        if (is_end || word.size() < 2 || word[0] != '-') {
            if (!is_end) operands_.emplace_back(word);
            if (!is_end && row.kind != operand_kind::program) continue;
            operands_.insert(operands_.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            return;
        }
        std::size_t const equals = word.find('=');
        std::string_view const name = word.substr(0, equals);
        if (name == help_option.name || name == "-h") {
            given_.emplace_back(help_option.name, "");
            return;
        }
        option_row const& option = option_named(row, name);
        if (option.word.empty() && equals != word.npos) refuse(std::string{name} + " takes no word");
        std::string_view value;
        if (!option.word.empty()) {
            if (equals == word.npos && i + 1 == words.size()) refuse(std::string{name} + " needs a word after it");
            value = equals != word.npos ? word.substr(equals + 1) : std::string_view{words[++i]};
            check_choice(option, value);
        }
        given_.emplace_back(option.name, value);
    }
}

std::optional<std::string> arguments::find(std::string_view option) const {
    for (auto each = given_.rbegin(); each != given_.rend(); ++each)
        if (each->first == option) return each->second;
    return {};
}

std::vector<std::string> arguments::each(std::string_view option) const {
    std::vector<std::string> words;
    for (auto const& [name, word] : given_)
        if (name == option) words.push_back(word);
    return words;
}

std::string arguments::word(std::string_view option) const {
    if (auto const given = find(option)) return *given;
    for (option_row const& each : row_->options)
        if (each.name == option && !each.choices.empty()) return std::string{list_parts(each.choices, ' ').front()};
    return {};
}

std::optional<std::size_t> arguments::number(std::string_view option, std::size_t least, std::size_t most) const {
    auto const text = find(option);
    if (!text) return {};
    std::size_t number = 0;
    auto const [end, fault] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (fault != std::errc{} || end != text->data() + text->size() || number < least || number > most)
        refuse(std::string{option} + " is a number from " + std::to_string(least) + " to " + std::to_string(most) +
               ", not " + gpuprof::detail::printable(*text));
    return number;
}

} // namespace gpuprof::command
