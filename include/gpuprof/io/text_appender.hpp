// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A string that grows, with the numbers that formats need. Layer: write out.
#ifndef GPUPROF_IO_TEXT_APPENDER_HPP
#define GPUPROF_IO_TEXT_APPENDER_HPP

#include <charconv>    // std::to_chars
#include <concepts>    // std::integral
#include <string>      // the text
#include <string_view> // parts

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// For texts that are made as a whole; an output is for those that a sink takes. No locale.
struct text_appender {
    std::string& to;

    void text(std::string_view what) const { to += what; }
    template <std::integral Number>
    void number(Number value) const {
        char digits[24];
        to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    // The shortest text that reads back as the same number. Precondition: finite.
    void real(double value) const {
        char digits[32];
        to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TEXT_APPENDER_HPP
