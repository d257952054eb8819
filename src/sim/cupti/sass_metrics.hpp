// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's SASS metric calls for the embedded GPU. Counts are of the instructions that ptxas would
// emit, so they are estimates as those of kernels are. Refusals are those that CUPTI's header
// documents and an H200 gave (CUPTI 13.5); where they say nothing, the comment does.
#ifndef GPUPROF_SRC_SIM_CUPTI_SASS_METRICS_HPP
#define GPUPROF_SRC_SIM_CUPTI_SASS_METRICS_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_sass_metric_calls(abi::cupti_table& calls) noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_SASS_METRICS_HPP
