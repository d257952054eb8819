// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "body.hpp"
#include "cursor.hpp"
#include "declaration.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Parses the declarations of a module; a body_parser parses the bodies of its functions.
class module_parser {
public:
    explicit module_parser(std::string_view text) : text_{std::make_shared<std::string const>(text)}, in_{*text_} {
        std::vector<std::uint32_t> unused;
        names_.open(unused);
        module_.text = text_;
    }

    result<parsed_module> parse() && {
        bool good = true;
        while (good && !in_.at_end()) good = statement();
        if (good && !versioned_) good = in_.unexpected(".version");
        if (!good) return *in_.take_fault();
        return std::move(module_);
    }

private:
    bool statement() {
        token word;
        if (in_.accept(';')) return true;
        if (!in_.expect(token_kind::dotted, "a directive", word)) return false;
        auto const is = [&](std::string_view text) { return word.text == text; };
        if (is("version")) {
            versioned_ = true;
            return skip_token(token_kind::real, "a version");
        }
        if (is("target")) return target();
        if (is("address_size")) return address_size();
        if (is("file")) return file();
        if (is("section")) return section();
        if (is("pragma") || is("alias")) return skip_statement();
        if (is("loc")) return in_.fail(word.at, ".loc outside a function");
        linkage_ = linkage::local;
        while (is("visible") || is("extern") || is("weak") || is("common")) {
            linkage_ = is("visible") ? linkage::visible : is("extern") ? linkage::external : linkage::weak;
            if (!in_.expect(token_kind::dotted, "a declaration", word)) return false;
        }
        if (is("global")) return variables(space::global);
        if (is("const")) return constants();
        if (is("shared")) return variables(space::shared);
        if (is("entry")) return parse_function(true);
        if (is("func")) return parse_function(false);
        return in_.fail(word.at, "unknown directive '." + std::string{word.text} + "'");
    }

    bool skip_token(token_kind kind, std::string_view expected) {
        token t;
        return in_.expect(kind, expected, t);
    }

    bool skip_statement() {
        while (!in_.at_end() && !in_.at(';')) in_.take();
        return in_.expect(';');
    }

    bool target() {
        token t;
        if (!in_.expect(token_kind::identifier, "a target", t)) return false;
        module_.target = t.text;
        while (in_.accept(','))
            if (!skip_token(token_kind::identifier, "a target option")) return false;
        return true;
    }

    bool address_size() {
        position const at = in_.peek().at;
        std::uint64_t bits = 0;
        if (!parse_count(in_, 64, bits)) return false;
        return bits == 64 || in_.fail(at, "only 64-bit addresses are supported");
    }

    bool file() { // .file 1 "name"[, timestamp, size]
        std::uint64_t index = 0;
        token name;
        if (!parse_count(in_, 0xffffffff, index) || !in_.expect(token_kind::string, "a file name", name)) return false;
        module_.files.push_back({static_cast<std::uint32_t>(index), name.text});
        while (in_.accept(','))
            if (!skip_token(token_kind::integer, "a number")) return false;
        return true;
    }

    bool section() {
        while (!in_.at_end() && !in_.at('{')) in_.take();
        return in_.at('{') ? in_.skip_block() : in_.unexpected("'{'");
    }

    // .const[bank] of early PTX names the bank; one bank is all there is now.
    bool constants() {
        if (in_.accept('[')) {
            in_.take();
            if (!in_.expect(']')) return false;
        }
        return variables(space::constant);
    }

    bool variables(space where) {
        declaration_head head;
        if (!parse_declaration_head(in_, head)) return false;
        do {
            variable v;
            if (!parse_variable(in_, head, where, v)) return false;
            v.linkage = linkage_;
            names_.add(v.name, {named::kind::module_variable, static_cast<std::uint32_t>(module_.variables.size()), 0});
            module_.variables.push_back(std::move(v));
        } while (in_.accept(','));
        return in_.expect(';');
    }

