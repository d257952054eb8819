// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Completion of commands, options and their words for bash and zsh.
#include <string>
#include <string_view>

#include "commands.hpp"
#include "help.hpp"

namespace gpuprof::command {
namespace {

// Text within single quotes of a shell.
std::string quoted(std::string_view text) {
    std::string safe;
    for (char const c : text) safe += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return '\'' + safe + '\'';
}

// The text of an option in _arguments, where brackets and colons mean something.
std::string escaped(std::string_view text) {
    std::string safe;
    for (char const c : text) safe += (c == '[' || c == ']' || c == ':' || c == '\\' ? std::string{"\\"} : "") + c;
    return safe;
}

std::string words_of(command_row const& of) {
    if (of.kind != operand_kind::commands) return std::string{of.first_words};
    std::string names;
    for (command_row const& each : commands) names += (names.empty() ? "" : " ") + std::string{each.name};
    return names;
}

bool takes_file(option_row const& option) { return option.word == "FILE"; }
std::string_view words_of(option_row const& option) { return option.choices.empty() ? option.offered : option.choices; }

} // namespace

std::string bash_completion() {
    std::string names;
    for (command_row const& each : commands) names += std::string{each.name} + ' ';
    std::string text = "# bash completion of gpuprof\n"
                       "_gpuprof() {\n"
                       "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} i\n"
                       "    COMPREPLY=()\n"
                       "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                       "        COMPREPLY=($(compgen -W '" +
                       names +
                       "--version --help' -- \"$cur\"))\n        return\n    fi\n"
                       "    case ${COMP_WORDS[1]} in\n";
    for (command_row const& each : commands) {
        std::string options = "--help";
        std::string words; // of options
        std::string with_word;
        for (option_row const& option : each.options) {
            options += ' ' + std::string{option.name};
            if (option.word.empty()) continue;
            with_word += (with_word.empty() ? "" : "|") + std::string{option.name};
            words += "            " + std::string{option.name} + ") COMPREPLY=($(compgen " +
                     (takes_file(option) ? std::string{"-f"} : "-W " + quoted(words_of(option))) +
                     " -- \"$cur\")); return ;;\n";
        }
        text += "    " + std::string{each.name} + ")\n";
        if (each.kind == operand_kind::program) // the words after the program are the program's
            text += "        for ((i = 2; i < COMP_CWORD; ++i)); do\n"
                    "            case ${COMP_WORDS[i]} in\n"
                    "            " +
                    with_word +
                    ") ((++i)) ;;\n"
                    "            --) _command_offset $((i + 1)) 2>/dev/null; return ;;\n"
                    "            -*) ;;\n"
                    "            *) _command_offset \"$i\" 2>/dev/null; return ;;\n"
                    "            esac\n        done\n";
        if (!words.empty()) text += "        case $prev in\n" + words + "        esac\n";
        std::string const operands = each.kind == operand_kind::program ? "-c -f"
                                     : each.kind == operand_kind::files ? "-f"
                                                                        : "-W " + quoted(words_of(each));
        text += "        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '" + options +
                "' -- \"$cur\"))\n        else COMPREPLY=($(compgen " + operands + " -- \"$cur\")); fi\n        ;;\n";
    }
    return text + "    esac\n}\ncomplete -o filenames -F _gpuprof gpuprof\n";
}

std::string zsh_completion() {
    std::string text = "#compdef gpuprof\n_gpuprof() {\n    if ((CURRENT == 2)); then\n        local -a list=(\n";
    for (command_row const& each : commands)
        text += "            " + quoted(std::string{each.name} + ':' + escaped(each.summary)) + '\n';
    text += "        )\n        _describe command list\n        return\n    fi\n"
            "    local name=$words[2]\n    shift words\n    ((CURRENT--))\n    case $name in\n";
    for (command_row const& each : commands) {
        text += "    " + std::string{each.name} + ")\n        _arguments \\\n            '--help[" +
                escaped(help_option.meaning) + "]' \\\n";
        for (option_row const& option : each.options) {
            std::string spec = std::string{option.name} + '[' + escaped(option.meaning) + ']';
            if (!option.word.empty())
                spec += ':' + std::string{option.word} + ':' +
                        (takes_file(option)         ? std::string{"_files"}
                         : words_of(option).empty() ? std::string{" "}
                                                    : '(' + std::string{words_of(option)} + ')');
            text += "            " + quoted(spec) + " \\\n";
        }
        if (each.kind == operand_kind::program)
            text += "            '(-):program: _command_names -e' '*::arguments: _normal'\n";
        else if (each.kind == operand_kind::files) text += "            '*:file:_files'\n";
        else text += "            '1:word:(" + words_of(each) + ")' '*: : '\n";
        text += "        ;;\n";
    }
    return text + "    esac\n}\n_gpuprof \"$@\"\n";
}

} // namespace gpuprof::command
