// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source files for terminals and for HTML.
#ifndef GPUPROF_IO_SOURCE_TEXT_HPP
#define GPUPROF_IO_SOURCE_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "../text/json_text.hpp" // utf8_length
#include "../text/printable.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// Replaces tabs by blanks and other control characters by '?'.
[[nodiscard]] inline std::string shown_line(std::string_view line) {
    std::string text;
    for (char const c : line) {
        if (c == '\t') text.append(4 - text.size() % 4, ' ');
        else text += c;
    }
    return gpuprof::detail::printable(text, 120);
}

// Escapes text for HTML; control characters become '?', bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] inline std::string escaped_html(std::string_view raw) {
    std::string text;
    for (std::size_t at = 0; at < raw.size();) {
        std::size_t const length = gpuprof::detail::utf8_length(raw, at);
        char const c = raw[at];
        if (length == 0) text += "\xef\xbf\xbd";
        else if (length > 1) text += raw.substr(at, length);
        else if (c == '&') text += "&amp;";
        else if (c == '<') text += "&lt;";
        else if (c == '>') text += "&gt;";
        else if (c == '"') text += "&quot;";
        else if (c == '\'') text += "&#39;";
        else if (c == '\t') text += c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) text += '?';
        else text += c;
        at += length == 0 ? 1 : length;
    }
    return text;
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SOURCE_TEXT_HPP
