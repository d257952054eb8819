// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A string that can be a template argument.
#ifndef GPUPROF_DETAIL_FIXED_STRING_HPP
#define GPUPROF_DETAIL_FIXED_STRING_HPP

#include <cstddef>
#include <string_view>

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN

// N characters and a terminating NUL, structural, so that `metric<"name">` is possible. Keeps
// embedded NULs: the parser must refuse them.
template <std::size_t N>
struct fixed_string {
    char data_[N + 1]{};

    consteval fixed_string() = default;
    consteval fixed_string(char const (&text)[N + 1]) {
        for (std::size_t i = 0; i < N; ++i) data_[i] = text[i];
    }

    [[nodiscard]] static constexpr std::size_t size() { return N; }
    [[nodiscard]] constexpr char const* c_str() const { return data_; }
    [[nodiscard]] constexpr std::string_view view() const { return {data_, N}; }

    friend constexpr bool operator==(fixed_string const&, fixed_string const&) = default;
};

template <std::size_t N>
fixed_string(char const (&)[N]) -> fixed_string<N - 1>;

GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_FIXED_STRING_HPP
