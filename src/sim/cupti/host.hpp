// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiler host calls for the embedded GPU's chips: enumerate and configure. Answers,
// errors included, are those of CUPTI 13.0 where that was observed; where it crashes, these say
// CUPTI_ERROR_INVALID_PARAMETER.
#ifndef GPUPROF_SRC_SIM_CUPTI_HOST_HPP
#define GPUPROF_SRC_SIM_CUPTI_HOST_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/metric/base_metric.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// Also the calls of evaluate.hpp.
void add_host_calls(abi::cupti_table& calls) noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_HOST_HPP
