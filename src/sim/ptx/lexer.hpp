// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts PTX text into tokens that know their line and column.
#ifndef GPUPROF_SRC_SIM_PTX_LEXER_HPP
#define GPUPROF_SRC_SIM_PTX_LEXER_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gpuprof/detail/config.hpp>

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

// Reads tokens one after the other. Every text, a malformed one too, has finitely many; characters
// that form no token are a token of kind `invalid`. The text must outlive lexer and tokens.
class lexer {
public:
    explicit lexer(std::string_view text) noexcept : text_{text} {}

    // The next token; one of kind `end` for ever after the last.
    [[nodiscard]] token next() noexcept;

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

    void advance() noexcept;
    void skip_blank() noexcept;

    // Digits of one base; false when there is none or the value needs more than 64 bits.
    bool digits(unsigned base, std::uint64_t& value) noexcept;

    void number(token& t) noexcept;
    token string(token& t) noexcept;

    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t start_ = 0;
    position at_;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_LEXER_HPP
