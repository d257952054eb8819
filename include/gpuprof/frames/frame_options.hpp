// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a frame sampler.
#ifndef GPUPROF_FRAMES_FRAME_OPTIONS_HPP
#define GPUPROF_FRAMES_FRAME_OPTIONS_HPP

#include <cstddef>
#include <cstdint>

#include "../core/device_source.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "../sample/sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// The defaults suit a program with 60 frames a second. Memory: 16 bytes * history for each
// quantity, counter and scope; 16 bytes * 2 * allocations; that of PM sampling.
struct frame_options {
    // Of the host, a frame. With a budget a thread decodes samples beside the frames; 0: no budget,
    // and no thread.
    double budget_us = 50;
    std::size_t history = 240;      // frames in the statistics
    std::size_t max_scopes = 64;    // names of scopes; more are counted
    std::uint32_t rotation = 4;     // frames until the next group of counters, if they do not fit at once
    bool slow_rotation = false;     // change groups even if it takes 0.1 s each time (PM sampling)
    bool driver_counters = true;    // listen to calls of the driver
    bool gpu_times = true;          // two events a frame
    std::size_t allocations = 4096; // of device memory that are tracked
    abi::CUstream stream = nullptr; // of the frames; null: the context's default stream
    // The interval of PM samples; 0: one that suits frames of this length.
    sampling_interval interval{0};
    double expected_frame_us = 16'667;
    std::size_t buffer_bytes = std::size_t{64} << 20; // of the hardware: see pm_options
};

namespace detail {

// Eight samples a frame, but at most one in half a millisecond. Decoding takes a thread of an H200
// more than half of the sampled time, however many samples there are; and one in 375 is lost when
// one of CUPTI's two images is full.
[[nodiscard]] constexpr sampling_interval interval_for(double frame_us, device_source source) noexcept {
    double const nanoseconds = frame_us * 1000 / 8;
    double const shortest = source == device_source::hardware ? 500'000 : 2'000, longest = 1'000'000'000;
    double const within = nanoseconds < shortest ? shortest : nanoseconds > longest ? longest : nanoseconds;
    return sampling_interval::nanoseconds(static_cast<std::uint64_t>(within));
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_OPTIONS_HPP
