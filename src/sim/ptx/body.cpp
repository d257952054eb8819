// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "body.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "instruction_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

bool body_parser::parse() {
    auto const outside = names_.depth();
    if (!in_.expect('{')) return false;
    open_scope();
    while (names_.depth() > outside) {
        if (in_.at_end()) return in_.unexpected("'}'");
        if (!statement()) recover();
    }
    return true;
}

bool body_parser::registers() {
    declaration_head head;
    if (!parse_declaration_head(in_, head)) return false;
    do {
        token name;
        if (!in_.expect(token_kind::identifier, "a register's name", name)) return false;
        std::uint64_t count = 1;
        bool const family = in_.accept('<');
        if (family && (!parse_count(in_, max_registers, count) || !in_.expect('>'))) return false;
        if (head.vector != 1) return in_.not_supported(name.at, "vector registers are not supported");
        if (function_.registers.size() + count > max_registers) return in_.not_supported(name.at, "too many registers");
        auto const first = static_cast<std::uint32_t>(function_.registers.size());
        function_.registers.resize(first + count, register_variable{name.text, head.type});
        if (names_.declares(name.text)) return redeclared(name);
        names_.add(name.text,
                   {family ? named::kind::family : named::kind::reg, first, static_cast<std::uint32_t>(count)});
    } while (in_.accept(','));
    return true;
}

bool body_parser::variables(space where) {
    declaration_head head;
    if (!parse_declaration_head(in_, head)) return false;
    do {
        variable v;
        if (!parse_variable(in_, head, where, v)) return false;
        if (names_.declares(v.name)) return in_.fail(v.at, twice(v.name));
        names_.add(v.name, {named::kind::function_variable, static_cast<std::uint32_t>(function_.variables.size()), 0});
        function_.variables.push_back(std::move(v));
    } while (in_.accept(','));
    return true;
}

std::string body_parser::twice(std::string_view name) {
    return "'" + std::string{name} + "' is declared twice in the same block";
}

void body_parser::recover() {
    if (auto fault = in_.take_fault())
        if (!function_.fault || (function_.fault->code == errc::unavailable && fault->code != errc::unavailable))
            function_.fault = std::move(fault);
    while (!in_.at_end() && !in_.at(';') && !in_.at('}')) in_.take();
    in_.accept(';');
}

bool body_parser::statement() {
    if (in_.at('{')) {
        if (names_.depth() > max_depth)
            return in_.take(), in_.not_supported(in_.peek().at, "blocks are nested too deeply");
        in_.take();
        open_scope();
        return true;
    }
    if (in_.accept('}')) {
        names_.close();
        return true;
    }
    if (in_.accept(';')) return true;
    if (in_.peek().kind == token_kind::dotted) return directive();
    return guarded_instruction();
}

bool body_parser::directive() {
    token const word = in_.take();
    if (word.text == "loc") return location();
    bool good = true;
    if (word.text == "reg") good = registers();
    else if (word.text == "local") good = variables(space::local);
    else if (word.text == "shared") good = variables(space::shared);
    else if (word.text == "param") good = variables(space::param);
    else if (word.text == "global" || word.text == "const")
        return in_.not_supported(word.at,
                                 "." + std::string{word.text} + " variables inside a function are not supported");
    else if (word.text == "pragma" || word.text == "noreturn")
        while (!in_.at_end() && !in_.at(';') && !in_.at('}')) {
            bool const keeps_loop = in_.take().text.find("nounroll") != std::string_view::npos;
            if (keeps_loop) function_.not_unrolled.push_back(static_cast<std::uint32_t>(function_.instructions.size()));
        }
    else return in_.fail(word.at, "unknown directive '." + std::string{word.text} + "'");
    return good && in_.expect(';');
}

bool body_parser::location() {
    std::uint64_t file = 0;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    constexpr std::uint64_t limit = 0xffffffff;
    if (!parse_count(in_, limit, file) || !parse_count(in_, limit, line) || !parse_count(in_, limit, column))
        return false;
    if (line != 0) source_ = {static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(line)};
    while (in_.accept(',')) {
        token word;
        if (!in_.expect(token_kind::identifier, "function_name or inlined_at", word)) return false;
        if (word.text == "function_name") {
            in_.take();
            if (in_.accept('+')) in_.take();
        } else {
            for (int i = 0; i < 3; ++i) in_.take();
        }
    }
    return true;
}

bool body_parser::guarded_instruction() {
    instruction op;
    op.at = in_.peek().at;
    op.source = source_;
    op.scope = names_.number();
    if (in_.accept('@')) {
        op.guard_negated = in_.accept('!');
        token const guard = in_.take();
        named const found = names_.find(guard.text);
        if (found.kind != named::kind::reg || function_.registers[found.index].type != type::pred)
            return in_.fail(guard.at, "'" + std::string{guard.text} + "' is not a predicate");
        op.guard = found.index;
    }
    token word;
    if (!in_.expect(token_kind::identifier, "an instruction", word)) return false;
    if (in_.at(':') && op.guard == instruction::no_guard) return in_.take(), place_label(word);
    op.opcode = word.text;
    op.facts = &facts_of(word.text);
    selects_ = word.text.front() == 'v' && word.text != "vote";
    while (in_.peek().kind == token_kind::dotted) op.modifiers.push_back(in_.take().text);
    while (!in_.at(';')) {
        if (!parse_operand(op.operands.emplace_back(), 0)) return false;
        if (!in_.at(';') && !in_.expect(',')) return false;
    }
    in_.take();
    function_.instructions.push_back(std::move(op));
    return true;
}

