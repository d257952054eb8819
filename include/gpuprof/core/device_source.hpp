// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values come from. Layer: core.
#ifndef GPUPROF_CORE_DEVICE_SOURCE_HPP
#define GPUPROF_CORE_DEVICE_SOURCE_HPP

#include <cstddef>     // std::size_t
#include <string_view> // names

#include "../detail/config.hpp"
#include "named.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where values come from. A report says which and never mixes them.
enum class device_source : unsigned char {
    hardware, // a GPU of this machine
    embedded  // the GPU that gpuprof/sim.hpp executes on the CPU
};

[[nodiscard]] constexpr std::string_view name(device_source source) noexcept {
    constexpr std::string_view names[]{"hardware", "embedded"};
    return names[static_cast<std::size_t>(source)];
}
// The source of that name; false if there is none.
[[nodiscard]] constexpr bool find_named(std::string_view text, device_source& found) noexcept {
    return detail::find_named(text, {device_source::hardware, device_source::embedded}, found);
}

// What is said beside a device whose values a recording gives.
inline constexpr std::string_view recorded_words = ", a recording: not measured now";

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_DEVICE_SOURCE_HPP
