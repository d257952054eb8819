// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of CUPTI's event and metric APIs in the CUPTI table.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_event_calls(abi::cupti_table& calls) noexcept;
void add_metric_calls(abi::cupti_table& calls) noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_HPP
