// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a frame sampler lost, and how late its values are.
#ifndef GPUPROF_FRAMES_FRAME_LOSSES_HPP
#define GPUPROF_FRAMES_FRAME_LOSSES_HPP

#include <cstdint>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Data that frames lack, counted since the sampler began.
struct frame_losses {
    std::uint64_t scopes = 0;      // whose name found no room: see frame_options::max_scopes
    std::uint64_t untimed = 0;     // frames without GPU time: the GPU was 14 frames behind
    std::uint64_t incomplete = 0;  // frames without a value of an enabled counter: samples were lost
    std::uint64_t overflows = 0;   // times that the hardware or the sampler lost samples
    std::uint64_t allocations = 0; // missing in driver.memory: see frame_options::allocations
    std::uint64_t busy_times = 0;  // frames without a busy time, or with less of it: records were late or too many
};

// How many frames pass until a frame has values, or until it is certain that it will have none;
// frame_losses counts the latter.
struct frame_lateness {
    std::uint64_t gpu_time = 0;
    std::uint64_t counters = 0;
    std::uint64_t worst_gpu_time = 0;
    std::uint64_t worst_counters = 0;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_LOSSES_HPP
