// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes text into HTML.
#ifndef GPUPROF_TEXT_HTML_TEXT_HPP
#define GPUPROF_TEXT_HTML_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "json_text.hpp" // utf8_length

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Appends a text so that HTML shows it as it is, between tags and in a quoted attribute. Each byte that is no UTF-8, and each
// control character but line feed and tabulator, is written as U+FFFD.
inline void append_html(std::string& to, std::string_view text) {
    std::size_t plain = 0; // the first character that is not written yet
    for (std::size_t at = 0; at < text.size();) {
        auto const c = static_cast<unsigned char>(text[at]);
        std::size_t const length = utf8_length(text, at);
        std::string_view shown;
        switch (c) {
            case '&': shown = "&amp;"; break;
            case '<': shown = "&lt;"; break;
            case '>': shown = "&gt;"; break;
            case '"': shown = "&quot;"; break;
            case '\'': shown = "&#39;"; break;
            default:
                if (length == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) shown = "\xef\xbf\xbd";
        }
        std::size_t const next = at + (length == 0 ? 1 : length);
        if (!shown.empty()) {
            to.append(text.substr(plain, at - plain)).append(shown);
            plain = next;
        }
        at = next;
    }
    to.append(text.substr(plain));
}

// The text for HTML.
[[nodiscard]] inline std::string html_text(std::string_view text) {
    std::string written;
    append_html(written, text);
    return written;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_HTML_TEXT_HPP
