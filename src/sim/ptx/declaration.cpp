// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "declaration.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

bool parse_count(cursor& in, std::uint64_t limit, std::uint64_t& out) {
    token number;
    if (!in.expect(token_kind::integer, "a number", number)) return false;
    if (number.bits > limit) return in.fail(number.at, "the number is too large here");
    out = number.bits;
    return true;
}

static bool parse_alignment(cursor& in, std::uint32_t& out) {
    position const at = in.peek().at;
    std::uint64_t value = 0;
    if (!parse_count(in, 1u << 20, value)) return false;
    if (!std::has_single_bit(value)) return in.fail(at, "an alignment is a power of two");
    out = static_cast<std::uint32_t>(value);
    return true;
}

bool parse_declaration_head(cursor& in, declaration_head& out) {
    bool pointer = false;
    while (in.peek().kind == token_kind::dotted) {
        token const word = in.take();
        if (word.text == "align") {
            std::uint32_t alignment = 0;
            if (!parse_alignment(in, alignment)) return false;
            if (!pointer) out.alignment = alignment; // after .ptr it is that of what the pointer points to
        } else if (word.text == "attribute") {
            while (!in.at_end() && !in.at(')')) out.managed = in.take().text == "managed" || out.managed;
            if (!in.expect(')')) return false;
        } else if (word.text == "ptr") {
            pointer = true;
        } else if (pointer &&
                   (word.text == "global" || word.text == "const" || word.text == "shared" || word.text == "local")) {
            continue;
        } else if (word.text == "v2" || word.text == "v4" || word.text == "v8") {
            out.vector = static_cast<std::uint32_t>(word.text[1] - '0');
        } else if (word.text == "texref" || word.text == "samplerref" || word.text == "surfref") {
            out.type = type::b64; // opaque, and only named by instructions that are not supported
        } else if (auto const t = type_named(word.text); t != type::none) {
            out.type = t;
        } else {
            return in.fail(word.at, "'." + std::string{word.text} + "' is not supported in a declaration");
        }
    }
    return out.type != type::none || in.unexpected("a type");
}

// One initialiser: 5, -1.5, 0f3F800000, name, name+4, generic(name)+4, 0xFF00(name).
static bool parse_initializer(cursor& in, type of, initializer& out) {
    bool const negative = in.accept('-');
    token const first = in.take();
    if (first.kind == token_kind::integer) {
        out.value = negative ? 0 - first.bits : first.bits;
        if (in.accept('(')) { // a mask: one byte of an address
            token name;
            if (!in.expect(token_kind::identifier, "a name", name) || !in.expect(')')) return false;
            out.shift = static_cast<std::uint8_t>(first.bits == 0 ? 0 : std::countr_zero(first.bits) & ~7);
            out.name = name.text;
            out.value = 0;
        } else if (of == type::f32) {
            out.value = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(out.value)));
        } else if (of == type::f64) {
            out.value = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(out.value)));
        }
        return true;
    }
    if (first.kind == token_kind::single || first.kind == token_kind::real) {
        double const value = first.kind == token_kind::real
                                 ? std::bit_cast<double>(first.bits)
                                 : double{std::bit_cast<float>(static_cast<std::uint32_t>(first.bits))};
        double const signed_value = negative ? -value : value;
        out.value = of == type::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(signed_value))
                                    : std::bit_cast<std::uint64_t>(signed_value);
        return true;
    }
    if (first.kind != token_kind::identifier) return in.fail(first.at, "expected an initialiser");
    out.name = first.text;
    if (first.text == "generic" && in.accept('(')) {
        token name;
        if (!in.expect(token_kind::identifier, "a name", name) || !in.expect(')')) return false;
        out.name = name.text;
        out.generic = true;
    }
    if (in.at('+') || in.at('-')) {
        bool const minus = in.take().is('-');
        std::uint64_t offset = 0;
        if (!parse_count(in, ~std::uint64_t{0}, offset)) return false;
        out.value = minus ? 0 - offset : offset;
    }
    return true;
}

// `= 5` or `= {{1, 2}, {3}}`: nested braces are flattened in order, as nvcc never leaves an inner
// row short.
static bool parse_initializers(cursor& in, type of, std::vector<initializer>& out) {
    int depth = 0;
    do {
        if (in.at('{')) {
            in.take();
            ++depth;
        } else if (in.at('}')) {
            in.take();
            --depth;
            if (depth > 0) in.accept(',');
        } else {
            if (out.size() == max_initializers) return in.fail(in.peek().at, "too many initialisers");
            if (!parse_initializer(in, of, out.emplace_back())) return false;
            if (depth > 0 && !in.at('}') && !in.expect(',')) return false;
        }
    } while (depth > 0 && !in.at_end());
    return depth == 0 || in.unexpected("'}'");
}

bool parse_variable(cursor& in, declaration_head const& head, space where, variable& out) {
    token name;
    if (!in.expect(token_kind::identifier, "a name", name)) return false;
    out.name = name.text;
    out.at = name.at;
    out.space = where;
    out.type = head.type;
    out.is_managed = head.managed;
    std::uint64_t const element = std::uint64_t{size_of(head.type)} * head.vector;
    out.alignment = head.alignment != 0 ? head.alignment : static_cast<std::uint32_t>(element);
    out.bytes = element;
    while (in.accept('[')) {
        std::uint64_t extent = 0;
        if (!in.at(']') && !parse_count(in, max_variable_bytes, extent)) return false;
        if (!in.expect(']')) return false;
        if (extent != 0 && out.bytes > max_variable_bytes / extent)
            return in.fail(name.at, "the variable is too large");
        out.bytes *= extent;
    }
    if (!in.accept('=')) return true;
    if (!parse_initializers(in, head.type, out.values)) return false;
    std::uint64_t const initialized = out.values.size() * std::uint64_t{size_of(head.type)};
    if (out.bytes == 0) out.bytes = initialized;
    return initialized <= out.bytes || in.fail(name.at, "more initialisers than the variable has room for");
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
