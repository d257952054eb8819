// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profiler does to the caches before it measures.
#ifndef GPUPROF_HW_COUNTERS_CACHE_CONTROL_HPP
#define GPUPROF_HW_COUNTERS_CACHE_CONTROL_HPP

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// How measured code finds the caches. Bytes of device memory, hits and times depend on it.
enum class cache_control : unsigned char {
    leave, // as the application left them: what a program meets in use
    flush  // without its data and without anything to write back, as Nsight Compute does by default
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_CACHE_CONTROL_HPP
