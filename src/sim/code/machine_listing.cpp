// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_listing.hpp"

#include <cstddef>
#include <optional>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) noexcept {
    std::size_t const begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view take_word(std::string_view& text) noexcept {
    std::size_t const end = text.find_first_of(blanks);
    std::string_view const word = text.substr(0, end);
    text = end == text.npos ? std::string_view{} : trimmed(text.substr(end));
    return word;
}

// `.L_x_3 of "`(.L_x_3)".
std::string_view label_in(std::string_view operands) noexcept {
    std::size_t const begin = operands.find("`(");
    if (begin == operands.npos) return {};
    std::string_view const rest = operands.substr(begin + 2);
    return rest.substr(0, rest.find(')'));
}

// A kernel that is being read: its labels go by what stands behind them.
struct open_function {
    std::string name;
    machine_function code;
    std::map<std::string, std::uint32_t, std::less<>> labels;
    std::vector<std::pair<std::uint32_t, std::string>> branches; // and where they go
    bool is_over = false;                                        // subroutines follow

    machine_function finish() {
        for (auto const& [from, label] : branches)
            if (auto const found = labels.find(label); found != labels.end()) code[from].target = found->second + 1;
        for (std::size_t i = 0; i < code.size();
             ++i) // the branch to itself, and what fills the last line of code behind it
            if (code[i].target == i + 1) {
                code.resize(i);
                break;
            }
        for (machine_instruction& i : code)
            if (i.target > code.size()) i.target = 0; // what is cut off
        return std::move(code);
    }
};

void read_instruction(std::string_view text, open_function& to) {
    text = trimmed(text.substr(0, text.find(';')));
    if (text.starts_with('{')) text = trimmed(text.substr(1)); // one of two that issue together
    machine_instruction made;
    made.is_predicated = text.starts_with('@');
    if (made.is_predicated) take_word(text);
    if (text.empty()) return;
    made.opcode = take_word(text);
    made.calls_slow_way = made.opcode.starts_with("CALL") && text.find("$__cuda_sm") != text.npos;
    made.may_branch = made.opcode.starts_with("BRA") || made.opcode.starts_with("BRX");
    if (made.may_branch)
        if (auto const label = label_in(text); !label.empty())
            to.branches.emplace_back(static_cast<std::uint32_t>(to.code.size()), label);
    to.code.push_back(std::move(made));
}

} // namespace

machine_functions read_listing(std::string_view listing) {
    machine_functions all;
    std::optional<open_function> open;
    auto const close = [&] {
        if (open && !open->code.empty()) all.insert_or_assign(open->name, open->finish());
        open.reset();
    };
    while (!listing.empty()) {
        std::size_t const end = listing.find('\n');
        std::string_view line = trimmed(listing.substr(0, end));
        listing.remove_prefix(end == listing.npos ? listing.size() : end + 1);
        if (constexpr std::string_view section = ".section"; line.starts_with(section)) {
            close();
            line = trimmed(line.substr(section.size()));
            if (constexpr std::string_view text = ".text."; line.starts_with(text))
                open.emplace().name = line.substr(text.size(), line.find_first_of(", \t") - text.size());
        } else if (!open || open->is_over) {
            continue;
        } else if (line.starts_with("/*")) {
            if (std::size_t const begin = line.find("*/"); begin != line.npos)
                read_instruction(line.substr(begin + 2), *open);
        } else if (line.ends_with(':')) {
            std::string_view const label = line.substr(0, line.size() - 1);
            if (label.starts_with(".L_"))
                open->labels[std::string{label}] = static_cast<std::uint32_t>(open->code.size());
            else open->is_over = label != open->name && !label.starts_with(".text.");
        }
    }
    close();
    return all;
}

machine_function const* listed_module::find(std::string_view kernel) const {
    std::call_once(listed_, [this] { functions_ = read_listing(list_()); });
    auto const found = functions_.find(kernel);
    return found == functions_.end() ? nullptr : &found->second;
}

} // namespace sim
GPUPROF_NAMESPACE_END
