// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings of JSON (RFC 8259). Layer: core.
#ifndef GPUPROF_CORE_JSON_TEXT_HPP
#define GPUPROF_CORE_JSON_TEXT_HPP

#include <cstddef>     // std::size_t
#include <string>      // valid_utf8
#include <string_view> // text

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// How many bytes at `at` are one character of UTF-8: 0 if they are none (RFC 3629: no surrogates, nothing that a shorter
// form has, nothing beyond U+10FFFF).
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

// What stands between the quotes of a JSON string: quotes, backslashes and control characters escaped, and U+FFFD for each
// byte that is no UTF-8. `Text` has text(std::string_view): an output, or anything that appends.
template <class Text>
void write_json_characters(Text& to, std::string_view what) {
    constexpr char digits[] = "0123456789abcdef";
    std::size_t plain = 0; // the first character that was not written yet
    for (std::size_t at = 0; at < what.size();) {
        auto const c = static_cast<unsigned char>(what[at]);
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
            ++at;
            continue;
        }
        std::size_t const length = utf8_length(what, at);
        if (length > 1) {
            at += length;
            continue;
        }
        to.text(what.substr(plain, at - plain));
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
    to.text(what.substr(plain));
}

template <class Text>
void write_json_string(Text& to, std::string_view what) {
    to.text("\"");
    write_json_characters(to, what);
    to.text("\"");
}

// The text with U+FFFD for each byte that is no UTF-8: what a reader of JSON gives back of it.
GPUPROF_LAZY [[nodiscard]] std::string valid_utf8(std::string_view text) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const length = utf8_length(text, at);
        if (length == 0) made += "\xef\xbf\xbd";
        else made.append(text.substr(at, length));
        at += length == 0 ? 1 : length;
    }
    return made;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_JSON_TEXT_HPP
