// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes members of JSON objects.
#ifndef GPUPROF_TEXT_JSON_MEMBERS_HPP
#define GPUPROF_TEXT_JSON_MEMBERS_HPP

#include <string_view>

#include "../detail/config.hpp"
#include "json_text.hpp"
#include "text_appender.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// `key` includes quotes and colon, and a comma before it if necessary.
inline void add_text(text_appender const& to, std::string_view key, std::string_view text) {
    to.text(key);
    write_json_string(to, text);
}

// Writes null for numbers that JSON cannot represent.
inline void add_number(text_appender const& to, std::string_view key, double number) {
    to.text(key);
    if (number - number == 0) to.real(number);
    else to.text("null");
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_JSON_MEMBERS_HPP
