// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text from outside as a message shows it. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_CORE_PRINTABLE_HPP
#define GPUPROF_CORE_PRINTABLE_HPP

#include <cstddef>     // std::size_t
#include <string>      // texts
#include <string_view> // texts

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The text with '?' for each control character, and cut to `longest` characters; what was cut says how long it was. The
// default fits a line.
GPUPROF_LAZY [[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 96) {
    std::string shown{text.substr(0, longest)};
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    if (text.size() > longest) shown += "... (" + std::to_string(text.size()) + " characters)";
    return shown;
}

// As printable; long enough to tell where a file, or a range among ranges, lies.
GPUPROF_LAZY [[nodiscard]] std::string printable_path(std::string_view path) { return printable(path, 200); }

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_PRINTABLE_HPP
