// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reliability of values.
#ifndef GPUPROF_CORE_FIDELITY_HPP
#define GPUPROF_CORE_FIDELITY_HPP

#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"
#include "named.hpp"

GPUPROF_NAMESPACE_BEGIN

// How a value is obtained. A GPU counts its values, so they are exact; the embedded GPU says it of
// each metric.
enum class fidelity : unsigned char {
    exact,      // counted: what hardware counts for the same PTX
    modelled,   // follows from a model of caches, memory and time
    estimated,  // counted in PTX instructions, where hardware counts those of its own set
    always_zero // not modelled; it exists for sums that contain it
};

// How many values `fidelity` has.
inline constexpr std::size_t fidelities = 4;

[[nodiscard]] constexpr std::string_view name(fidelity how) noexcept {
    constexpr std::string_view names[]{"exact", "modelled", "estimated", "always 0"};
    return names[static_cast<std::size_t>(how)];
}
// Finds the fidelity of that name; false if there is none.
[[nodiscard]] constexpr bool find_named(std::string_view text, fidelity& found) noexcept {
    return detail::find_named(text, {fidelity::exact, fidelity::modelled, fidelity::estimated, fidelity::always_zero},
                              found);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_FIDELITY_HPP
