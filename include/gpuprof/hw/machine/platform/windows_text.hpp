// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts text between UTF-8 and the UTF-16 of Windows. Windows.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_TEXT_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_TEXT_HPP

#include "platform.hpp"

#if GPUPROF_WINDOWS

#include <cstddef>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "windows_api.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform::inner {

inline constexpr unsigned code_page_utf8 = 65001;
inline constexpr std::size_t longest_text = 0x7fff'ffff; // that the system converts

// To UTF-16; empty if the text is no UTF-8 or contains a NUL, which no path of the system has.
[[nodiscard]] inline std::wstring wide(std::string_view text) {
    constexpr unsigned long refuse_invalid = 8;
    if (text.empty() || text.size() > longest_text || text.find('\0') != std::string_view::npos) return {};
    int const size = static_cast<int>(text.size());
    int const units = ::MultiByteToWideChar(code_page_utf8, refuse_invalid, text.data(), size, nullptr, 0);
    if (units <= 0) return {};
    std::wstring converted(static_cast<std::size_t>(units), L'\0');
    static_cast<void>(
        ::MultiByteToWideChar(code_page_utf8, refuse_invalid, text.data(), size, converted.data(), units));
    return converted;
}

// To UTF-8. An unpaired surrogate, which file names of the system may have, becomes U+FFFD.
[[nodiscard]] inline std::string utf8(std::wstring_view text) {
    if (text.empty() || text.size() > longest_text) return {};
    int const units = static_cast<int>(text.size());
    int const size = ::WideCharToMultiByte(code_page_utf8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
    if (size <= 0) return {};
    std::string converted(static_cast<std::size_t>(size), '\0');
    static_cast<void>(
        ::WideCharToMultiByte(code_page_utf8, 0, text.data(), units, converted.data(), size, nullptr, nullptr));
    return converted;
}

// The system's text for an error number, without the full stop and the line's end: "File not
// found".
[[nodiscard]] inline std::string words_of(unsigned long number) {
    // Looked up, since its declaration needs va_list.
    using format_message =
        unsigned long(unsigned long, void const*, unsigned long, unsigned long, wchar_t*, unsigned long, void*);
    constexpr unsigned long from_system = 0x1000;
    constexpr unsigned long ignore_inserts = 0x200;
    constexpr unsigned long one_line = 0xff;
    wchar_t text[256];
    auto* const format = system_function<format_message>(L"kernel32.dll", "FormatMessageW");
    unsigned long size = format == nullptr ? 0
                                           : format(from_system | ignore_inserts | one_line, nullptr, number, 0, text,
                                                    sizeof text / sizeof *text, nullptr);
    while (size > 0 && (text[size - 1] <= L' ' || text[size - 1] == L'.')) --size;
    return size == 0 ? "error " + std::to_string(number) : utf8({text, size});
}

} // namespace platform::inner
GPUPROF_NAMESPACE_END

#endif // GPUPROF_WINDOWS

#endif // GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_TEXT_HPP
