// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of an enumeration by their names. Layer: core.
#ifndef GPUPROF_CORE_NAMED_HPP
#define GPUPROF_CORE_NAMED_HPP

#include <initializer_list> // what there is
#include <string_view>      // names

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The one of `all` whose name() is the text; false if there is none.
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
