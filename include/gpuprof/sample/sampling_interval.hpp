// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The length of a sample.
#ifndef GPUPROF_SAMPLE_SAMPLING_INTERVAL_HPP
#define GPUPROF_SAMPLE_SAMPLING_INTERVAL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../core/error.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/samplers/pm_session.hpp"

GPUPROF_NAMESPACE_BEGIN

// The time, or the cycles of the GPU's system clock, from one sample to the next. An H200 samples
// every 1,000 ns without a measurable effect on running work; at 500 ns its buffer of 512 MiB was
// full after 63 ms.
struct sampling_interval {
    std::uint64_t length = 2000;
    bool by_cycles = false;

    [[nodiscard]] static constexpr sampling_interval nanoseconds(std::uint64_t count) noexcept {
        return {count, false};
    }
    [[nodiscard]] static constexpr sampling_interval cycles(std::uint64_t count) noexcept { return {count, true}; }
    // "2000 ns"
    [[nodiscard]] std::string text() const { return std::to_string(length) + (by_cycles ? " cycles" : " ns"); }
    friend constexpr bool operator==(sampling_interval, sampling_interval) = default;
};

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

#endif // GPUPROF_SAMPLE_SAMPLING_INTERVAL_HPP
