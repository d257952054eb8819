// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interval of samples that a device can use.
#ifndef GPUPROF_SAMPLE_DEVICE_INTERVAL_HPP
#define GPUPROF_SAMPLE_DEVICE_INTERVAL_HPP

#include <cstdint>
#include <string_view>

#include "../hw/machine/device.hpp"
#include "sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Turing and GA100 have no intervals of time (CUPTI 12.6, PM sampling).
[[nodiscard]] constexpr bool samples_by_time(std::string_view chip) noexcept {
    return !chip.starts_with("TU") && chip != "GA100";
}

// The interval that the device can use: without intervals of time, the cycles of its clock that
// take as long.
[[nodiscard]] inline sampling_interval interval_on(device const& gpu, sampling_interval asked) {
    if (asked.by_cycles || samples_by_time(gpu.chip())) return asked;
    auto const kilohertz = static_cast<std::uint64_t>(gpu.attribute(abi::CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
    std::uint64_t const cycles = asked.length * kilohertz / 1'000'000;
    return sampling_interval::cycles(cycles != 0 ? cycles : 1);
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_DEVICE_INTERVAL_HPP
