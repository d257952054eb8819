// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver calls about versions, the names of errors, and devices.
#ifndef GPUPROF_SRC_SIM_DRIVER_DEVICE_HPP
#define GPUPROF_SRC_SIM_DRIVER_DEVICE_HPP

#include <cstddef>
#include <optional>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
}

namespace sim::driver {

abi::CUresult driver_get_version(int* version);
abi::CUresult legacy_driver_get_version(int* version);

abi::CUresult get_error_name(abi::CUresult status, char const** text);

// A sentence for each status that this driver returns, the status's name for all others.
abi::CUresult get_error_string(abi::CUresult status, char const** text);

abi::CUresult device_get_count(int* count);
abi::CUresult device_get(abi::CUdevice* device, int ordinal);
abi::CUresult device_get_name(char* name, int length, abi::CUdevice device);

// "gpuprof", how the device collects, its chip's name and its number: the same in every process.
[[nodiscard]] abi::CUuuid device_identity(chip_model const& chip, abi::CUdevice device);

abi::CUresult device_get_uuid(abi::CUuuid* uuid, abi::CUdevice device);
abi::CUresult device_total_mem(std::size_t* bytes, abi::CUdevice device);
abi::CUresult device_get_pci_bus_id(char* id, int length, abi::CUdevice device);

// The attribute of a device of that chip; nothing if CUDA 13.0 does not have the attribute. Zero if
// the embedded GPU lacks the feature: textures and surfaces, for example.
[[nodiscard]] std::optional<int> attribute_of(chip_model const& chip, abi::CUdevice_attribute which,
                                              abi::CUdevice device);

abi::CUresult device_get_attribute(int* value, abi::CUdevice_attribute which, abi::CUdevice device);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_DEVICE_HPP
