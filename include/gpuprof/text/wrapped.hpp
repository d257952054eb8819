// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breaks sentences into lines.
#ifndef GPUPROF_TEXT_WRAPPED_HPP
#define GPUPROF_TEXT_WRAPPED_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The columns that a text in UTF-8 takes, if each character takes one.
[[nodiscard]] constexpr std::size_t columns_of(std::string_view text) noexcept {
    std::size_t columns = 0;
    for (char const c : text) columns += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
    return columns;
}

// Appends words with blanks between them to a text whose last line has `used` columns. A line that would be longer than `width`
// is broken before the word, and the next one begins with `indent` blanks. A word that is longer than a line has one for itself.
inline void append_wrapped(std::string& text, std::string_view sentence, std::size_t used, std::size_t indent,
                           std::size_t width) {
    bool first = true; // of a line
    while (!sentence.empty()) {
        std::size_t const end = sentence.find(' ');
        std::string_view const word = sentence.substr(0, end);
        sentence = end == sentence.npos ? std::string_view{} : sentence.substr(end + 1);
        if (word.empty()) continue;
        std::size_t const wide = columns_of(word);
        if (!first && used + 1 + wide > width) {
            text.append(1, '\n').append(indent, ' ');
            used = indent;
            first = true;
        }
        if (!first) text += ' ';
        used += wide + (first ? 0 : 1);
        text += word;
        first = false;
    }
}

// A text whose lines that are longer than `width` are broken between words. What follows is indented by two blanks more than
// the line.
[[nodiscard]] inline std::string wrapped_lines(std::string_view text, std::size_t width) {
    std::string wrapped;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view const line = text.substr(0, end);
        std::size_t const indent = line.find_first_not_of(' ');
        if (columns_of(line) <= width || indent == line.npos) {
            wrapped += line;
        } else {
            wrapped.append(indent, ' ');
            append_wrapped(wrapped, line.substr(indent), indent, indent + 2, width);
        }
        if (end == text.npos) break;
        wrapped += '\n';
        text.remove_prefix(end + 1);
    }
    return wrapped;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_WRAPPED_HPP
