// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that people type, compared in letters of any case. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_CORE_ANY_CASE_HPP
#define GPUPROF_CORE_ANY_CASE_HPP

#include <cstddef>     // std::size_t
#include <string_view> // names

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether both are the same but for the case of the letters A to Z.
[[nodiscard]] constexpr bool same_letters(std::string_view one, std::string_view other) noexcept {
    auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    bool same = one.size() == other.size();
    for (std::size_t i = 0; same && i < one.size(); ++i) same = lower(one[i]) == lower(other[i]);
    return same;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_ANY_CASE_HPP
