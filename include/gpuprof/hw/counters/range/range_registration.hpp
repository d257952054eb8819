// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of backends with its end: the profiling API and the range profiler, which every program has. Whatever asks the
// list includes this header: registry.hpp lies below this folder and cannot.
#ifndef GPUPROF_HW_COUNTERS_RANGE_RANGE_REGISTRATION_HPP
#define GPUPROF_HW_COUNTERS_RANGE_RANGE_REGISTRATION_HPP

#include "../../../detail/config.hpp"
#include "../registry.hpp"

#if GPUPROF_HEADER_ONLY
#include "range_registration.inl.hpp"
#endif

#endif // GPUPROF_HW_COUNTERS_RANGE_RANGE_REGISTRATION_HPP
