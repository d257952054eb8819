// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares names that people type, in letters of any case.
#ifndef GPUPROF_DETAIL_ANY_CASE_HPP
#define GPUPROF_DETAIL_ANY_CASE_HPP

#include <cstddef>
#include <string_view>

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether both are equal except for the case of the letters A to Z.
[[nodiscard]] constexpr bool same_letters(std::string_view left, std::string_view right) noexcept {
    auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    bool same = left.size() == right.size();
    for (std::size_t i = 0; same && i < left.size(); ++i) same = lower(left[i]) == lower(right[i]);
    return same;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_ANY_CASE_HPP
