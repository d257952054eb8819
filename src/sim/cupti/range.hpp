// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's range profiler calls for the embedded GPU. Answers, errors included, are those of CUPTI
// 13.0 on an H200 where that was observed; where it crashes, these give a status.
#ifndef GPUPROF_SRC_SIM_CUPTI_RANGE_HPP
#define GPUPROF_SRC_SIM_CUPTI_RANGE_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_range_calls(abi::cupti_table& calls) noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_RANGE_HPP
