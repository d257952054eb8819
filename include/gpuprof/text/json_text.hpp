// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes JSON strings (RFC 8259), and checks UTF-8.
#ifndef GPUPROF_TEXT_JSON_TEXT_HPP
#define GPUPROF_TEXT_JSON_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The number of bytes of the UTF-8 character at `at`; 0 if there is none (RFC 3629: no surrogates,
// no overlong forms, nothing beyond U+10FFFF).
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text, std::size_t at) noexcept {
    auto const byte = [&](std::size_t i) -> unsigned {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
    };
    auto const follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    unsigned const first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        if (!follows(1) || !follows(2)) return 0;
        if (first == 0xe0 && byte(1) < 0xa0) return 0;
        if (first == 0xed && byte(1) > 0x9f) return 0;
        return 3;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        if (!follows(1) || !follows(2) || !follows(3)) return 0;
        if (first == 0xf0 && byte(1) < 0x90) return 0;
        if (first == 0xf4 && byte(1) > 0x8f) return 0;
        return 4;
    }
    return 0;
}

// Writes the content of a JSON string: escapes quotes, backslashes and control characters, and
// replaces each byte that is no UTF-8 by U+FFFD. `Text` has text(std::string_view): io::output, or
// anything that appends.
template <class Text>
void write_json_characters(Text& to, std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    std::size_t plain = 0; // the first character that is not written yet
    for (std::size_t at = 0; at < text.size();) {
        auto const c = static_cast<unsigned char>(text[at]);
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
            ++at;
            continue;
        }
        std::size_t const length = utf8_length(text, at);
        if (length > 1) {
            at += length;
            continue;
        }
        to.text(text.substr(plain, at - plain));
        plain = ++at;
        if (length == 0) {
            to.text("\xef\xbf\xbd");
        } else if (c == '"' || c == '\\') {
            char const escaped[] = {'\\', static_cast<char>(c)};
            to.text({escaped, 2});
        } else if (c == '\n') {
            to.text("\\n");
        } else if (c == '\t') {
            to.text("\\t");
        } else {
            char const escaped[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
            to.text({escaped, 6});
        }
    }
    to.text(text.substr(plain));
}

template <class Text>
void write_json_string(Text& to, std::string_view text) {
    to.text("\"");
    write_json_characters(to, text);
    to.text("\"");
}

// The text with U+FFFD for each byte that is no UTF-8, as a JSON reader returns it.
[[nodiscard]] inline std::string valid_utf8(std::string_view text) {
    std::string valid;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const length = utf8_length(text, at);
        if (length == 0) valid += "\xef\xbf\xbd";
        else valid.append(text.substr(at, length));
        at += length == 0 ? 1 : length;
    }
    return valid;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_JSON_TEXT_HPP
