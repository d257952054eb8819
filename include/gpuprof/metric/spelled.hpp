// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text as a compiler's message shows it.
#ifndef GPUPROF_METRIC_SPELLED_HPP
#define GPUPROF_METRIC_SPELLED_HPP

#include <cstddef>
#include <string_view>
#include <utility>

#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

template <std::size_t Length>
consteval fixed_string<Length> fixed_copy(std::string_view text) {
    fixed_string<Length> copy;
    for (std::size_t i = 0; i < Length; ++i) copy.data_[i] = text[i];
    return copy;
}

// spelled<Source> is a type whose name has the text in it that Source::text() returns: text<"summ"> with g++ and later clangs, and one
// character after the other, text<'s', 'u', 'm', 'm'>, with clang 14, which prints strings among template arguments as
// numbers.
#if defined(__clang__) && __clang_major__ < 15
template <char...>
struct text {};
template <fixed_string Text, std::size_t... At>
text<Text.data_[At]...> text_of(std::index_sequence<At...>);
template <class Source>
using spelled = decltype(text_of<fixed_copy<Source::text().size()>(Source::text())>(
    std::make_index_sequence<Source::text().size()>{}));
#else
template <fixed_string>
struct text {};
template <class Source>
using spelled = text<fixed_copy<Source::text().size()>(Source::text())>;
#endif

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_SPELLED_HPP
