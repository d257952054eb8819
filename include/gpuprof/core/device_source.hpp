// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The origin of values: hardware, or the embedded GPU.
#ifndef GPUPROF_CORE_DEVICE_SOURCE_HPP
#define GPUPROF_CORE_DEVICE_SOURCE_HPP

#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"
#include "named.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where values come from. A report names its source and never mixes two.
enum class device_source : unsigned char {
    hardware, // a GPU of this machine
    embedded  // the GPU that gpuprof/sim.hpp executes on the CPU
};

[[nodiscard]] constexpr std::string_view name(device_source source) noexcept {
    constexpr std::string_view names[]{"hardware", "embedded"};
    return names[static_cast<std::size_t>(source)];
}
// Finds the source of that name; false if there is none.
[[nodiscard]] constexpr bool find_named(std::string_view text, device_source& found) noexcept {
    return detail::find_named(text, {device_source::hardware, device_source::embedded}, found);
}

// How many embedded GPUs of a chip a program may have side by side.
inline constexpr unsigned most_embedded_devices = 16;

// The text beside the name of a device whose values come from a recording.
inline constexpr std::string_view recorded_words = ", a recording: not measured now";

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_DEVICE_SOURCE_HPP