    bool parse_function(bool is_entry) {
        function f;
        f.is_entry = is_entry;
        f.linkage = linkage_;
        auto const outside = names_.depth();
        std::vector<std::uint32_t> unused;
        names_.open(unused); // of the parameters
        body_parser body{in_, names_, f};
        if (!is_entry && in_.accept('(') && !parameters(body, f, f.outputs, f.register_outputs)) return false;
        token name;
        if (!in_.expect(token_kind::identifier, "a function's name", name)) return false;
        f.name = name.text;
        f.at = name.at;
        if (in_.accept('(') && !parameters(body, f, f.inputs, f.register_inputs)) return false;
        if (!attributes(f.bounds)) return false;
        if (in_.at('{')) {
            f.has_body = true;
            if (!body.parse()) return false;
        } else if (!in_.expect(';')) {
            return false;
        }
        while (names_.depth() > outside) names_.close();
        keep(std::move(f));
        return true;
    }

    bool parameters(body_parser& body, function& f, std::vector<std::uint32_t>& in_memory,
                    std::vector<std::uint32_t>& in_registers) {
        while (!in_.accept(')')) {
            token word;
            if (!in_.expect(token_kind::dotted, ".param or .reg", word)) return false;
            auto const variables = f.variables.size();
            auto const registers = f.registers.size();
            if (word.text == "param") {
                declaration_head head;
                variable v;
                if (!parse_declaration_head(in_, head) || !parse_variable(in_, head, space::param, v)) return false;
                names_.add(v.name, {named::kind::function_variable, static_cast<std::uint32_t>(variables), 0});
                f.variables.push_back(std::move(v));
                in_memory.push_back(static_cast<std::uint32_t>(variables));
            } else if (word.text == "reg") {
                if (!body.registers()) return false;
                in_registers.push_back(static_cast<std::uint32_t>(registers));
            } else {
                return in_.fail(word.at, "expected .param or .reg");
            }
            if (!in_.at(')') && !in_.expect(',')) return false;
        }
        return true;
    }

    bool attributes(launch_bounds& out) {
        while (in_.peek().kind == token_kind::dotted) {
            token const word = in_.take();
            std::uint64_t n = 0;
            if (word.text == "maxntid" || word.text == "reqntid" || word.text == "reqnctapercluster") {
                auto& threads = word.text == "maxntid"   ? out.max_threads
                                : word.text == "reqntid" ? out.required_threads
                                                         : out.required_cluster;
                int axis = 0;
                do {
                    if (axis == 3) return in_.fail(word.at, "'." + std::string{word.text} + "' has three dimensions");
                    if (!parse_count(in_, 0xffff, n)) return false;
                    threads[axis++] = static_cast<std::uint32_t>(n);
                } while (in_.accept(','));
                while (axis < 3) threads[axis++] = 1;
            } else if (word.text == "minnctapersm" || word.text == "maxnreg" || word.text == "maxnctapersm") {
                if (!parse_count(in_, 0xffff, n)) return false;
                if (word.text == "minnctapersm") out.min_ctas = static_cast<std::uint32_t>(n);
                if (word.text == "maxnreg") out.max_registers = static_cast<std::uint32_t>(n);
            } else if (word.text == "pragma") {
                if (!skip_token(token_kind::string, "a string") || !in_.expect(';')) return false;
            } else if (word.text == "attribute") {
                while (!in_.at_end() && !in_.at(')')) in_.take();
                if (!in_.expect(')')) return false;
            } else if (word.text == "explicitcluster") {
                out.explicit_cluster = true;
            } else if (word.text == "blocksareclusters") {
                out.grid_counts_clusters = true;
            } else { // .noreturn, .maxclusterrank 8: nothing the embedded GPU acts on
                while (in_.peek().kind == token_kind::integer || in_.at(',')) in_.take();
            }
        }
        return true;
    }

    // A definition takes its prototype's place.
    void keep(function&& f) {
        auto const [known, added] = function_numbers_.try_emplace(f.name, module_.functions.size());
        if (added) module_.functions.push_back(std::move(f));
        else if (f.has_body) module_.functions[known->second] = std::move(f);
    }

    std::shared_ptr<std::string const> text_;
    cursor in_;
    scope_stack names_;
    parsed_module module_;
    std::unordered_map<std::string_view, std::size_t> function_numbers_;
    linkage linkage_ = linkage::local;
    bool versioned_ = false;
};

result<parsed_module> parse(std::string_view text) { return module_parser{text}.parse(); }

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
