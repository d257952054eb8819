// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI hears an OpenMP runtime, and writes records of its regions (CUPTI 12.0, 1.1.19).
#ifndef GPUPROF_SRC_SIM_CUPTI_OPENMP_HPP
#define GPUPROF_SRC_SIM_CUPTI_OPENMP_HPP

#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// 1 if the runtime is heard, else 0, as OMPT has it. Records are parallel regions, tasks (the implicit ones, each thread's
// part of a region, too), threads, and waits at barriers and for tasks. OpenMP 5.0 tells of no idle threads.
[[nodiscard]] CUptiResult openmp_initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t* tool_data);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_OPENMP_HPP
