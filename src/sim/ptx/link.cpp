// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

enum class link_kind : std::uint8_t { other, heading, debug_information, variable, function, file };

// A statement of a module: a variable, a function, or a line about the text itself.
struct linked_statement {
    std::string_view text;
    std::string_view name;
    link_kind kind = link_kind::other;
    bool is_external = false; // declared here, defined elsewhere
    bool is_weak = false;     // the first of several definitions is taken
    bool is_local = false;    // of this text alone
    bool has_body = false;
};

// Cuts a text into statements. What is malformed ends up in one of them
// and is found when the linked text is parsed.
class statement_reader {
public:
    explicit statement_reader(std::string_view text) noexcept : text_{text}, lexer_{text} {}

    [[nodiscard]] std::vector<linked_statement> read() {
        std::vector<linked_statement> all;
        for (ahead_ = lexer_.next(); ahead_.kind != token_kind::end;) {
            linked_statement statement;
            std::size_t const begin = offset_of(ahead_);
            read_words(statement);
            statement.text = text_.substr(begin, offset_of(ahead_) - begin);
            all.push_back(statement);
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

    // Up to the end of the line that the statement began in: .version, .target, .address_size,
    // .file.
    void read_line(std::uint32_t line) noexcept {
        while (ahead_.kind != token_kind::end && ahead_.at.line == line) take();
    }

    void read_words(linked_statement& statement) noexcept {
        std::uint32_t const line = ahead_.at.line;
        bool has_linkage = false;
        int braces = 0;
        int parentheses = 0;
        while (ahead_.kind != token_kind::end) {
            token const word = ahead_;
            take();
            if (word.kind == token_kind::dotted && braces == 0 && parentheses == 0 && statement.name.empty()) {
                auto const is = [&](std::string_view text) { return word.text == text; };
                if (is("version") || is("target") || is("address_size")) {
                    statement.kind = link_kind::heading;
                    return read_line(line);
                }
                if (is("file")) {
                    statement.kind = link_kind::file;
                    return read_line(line);
                }
                if (is("section")) statement.kind = link_kind::debug_information;
                statement.is_external = statement.is_external || is("extern");
                statement.is_weak = statement.is_weak || is("weak") || is("common");
                has_linkage = has_linkage || is("visible") || is("extern") || is("weak") || is("common") || is("entry");
                if (is("func") || is("entry")) statement.kind = link_kind::function;
                if (is("global") || is("const") || is("shared"))
                    if (statement.kind == link_kind::other) statement.kind = link_kind::variable;
            }
            if (word.kind == token_kind::identifier && statement.name.empty() && parentheses == 0 && braces == 0 &&
                (statement.kind == link_kind::variable || statement.kind == link_kind::function))
                statement.name = word.text;
            statement.is_local = !statement.name.empty() && !has_linkage;
            if (word.is('(')) ++parentheses;
            if (word.is(')')) --parentheses;
            if (word.is('{')) ++braces;
            if (word.is('}') && --braces <= 0 &&
                (statement.kind == link_kind::function || statement.kind == link_kind::debug_information)) {
                statement.has_body = true;
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
static void write_renamed(std::string& to, std::string_view statement,
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

std::string link(std::span<std::string const> texts) {
    std::vector<std::vector<linked_statement>> modules;
    for (std::string const& text : texts) modules.push_back(statement_reader{text}.read());

    std::unordered_map<std::string_view, std::size_t> definitions; // the module that defines a name
    for (std::size_t i = 0; i < modules.size(); ++i)
        for (linked_statement const& statement : modules[i])
            if (!statement.name.empty() && !statement.is_external &&
                (statement.kind == link_kind::variable || statement.has_body))
                definitions.try_emplace(statement.name, i);

    std::string header;
    std::string variables;
    std::string functions;
    std::unordered_map<std::string_view, bool> declared; // variables that no text defines stand once
    std::uint64_t first_file = 0;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        std::unordered_map<std::string_view, std::string> names;
        for (linked_statement const& statement : modules[i])
            if (statement.is_local && definitions.contains(statement.name) && definitions[statement.name] != i)
                names.emplace(statement.name, std::string{statement.name} + "$linked" + std::to_string(i));
        std::uint64_t files = 0;
        for (linked_statement const& statement : modules[i]) {
            if (statement.kind == link_kind::debug_information) continue;
            if (statement.kind == link_kind::heading) {
                if (i == 0) header.append(statement.text).append("\n");
                continue;
            }
            bool const elsewhere =
                !statement.is_local && definitions.contains(statement.name) && definitions[statement.name] != i;
            if (statement.kind == link_kind::variable && elsewhere) continue;
            if (statement.kind == link_kind::function && elsewhere && (statement.is_weak && statement.has_body))
                continue;
            if (statement.kind == link_kind::variable && statement.is_external) {
                bool const is_defined = definitions.contains(statement.name);
                if (is_defined || !declared.try_emplace(statement.name, true).second) continue;
            }
            if (statement.kind == link_kind::file) ++files;
            std::string& to = statement.kind == link_kind::variable ? variables : functions;
            write_renamed(to, statement.text, names, first_file);
        }
        first_file += files == 0 ? 0 : 1000; // more than a text has
    }
    return header + variables + functions;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
