// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a sampled_profiler.
#ifndef GPUPROF_SAMPLE_SAMPLED_OPTIONS_HPP
#define GPUPROF_SAMPLE_SAMPLED_OPTIONS_HPP

#include <cstddef>
#include <cstdint>

#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// The defaults suit scopes of 16 us and longer. Memory: two events a scope, and see pm_options.
struct sampled_options {
    sampling_interval interval{};                      // a scope shorter than two is inconclusive
    std::size_t max_scopes = 4096;                     // of one burst; more are counted
    std::size_t max_streams = 16;                      // with scopes
    abi::CUstream stream = nullptr;                    // of scopes without a stream; null: the default stream
    std::size_t buffer_bytes = std::size_t{512} << 20; // of the hardware; see pm_options
    std::uint32_t image_samples =
        20'000; // of a burst at most: 40 ms of samples of 2 us; memory for those that there are
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLED_OPTIONS_HPP
