// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The man page, in the macros of man(7).
#include <string>
#include <string_view>

#include "commands.hpp"
#include "help.hpp"

namespace gpuprof::command {
namespace {

// As words of roff: hyphens that stay hyphens, no line that begins a request.
std::string roff(std::string_view text) {
    std::string safe;
    for (char const c : text) {
        if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
        if (c == '\\') safe += "\\e";
        else if (c == '-') safe += "\\-";
        else safe += c;
    }
    return safe;
}

std::string tagged(std::string const& tag, std::string_view text) { return ".TP\n" + tag + '\n' + roff(text) + '\n'; }

std::string section(command_row const& of) {
    std::string text = ".SS gpuprof " + roff(of.name) + (of.options.empty() ? "" : " [OPTIONS]") + ' ' +
                       roff(of.operands) + "\n" + roff(of.summary) + ".\n";
    std::string_view rest = of.description;
    bool listed = false;
    if (!rest.empty() && !rest.starts_with("  ")) text += ".PP\n";
    while (!rest.empty()) {
        std::size_t const end = rest.find('\n');
        std::string_view const line = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
        if (line.starts_with("  ") && !listed) text += ".PP\n.nf\n";
        if (!line.starts_with("  ") && listed) text += ".fi\n";
        listed = line.starts_with("  ");
        text += line.empty() ? ".PP\n" : roff(line) + '\n';
    }
    if (listed) text += ".fi\n";
    for (option_row const& each : of.options)
        text +=
            tagged("\\fB" + roff(each.name) + "\\fR" + (each.word.empty() ? "" : " \\fI" + roff(each.word) + "\\fR"),
                   each.meaning);
    text += ".PP\nExit status:\n";
    for (status_row const& each : of.statuses) text += tagged(roff(each.status), each.meaning);
    return text;
}

} // namespace

std::string man_page() {
    std::string text =
        ".TH GPUPROF 1 \"\" \"" + version_text() +
        "\" \"User Commands\"\n.SH NAME\ngpuprof \\- counters and traces of programs for NVIDIA GPUs\n"
        ".SH SYNOPSIS\n.B gpuprof\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n.B gpuprof \\-\\-version\n"
        ".SH DESCRIPTION\nAn option takes its word after a blank or an equals sign. Lines are as wide as "
        "the terminal, and 100 columns at most.\n.SH COMMANDS\n";
    for (command_row const& each : commands) text += section(each);
    text += ".SH ENVIRONMENT\n" + tagged("COLUMNS", "the width of lines, in place of the terminal's") +
            tagged("NO_COLOR", "if it is set, nothing is coloured") +
            tagged("GPUPROF_DEVICE", "of doctor and query: the device, such as cuda:1");
    return text;
}

} // namespace gpuprof::command
