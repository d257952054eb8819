// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one PTX text of several, as a linker does for programs that were compiled file by file (nvcc -rdc=true). Layer: embedded
// GPU, front end.
#ifndef GPUPROF_HW_SIM_PTX_LINK_HPP
#define GPUPROF_HW_SIM_PTX_LINK_HPP

#include <cstddef>       // std::size_t
#include <cstdint>       // numbers of files
#include <span>          // texts
#include <string>        // the linked text
#include <string_view>   // statements
#include <unordered_map> // definitions by name
#include <vector>        // statements

#include "lexer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

namespace detail {

// A statement of a module: a variable, a function, or a line that tells of the text itself.
struct linked_statement {
    enum class kind : std::uint8_t { other, heading, debug_information, variable, function, file };
    std::string_view text;
    std::string_view name;
    linked_statement::kind what = kind::other;
    bool is_external = false; // declared here, defined elsewhere
    bool is_weak = false;     // one of several definitions is taken
    bool is_local = false;    // of this text alone
    bool has_body = false;
};

// Cuts a text into statements. What is malformed ends up in one of them and is found when the linked text is parsed.
class statement_reader {
public:
    explicit statement_reader(std::string_view text) noexcept : text_{text}, lexer_{text} {}

    [[nodiscard]] std::vector<linked_statement> read() {
        std::vector<linked_statement> all;
        for (ahead_ = lexer_.next(); ahead_.kind != token_kind::end;) {
            linked_statement one;
            std::size_t const begin = offset_of(ahead_);
            read_words(one);
            one.text = text_.substr(begin, offset_of(ahead_) - begin);
            all.push_back(one);
        }
        return all;
    }

private:
    [[nodiscard]] std::size_t offset_of(token const& t) const noexcept {
        if (t.kind == token_kind::end) return text_.size();
        auto const at = static_cast<std::size_t>(t.text.data() - text_.data());
        return t.kind == token_kind::dotted || t.kind == token_kind::string ? at - 1 : at; // with the dot, the quote
    }
    void take() noexcept { ahead_ = lexer_.next(); }

    // Up to the end of the line that the statement began in: .version, .target, .address_size, .file.
    void read_line(std::uint32_t line) noexcept {
        while (ahead_.kind != token_kind::end && ahead_.at.line == line) take();
    }

    void read_words(linked_statement& one) noexcept {
        using kind = linked_statement::kind;
        std::uint32_t const line = ahead_.at.line;
        bool has_linkage = false;
        int braces = 0;
        int parentheses = 0;
        while (ahead_.kind != token_kind::end) {
            token const word = ahead_;
            take();
            if (word.kind == token_kind::dotted && braces == 0 && parentheses == 0 && one.name.empty()) {
                auto const is = [&](std::string_view text) { return word.text == text; };
                if (is("version") || is("target") || is("address_size"))
                    return one.what = kind::heading, read_line(line);
                if (is("file")) return one.what = kind::file, read_line(line);
                if (is("section")) one.what = kind::debug_information;
                one.is_external = one.is_external || is("extern");
                one.is_weak = one.is_weak || is("weak") || is("common");
                has_linkage = has_linkage || is("visible") || is("extern") || is("weak") || is("common") || is("entry");
                if (is("func") || is("entry")) one.what = kind::function;
                if (is("global") || is("const") || is("shared"))
                    if (one.what == kind::other) one.what = kind::variable;
            }
            if (word.kind == token_kind::identifier && one.name.empty() && parentheses == 0 && braces == 0 &&
                (one.what == kind::variable || one.what == kind::function))
                one.name = word.text;
            one.is_local = !one.name.empty() && !has_linkage;
            if (word.is('(')) ++parentheses;
            if (word.is(')')) --parentheses;
            if (word.is('{')) ++braces;
            if (word.is('}') && --braces <= 0 && (one.what == kind::function || one.what == kind::debug_information)) {
                one.has_body = true;
                return;
            }
            if (word.is(';') && braces <= 0) return;
        }
    }

    std::string_view text_;
    lexer lexer_;
    token ahead_;
};

// Writes a statement with other names and numbers of files.
inline void write_renamed(std::string& to, std::string_view statement,
                          std::unordered_map<std::string_view, std::string> const& names, std::uint64_t first_file) {
    lexer words{statement};
    std::size_t written = 0;
    std::string_view before;
    for (token word = words.next(); word.kind != token_kind::end; word = words.next()) {
        auto const at = static_cast<std::size_t>(word.text.data() - statement.data());
        auto const replace = [&](std::string_view by) {
            to.append(statement.substr(written, at - written)).append(by);
            written = at + word.text.size();
        };
        bool const is_file = before == "loc" || before == "inlined_at" || before == "file";
        if (word.kind == token_kind::identifier) {
            if (auto const found = names.find(word.text); found != names.end()) replace(found->second);
        } else if (word.kind == token_kind::integer && is_file && first_file != 0) {
            replace(std::to_string(word.bits + first_file));
        }
        before = word.text;
    }
    to.append(statement.substr(written)).append("\n");
}

} // namespace detail

// One text of several. A name that two of them keep for themselves is renamed in the later one; of what is weak, the first
// definition is taken; declarations of what another text defines are left out. Nothing is checked: whatever is wrong, the parser
// finds in the result, in lines of it. Linear in the texts.
[[nodiscard]] inline std::string link(std::span<std::string const> texts) {
    using statement = detail::linked_statement;
    using kind = statement::kind;
    std::vector<std::vector<statement>> modules;
    for (std::string const& text : texts) modules.push_back(detail::statement_reader{text}.read());

    std::unordered_map<std::string_view, std::size_t> definitions; // the module that defines a name
    for (std::size_t i = 0; i < modules.size(); ++i)
        for (statement const& one : modules[i])
            if (!one.name.empty() && !one.is_external && (one.what == kind::variable || one.has_body))
                definitions.try_emplace(one.name, i);

    std::string header;
    std::string variables;
    std::string functions;
    std::unordered_map<std::string_view, bool> declared; // what no text defines stands once
    std::uint64_t first_file = 0;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        std::unordered_map<std::string_view, std::string> names;
        for (statement const& one : modules[i])
            if (one.is_local && definitions.contains(one.name) && definitions[one.name] != i)
                names.emplace(one.name, std::string{one.name} + "$linked" + std::to_string(i));
        std::uint64_t files = 0;
        for (statement const& one : modules[i]) {
            if (one.what == kind::debug_information) continue;
            if (one.what == kind::heading) {
                if (i == 0) header.append(one.text).append("\n");
                continue;
            }
            bool const elsewhere = !one.is_local && definitions.contains(one.name) && definitions[one.name] != i;
            if (one.what == kind::variable && elsewhere) continue;
            if (one.what == kind::function && elsewhere && (one.is_weak && one.has_body)) continue;
            if (one.what == kind::variable && one.is_external) {
                bool const is_defined = definitions.contains(one.name);
                if (is_defined || !declared.try_emplace(one.name, true).second) continue;
            }
            if (one.what == kind::file) ++files;
            std::string& to = one.what == kind::variable ? variables : functions;
            detail::write_renamed(to, one.text, names, first_file);
        }
        first_file += files == 0 ? 0 : 1000; // more than a text has
    }
    return header + variables + functions;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_LINK_HPP
