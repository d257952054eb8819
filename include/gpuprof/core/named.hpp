// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values of an enumeration by their names.
#ifndef GPUPROF_CORE_NAMED_HPP
#define GPUPROF_CORE_NAMED_HPP

#include <initializer_list>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Finds the value in `all` whose name() is the text; false if there is none.
template <class Value>
[[nodiscard]] constexpr bool find_named(std::string_view text, std::initializer_list<Value> all,
                                        Value& found) noexcept {
    for (Value const each : all)
        if (text == name(each)) {
            found = each;
            return true;
        }
    return false;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_NAMED_HPP
