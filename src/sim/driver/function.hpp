// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver calls about kernels: their names, and the resources that they need.
#ifndef GPUPROF_SRC_SIM_DRIVER_FUNCTION_HPP
#define GPUPROF_SRC_SIM_DRIVER_FUNCTION_HPP

#include <cstddef>
#include <optional>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
}

namespace sim::driver {

struct function_state;

// The attribute of a function on that chip; nothing for what is no attribute.
[[nodiscard]] std::optional<int> attribute_of(chip_model const& chip, function_state const& function,
                                              abi::CUfunction_attribute attribute);

// The register count is an estimate from the PTX, because there is no machine code. Shared, local
// and constant memory are in bytes.
abi::CUresult func_get_attribute(int* value, abi::CUfunction_attribute attribute, abi::CUfunction function);

// Of the attributes that can be set, only the limit of dynamic shared memory has an effect.
abi::CUresult func_set_attribute(abi::CUfunction function, abi::CUfunction_attribute attribute, int value);

// The preference has no effect.
abi::CUresult func_set_cache_config(abi::CUfunction function, abi::CUfunc_cache config);

// The text lives as long as the module.
abi::CUresult func_get_name(char const** name, abi::CUfunction function);

// Where a parameter lies in the buffer of a launch, and its bytes.
abi::CUresult func_get_param_info(abi::CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes);

// The embedded GPU has no libraries, so a kernel handle is a function handle.
abi::CUresult kernel_get_function(abi::CUfunction* function, abi::CUkernel kernel);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_FUNCTION_HPP
