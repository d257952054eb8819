// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lexer.hpp"

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

token lexer::next() noexcept {
    skip_blank();
    token t;
    t.at = at_;
    start_ = offset_;
    if (offset_ == text_.size()) return t;
    char const c = peek();
    if (starts_name(c)) {
        do advance();
        while (continues_name(peek()));
        t.kind = token_kind::identifier;
    } else if (c == '.' && continues_name(peek(1))) {
        advance();
        ++start_;
        while (continues_name(peek()) || (peek() == ':' && peek(1) == ':') || (peek() == ':' && previous() == ':'))
            advance();
        t.kind = token_kind::dotted;
    } else if (is_digit(c)) {
        number(t);
    } else if (c == '"') {
        return string(t);
    } else {
        advance();
        t.kind = token_kind::symbol;
    }
    t.text = text_.substr(start_, offset_ - start_);
    return t;
}

void lexer::advance() noexcept {
    if (text_[offset_] == '\n') {
        ++at_.line;
        at_.column = 1;
    } else {
        ++at_.column;
    }
    ++offset_;
}

void lexer::skip_blank() noexcept {
    while (offset_ < text_.size()) {
        char const c = peek();
        if (c == '/' && peek(1) == '/') {
            while (offset_ < text_.size() && peek() != '\n') advance();
        } else if (c == '/' && peek(1) == '*') {
            while (offset_ < text_.size() && !(peek() == '*' && peek(1) == '/')) advance();
            for (int i = 0; i < 2 && offset_ < text_.size(); ++i) advance();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0') { // drivers accept a final NUL
            advance();
        } else {
            return;
        }
    }
}

bool lexer::digits(unsigned base, std::uint64_t& value) noexcept {
    bool any = false;
    bool fits = true;
    for (; static_cast<unsigned>(digit(peek())) < base; advance(), any = true) {
        auto const d = static_cast<std::uint64_t>(digit(peek()));
        if (value > (~std::uint64_t{0} - d) / base) fits = false;
        value = value * base + d;
    }
    return any && fits;
}

void lexer::number(token& t) noexcept {
    t.kind = token_kind::integer;
    bool good = true;
    char const prefix = peek() == '0' ? static_cast<char>(peek(1) | 0x20) : '\0';
    if (prefix == 'f' || prefix == 'd') { // the bit pattern of a floating number, 8 or 16 digits
        advance(), advance();
        auto const first = offset_;
        good = digits(16, t.bits) && offset_ - first == (prefix == 'f' ? 8u : 16u);
        t.kind = prefix == 'f' ? token_kind::single : token_kind::real;
    } else if (prefix == 'x' || prefix == 'b') {
        advance(), advance();
        good = digits(prefix == 'x' ? 16 : 2, t.bits);
    } else {
        auto const first = offset_;
        std::size_t length = 0;
        while (is_digit(peek(length))) ++length;
        if (peek(length) == '.' || ((peek(length) | 0x20) == 'e')) {
            double value = 0;
            auto const parsed = std::from_chars(text_.data() + first, text_.data() + text_.size(), value);
            good = parsed.ec == std::errc{};
            for (auto const stop = static_cast<std::size_t>(parsed.ptr - text_.data()); offset_ < stop;) advance();
            t.kind = token_kind::real;
            t.bits = std::bit_cast<std::uint64_t>(value);
        } else {
            good = digits(peek() == '0' ? 8 : 10, t.bits);
        }
    }
    if (t.kind == token_kind::integer && peek() == 'U') advance();
    while (continues_name(peek())) advance(), good = false; // 12abc is no number
    if (offset_ == start_) advance();
    if (!good) t.kind = token_kind::invalid;
}

token lexer::string(token& t) noexcept {
    advance();
    while (offset_ < text_.size() && peek() != '"' && peek() != '\n') {
        if (peek() == '\\') advance();
        if (offset_ < text_.size()) advance();
    }
    t.kind = peek() == '"' ? token_kind::string : token_kind::invalid;
    t.text = text_.substr(start_ + 1, offset_ - start_ - 1);
    if (offset_ < text_.size()) advance();
    return t;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
