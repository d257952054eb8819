// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call that starts the embedded GPU's driver.
#ifndef GPUPROF_SRC_SIM_DRIVER_START_HPP
#define GPUPROF_SRC_SIM_DRIVER_START_HPP

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The first call writes the records of the devices.
CUresult init(unsigned flags);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_START_HPP
