// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function that lists things, and that may end the list.
#ifndef GPUPROF_DETAIL_VISITED_HPP
#define GPUPROF_DETAIL_VISITED_HPP

#include <type_traits>

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Calls f. False if f returned false, which ends the list; a function that returns nothing never does.
template <class F, class... Arguments>
[[nodiscard]] constexpr bool visited(F& f, Arguments const&... arguments) {
    if constexpr (std::is_same_v<decltype(f(arguments...)), bool>) {
        return f(arguments...);
    } else {
        static_assert(std::is_void_v<decltype(f(arguments...))>,
                      "gpuprof: a function that lists things returns nothing, or a bool: false ends the list");
        f(arguments...);
        return true;
    }
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_VISITED_HPP
