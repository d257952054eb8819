// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts PTX text into tokens that know their line and column. Layer: embedded GPU, front end.
#ifndef GPUPROF_HW_SIM_PTX_LEXER_HPP
#define GPUPROF_HW_SIM_PTX_LEXER_HPP

#include <charconv>     // decimal floating literals
#include <bit>          // std::bit_cast
#include <cstdint>      // literal bits
#include <string_view>  // tokens are views into the text
#include <system_error> // std::errc

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Where something stands in the PTX text; both count from one.
struct position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

enum class token_kind : std::uint8_t {
    end,
    identifier, // add, %r1, $L__BB0_2
    dotted,     // .global: the text is without the dot
    integer,    // bits hold the value
    single,     // 0f3F800000: bits hold the pattern of an f32
    real,       // 0d…, 1.5: bits hold the pattern of an f64
    string,     // the text is without the quotes
    symbol,     // one character of punctuation
    invalid
};

struct token {
    token_kind kind = token_kind::end;
    std::string_view text;
    std::uint64_t bits = 0;
    position at;

    [[nodiscard]] constexpr bool is(char c) const noexcept { return kind == token_kind::symbol && text.front() == c; }
};

// Reads tokens one after the other. Every text, also a malformed one, ends after finitely many; what is no token is one
// of kind `invalid`. The text must outlive lexer and tokens.
class lexer {
public:
    explicit lexer(std::string_view text) noexcept : text_{text} {}

    [[nodiscard]] token next() noexcept {
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

private:
    static constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
    static constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
    static constexpr bool starts_name(char c) noexcept { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
    static constexpr bool continues_name(char c) noexcept {
        return is_letter(c) || is_digit(c) || c == '_' || c == '$';
    }
    static constexpr int digit(char c) noexcept {
        if (is_digit(c)) return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return 99;
    }

    [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
        return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
    }
    [[nodiscard]] char previous() const noexcept { return text_[offset_ - 1]; }

    void advance() noexcept {
        if (text_[offset_] == '\n') {
            ++at_.line;
            at_.column = 1;
        } else {
            ++at_.column;
        }
        ++offset_;
    }

    void skip_blank() noexcept {
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

    // Digits of one base; false when there is none or the value needs more than 64 bits.
    bool digits(unsigned base, std::uint64_t& value) noexcept {
        bool any = false;
        bool fits = true;
        for (; static_cast<unsigned>(digit(peek())) < base; advance(), any = true) {
            auto const d = static_cast<std::uint64_t>(digit(peek()));
            if (value > (~std::uint64_t{0} - d) / base) fits = false;
            value = value * base + d;
        }
        return any && fits;
    }

    void number(token& t) noexcept {
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

    token string(token& t) noexcept {
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

    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t start_ = 0;
    position at_;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_LEXER_HPP
