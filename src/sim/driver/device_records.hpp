// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the activity records of devices, of the bus they are on, and of their clocks.
#ifndef GPUPROF_SRC_SIM_DRIVER_DEVICE_RECORDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_DEVICE_RECORDS_HPP

#include <gpuprof/hw/abi/driver_types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
class activity_batch;
}

namespace sim::driver {

// @pre the device exists, here and below
void record_device(activity_batch& records, abi::CUdevice device);

// The device is on the bus without a bridge, as cuDeviceGetPCIBusId says.
void record_bus(activity_batch& records, abi::CUdevice device);

// The clocks of the chip's model, which never change.
void record_clocks(activity_batch& records, abi::CUdevice device);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_DEVICE_RECORDS_HPP
