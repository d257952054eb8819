// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a list that a user wrote: "memory,races".
#ifndef GPUPROF_TEXT_LIST_PARTS_HPP
#define GPUPROF_TEXT_LIST_PARTS_HPP

#include <cstddef>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What lies between separators; empty parts are left out. They point into the list.
[[nodiscard]] inline std::vector<std::string_view> list_parts(std::string_view list, char separator = ',') {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        std::size_t const end = list.find(separator);
        if (end != 0) parts.push_back(list.substr(0, end));
        list = end == list.npos ? std::string_view{} : list.substr(end + 1);
    }
    return parts;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_LIST_PARTS_HPP
