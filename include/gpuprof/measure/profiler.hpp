// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiler that chooses its counter hardware by the device at hand. Layer: measure.
#ifndef GPUPROF_MEASURE_PROFILER_HPP
#define GPUPROF_MEASURE_PROFILER_HPP

#include "../hw/built_in/policies.hpp"
#include "basic_profiler.hpp"

GPUPROF_NAMESPACE_BEGIN

// See basic_profiler; name a policy there (basic_profiler<hw::range_hardware>) to choose when compiling.
using profiler = basic_profiler<hw::any_hardware>;

#if !GPUPROF_HEADER_ONLY
extern template class basic_profiler<hw::any_hardware>;
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PROFILER_HPP
