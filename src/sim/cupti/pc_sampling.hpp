// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PC sampling calls for the embedded GPU. Samples are estimates: they share out the cycles
// of the model of time. Refusals are those that CUPTI's header documents; where it says nothing,
// the comment does.
#ifndef GPUPROF_SRC_SIM_CUPTI_PC_SAMPLING_HPP
#define GPUPROF_SRC_SIM_CUPTI_PC_SAMPLING_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// Also the calls of sass_to_source.hpp.
void add_pc_sampling_calls(abi::cupti_table& calls);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_PC_SAMPLING_HPP
