// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the activity records of code: PTX that was compiled, kernels that were looked up.
#ifndef GPUPROF_SRC_SIM_DRIVER_CODE_RECORDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_CODE_RECORDS_HPP

#include <cstddef>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct function_state;
struct module_state;

// A module of `size` bytes of PTX was compiled. While activity is recorded this takes the host
// modelled time. There is no cache of compiled code.
void record_compilation(call& in, module_state const& module, std::size_t size);

// Call it before the function is added to `module.functions`.
void record_function(call& in, function_state& function, module_state& module);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CODE_RECORDS_HPP
