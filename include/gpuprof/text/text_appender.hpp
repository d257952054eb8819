// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends text and numbers to a string.
#ifndef GPUPROF_TEXT_TEXT_APPENDER_HPP
#define GPUPROF_TEXT_TEXT_APPENDER_HPP

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// For texts that are built as a whole in memory; io::output is for those that go to a sink, and
// text_buffer for those in a buffer of the caller's. No locale.
struct text_appender {
    std::string& to;

    void text(std::string_view part) const { to += part; }
    template <std::integral Number>
    void number(Number value) const {
        char digits[24];
        to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    // The shortest text that reads back as the same number. @pre value is finite
    void real(double value) const {
        char digits[32];
        to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_TEXT_APPENDER_HPP
