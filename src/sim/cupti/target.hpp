// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiling calls before the range profiler, for the embedded GPU. They collect as the range profiler does.
// Answers are those that the documents say (CUPTI 12.0, 2.7); a call in the wrong order is CUPTI_ERROR_INVALID_OPERATION,
// which no document says.
#ifndef GPUPROF_SRC_SIM_CUPTI_TARGET_HPP
#define GPUPROF_SRC_SIM_CUPTI_TARGET_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_target_calls(abi::cupti_table& calls) noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_TARGET_HPP
