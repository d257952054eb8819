// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a device in the driver's management library.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_NVML_HANDLE_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_NVML_HANDLE_HPP

#include <optional>

#include "../../../detail/config.hpp"
#include "../../machine/device.hpp"
#include "neighbours.hpp"
#include "nvml.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// The library's handle of a device, by its place on the PCI bus; nothing where it does not know it.
[[nodiscard]] inline std::optional<nvml_device> handle_of(nvml_table const& library, device const& gpu) {
    if (library.missing || library.handle_by_bus_id == nullptr) return {};
    for (neighbour const& each : neighbours_of(gpu)) {
        nvml_device handle = nullptr;
        if (each.ordinal == gpu.ordinal() && library.handle_by_bus_id(each.bus_id.c_str(), &handle) == 0) return handle;
    }
    return {};
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_NVML_HANDLE_HPP
