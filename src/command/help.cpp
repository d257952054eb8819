// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help.hpp"

#include <algorithm>
#include <vector>

#include <unistd.h>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/text/printable.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

std::string option_text(option_row const& of) {
    return std::string{of.name} + (of.word.empty() ? "" : ' ' + std::string{of.word});
}

std::string usage(command_row const& of) {
    return "gpuprof " + std::string{of.name} + (of.options.empty() ? "" : " [OPTIONS]") +
           (of.operands.empty() ? "" : ' ' + std::string{of.operands});
}

// "  --chip CHIP         the GPU that is embedded"
std::string row(std::string_view left, std::string_view right, std::size_t width) {
    constexpr std::size_t column = 22;
    std::string first = "  " + std::string{left};
    if (first.size() + 2 > column) return first + '\n' + paragraph(std::string(column, ' '), right, column, width);
    first.append(column - first.size(), ' ');
    return paragraph(first, right, column, width);
}

std::string description(std::string_view text, std::size_t width) {
    std::string shown;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view const line = text.substr(0, end);
        text = end == text.npos ? std::string_view{} : text.substr(end + 1);
        if (!line.starts_with("  ")) shown += paragraph("", line, 0, width);
        else if (std::size_t const gap = line.find("  ", 2); gap != line.npos)
            shown += row(line.substr(2, gap - 2), line.substr(line.find_first_not_of(' ', gap)), width);
        else shown += std::string{line} + '\n';
    }
    return shown;
}

} // namespace

command_row const* find_command(std::string_view name) noexcept {
    for (command_row const& each : commands)
        if (each.name == name) return &each;
    return nullptr;
}

command_row const& command_named(std::string_view name) {
    if (command_row const* const found = find_command(name)) return *found;
    std::vector<std::string_view> names;
    for (command_row const& each : commands) names.push_back(each.name);
    refuse("there is no command " + gpuprof::detail::printable(name) + perhaps(name, names) +
           "; gpuprof help shows those there are");
}

std::string version_text() {
    return "gpuprof " + std::to_string(GPUPROF_VERSION_MAJOR) + '.' + std::to_string(GPUPROF_VERSION_MINOR) + '.' +
           std::to_string(GPUPROF_VERSION_PATCH);
}

std::string help_text(std::size_t width) {
    std::string text = "gpuprof COMMAND [OPTIONS]: counters and traces of programs for NVIDIA GPUs\n\n";
    for (command_row const& each : commands) text += row(each.name, each.summary, width);
    text += '\n' + row("--version", "prints the version, and ends", width);
    text += row("--print-libraries", "as gpuprof run has it", width);
    return text + '\n' +
           paragraph("", "gpuprof COMMAND --help prints a command's options and exit statuses.", 0, width);
}

std::string help_text(command_row const& of, std::size_t width) {
    std::string text = paragraph("", usage(of), 4, width) + paragraph("", of.summary, 0, width) + '\n';
    if (!of.description.empty()) text += description(of.description, width) + '\n';
    for (option_row const& each : of.options) text += row(option_text(each), each.meaning, width);
    text += row("--help", help_option.meaning, width) + "\nexit status\n";
    for (status_row const& each : of.statuses) text += row(each.status, each.meaning, width);
    return text;
}

int help(arguments const& given) {
    std::size_t const width = columns(STDOUT_FILENO);
    if (given.has("--man")) print(man_page());
    else if (given.operands().empty()) print(help_text(width));
    else print(help_text(command_named(given.operand(0)), width));
    return 0;
}

int completion(arguments const& given) {
    std::string const shell = given.operand(0);
    if (shell != "bash" && shell != "zsh") refuse("completion is of bash or zsh: gpuprof completion bash");
    print(shell == "bash" ? bash_completion() : zsh_completion());
    return 0;
}

} // namespace gpuprof::command
