// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of JSON files that people compare. Layer: core.
#ifndef GPUPROF_CORE_JSON_NUMBER_HPP
#define GPUPROF_CORE_JSON_NUMBER_HPP

#include <charconv> // std::to_chars
#include <cstddef>  // std::size_t
#include <string>   // what it is added to

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// As short as reads back the same; whole numbers with all their digits. Precondition: finite.
GPUPROF_LAZY void add_json_number(std::string& to, double number) {
    char digits[40];
    bool const is_whole = number > -9007199254740992.0 && number < 9007199254740992.0 && number != 0 &&
                          number == static_cast<double>(static_cast<long long>(number));
    auto const end = is_whole ? std::to_chars(digits, digits + sizeof digits, static_cast<long long>(number))
                              : std::to_chars(digits, digits + sizeof digits, number); // 0 and -0, too
    to.append(digits, static_cast<std::size_t>(end.ptr - digits));
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_JSON_NUMBER_HPP
