// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Primary contexts of the embedded GPU's driver: one a device, shared by all who retain it.
#ifndef GPUPROF_SRC_SIM_DRIVER_PRIMARY_HPP
#define GPUPROF_SRC_SIM_DRIVER_PRIMARY_HPP

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUresult device_primary_ctx_retain(CUcontext* context, CUdevice device);
CUresult device_primary_ctx_release(CUdevice device);
CUresult device_primary_ctx_get_state(CUdevice device, unsigned* flags, int* active);
CUresult device_primary_ctx_set_flags(CUdevice device, unsigned flags);

// Destroys the context, even a lost one. Those who retained it still have to release it. The next
// retain creates a new one.
CUresult device_primary_ctx_reset(CUdevice device);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_PRIMARY_HPP
