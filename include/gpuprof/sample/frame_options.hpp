// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How frames are sampled. Layer: sample.
#ifndef GPUPROF_SAMPLE_FRAME_OPTIONS_HPP
#define GPUPROF_SAMPLE_FRAME_OPTIONS_HPP

#include <cstddef> // std::size_t
#include <cstdint> // numbers of frames

#include "../core/device_source.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// The defaults suit a program that makes 60 frames a second. Memory: 16 bytes * history for each quantity, counter and scope;
// 16 bytes * 2 * allocations; what PM sampling takes.
struct frame_options {
    double budget_us =
        50; // of the host, a frame: a thread beside the frames decodes samples; 0: no budget, and no thread
    std::size_t history = 240;      // frames that statistics are of
    std::size_t max_scopes = 64;    // names of scopes; those over it are counted
    std::uint32_t rotation = 4;     // frames until the next group of counters, where the hardware has too few for all
    bool slow_rotation = false;     // go round groups, too, where it takes 0.1 s each time (PM sampling)
    bool driver_counters = true;    // listen to calls of the driver
    bool gpu_times = true;          // two events a frame
    std::size_t allocations = 4096; // of device memory, that are remembered
    abi::CUstream stream = nullptr; // that frames are in; null: the context's default stream
    // Of PM sampling: the interval of samples, or, if it is 0, one that suits frames of this length.
    sampling_interval interval{0};
    double expected_frame_us = 16'667;
    std::size_t buffer_bytes = std::size_t{64} << 20; // of the hardware: see pm_options
};

namespace detail {

// Eight samples a frame, and no more than one in half a millisecond. To decode takes a thread of an H200 more than half of the time
// that is sampled, however many samples that is; and one in 375 is lost, when one of CUPTI's two images of them is full.
[[nodiscard]] constexpr sampling_interval interval_for(double frame_us, device_source source) noexcept {
    double const nanoseconds = frame_us * 1000 / 8;
    double const shortest = source == device_source::hardware ? 500'000 : 2'000, longest = 1'000'000'000;
    double const within = nanoseconds < shortest ? shortest : nanoseconds > longest ? longest : nanoseconds;
    return sampling_interval::nanoseconds(static_cast<std::uint64_t>(within));
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_FRAME_OPTIONS_HPP
