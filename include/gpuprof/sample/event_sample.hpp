// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sample of events.
#ifndef GPUPROF_SAMPLE_EVENT_SAMPLE_HPP
#define GPUPROF_SAMPLE_EVENT_SAMPLE_HPP

#include <cstdint>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Counts since the previous sample, for the whole device; NaN for a counter that overflowed.
struct event_sample {
    std::uint64_t timestamp_ns = 0; // cuptiGetTimestamp after the reading; 0 without it
    std::vector<double> counts{};   // in the requested order
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_EVENT_SAMPLE_HPP
