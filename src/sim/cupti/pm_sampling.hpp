// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PM sampling calls for the embedded GPU: samples of simulated time. What a kernel counts
// is spread evenly over its time, so that samples are estimated, whatever the metric; the sum of a
// kernel's samples is what it counted. Answers, errors included, are those of CUPTI 13.0 on an H200
// where that was observed.
#ifndef GPUPROF_SRC_SIM_CUPTI_PM_SAMPLING_HPP
#define GPUPROF_SRC_SIM_CUPTI_PM_SAMPLING_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_pm_sampling_calls(abi::cupti_table& calls) noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_PM_SAMPLING_HPP
