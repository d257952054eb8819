// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes numbers for JSON files that people compare.
#ifndef GPUPROF_TEXT_JSON_NUMBER_HPP
#define GPUPROF_TEXT_JSON_NUMBER_HPP

#include <charconv>
#include <cstddef>
#include <string>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Appends the shortest text that reads back as the same number; whole numbers with all digits. @pre
// finite
inline void add_json_number(std::string& to, double number) {
    char digits[40];
    bool const is_whole = number > -9007199254740992.0 && number < 9007199254740992.0 && number != 0 &&
                          number == static_cast<double>(static_cast<long long>(number));
    auto const end = is_whole ? std::to_chars(digits, digits + sizeof digits, static_cast<long long>(number))
                              : std::to_chars(digits, digits + sizeof digits, number); // 0 and -0, too
    to.append(digits, static_cast<std::size_t>(end.ptr - digits));
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_JSON_NUMBER_HPP
