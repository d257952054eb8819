// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI's callback calls.
#ifndef GPUPROF_SRC_SIM_CUPTI_CALLBACK_HPP
#define GPUPROF_SRC_SIM_CUPTI_CALLBACK_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_callback_calls(abi::cupti_table& calls);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_CALLBACK_HPP