bool body_parser::place_label(token const& name) {
    label l{name.text, names_.number(), static_cast<std::uint32_t>(function_.instructions.size()), {}};
    bool const prototype = in_.at_dotted("callprototype");
    bool const targets = in_.at_dotted("branchtargets") || in_.at_dotted("calltargets");
    if (prototype || targets) {
        for (in_.take(); !in_.at(';'); in_.take()) {
            if (in_.at_end()) return in_.unexpected("';'");
            if (targets && in_.peek().kind == token_kind::identifier) l.targets.push_back(in_.peek().text);
        }
        in_.take();
    }
    if (!labels_.insert({names_.number(), name.text}).second)
        return in_.fail(name.at, "the label '" + std::string{name.text} + "' stands twice in the same block");
    function_.labels.push_back(std::move(l));
    return true;
}

bool body_parser::sequence(operand& out, char close, int depth) {
    while (!in_.accept(close)) {
        if (!parse_operand(out.elements.emplace_back(), depth + 1)) return false;
        if (!in_.at(close) && !in_.expect(',')) return false;
    }
    return true;
}

bool body_parser::signed_offset(std::int64_t& out) {
    while (in_.at('+') || in_.at('-')) {
        bool minus = in_.take().is('-');
        if (in_.accept('-')) minus = !minus; // [a+-4]
        std::uint64_t value = 0;
        if (!parse_count(in_, ~std::uint64_t{0}, value)) return false;
        auto const sum = static_cast<std::uint64_t>(out) + (minus ? 0 - value : value);
        out = static_cast<std::int64_t>(sum);
    }
    return true;
}

bool body_parser::address(operand& out, int depth) {
    out.kind = operand_kind::address;
    if (!parse_operand(out.elements.emplace_back(), depth + 1)) return false;
    out.offset = out.elements.front().offset;
    out.elements.front().offset = 0;
    while (in_.accept(','))
        if (!parse_operand(out.elements.emplace_back(), depth + 1)) return false;
    return in_.expect(']');
}

bool body_parser::parse_operand(operand& out, int depth) {
    if (depth > 4) return in_.fail(in_.peek().at, "operands are nested too deeply");
    out.at = in_.peek().at;
    if (in_.accept('[')) return address(out, depth);
    if (in_.accept('{')) return out.kind = operand_kind::vector, sequence(out, '}', depth);
    if (in_.accept('(')) return out.kind = operand_kind::list, sequence(out, ')', depth);
    out.negated = in_.accept('!');
    if (in_.peek().kind == token_kind::identifier) {
        if (!name(out)) return false;
        if (!in_.accept('|')) return signed_offset(out.offset);
        operand first = out;
        out.kind = operand_kind::pair;
        out.elements.push_back(std::move(first));
        return parse_operand(out.elements.emplace_back(), depth + 1);
    }
    return literal(out);
}

bool body_parser::literal(operand& out) {
    bool const negative = in_.accept('-');
    token const t = in_.peek();
    if (negative && selects_ && t.kind == token_kind::identifier) return out.negated = true, name(out);
    switch (t.kind) {
        case token_kind::integer:
            out.kind = operand_kind::integer;
            out.bits = negative ? 0 - t.bits : t.bits;
            break;
        case token_kind::single:
            out.kind = operand_kind::single;
            out.bits = negative ? t.bits ^ 0x8000'0000u : t.bits;
            break;
        case token_kind::real:
            out.kind = operand_kind::real;
            out.bits = negative ? t.bits ^ (std::uint64_t{1} << 63) : t.bits;
            break;
        default: return in_.unexpected("an operand");
    }
    in_.take();
    return true;
}

bool body_parser::name(operand& out) {
    token const word = in_.take();
    out.text = word.text;
    if (word.text == "_") return out.kind = operand_kind::sink, true;
    if (word.text == "WARP_SZ") return out.kind = operand_kind::integer, out.bits = 32, true;
    named const found = names_.find(word.text);
    out.index = found.index;
    switch (found.kind) {
        case named::kind::reg: out.kind = operand_kind::reg; break;
        case named::kind::function_variable: out.kind = operand_kind::function_variable; break;
        case named::kind::module_variable: out.kind = operand_kind::module_variable; break;
        default: out.kind = word.text.front() == '%' ? operand_kind::special : operand_kind::name; break;
    }
    if (out.kind != operand_kind::special && !(out.kind == operand_kind::reg && selects_)) return true;
    token const component = in_.peek();
    if (component.kind == token_kind::dotted && component.text.data() == word.text.data() + word.text.size() + 1) {
        out.text = {word.text.data(), word.text.size() + 1 + component.text.size()}; // %tid.x: one text again
        in_.take();
    }
    if (out.kind == operand_kind::special) out.text.remove_prefix(1);
    return true;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
