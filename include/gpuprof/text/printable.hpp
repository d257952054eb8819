// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes text from outside safe for messages.
#ifndef GPUPROF_TEXT_PRINTABLE_HPP
#define GPUPROF_TEXT_PRINTABLE_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Replaces each control character by '?' and cuts the text to `longest` characters; cut text ends
// with its full length. The default fits a line.
[[nodiscard]] inline std::string printable(std::string_view text, std::size_t longest = 96) {
    std::string shown{text.substr(0, longest)};
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    if (text.size() > longest) shown += "... (" + std::to_string(text.size()) + " characters)";
    return shown;
}

// The same with a limit that suffices for a file's path, or a range's.
[[nodiscard]] inline std::string printable_path(std::string_view path) { return printable(path, 200); }

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_PRINTABLE_HPP
