// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that a driver sees, by number, name and place on the PCI bus.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_NEIGHBOURS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_NEIGHBOURS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../../../detail/config.hpp"
#include "../../machine/device.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

struct neighbour {
    int ordinal = 0;
    std::string name;
    std::string bus_id; // "0000:0a:00.0", as /sys spells it; empty if the driver does not say
};

// "00000000:0A:00.0" as /sys spells it: four digits of the domain, lower case.
[[nodiscard]] inline std::string spelled_as_in_sys(std::string_view bus_id) {
    std::size_t const domain = bus_id.find(':');
    if (domain != bus_id.npos && domain > 4) bus_id.remove_prefix(domain - 4);
    std::string text{bus_id};
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// All devices of a driver, in its order. Cost: three calls of the driver a device.
[[nodiscard]] inline std::vector<neighbour> devices_of(abi::driver_table const& driver) {
    int count = 0;
    static_cast<void>(driver.DeviceGetCount(&count));
    std::vector<neighbour> all;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        abi::CUdevice handle = 0;
        char text[256] = {};
        if (driver.DeviceGet(&handle, ordinal) != abi::CUDA_SUCCESS) continue;
        neighbour found{ordinal, {}, {}};
        if (driver.DeviceGetName(text, sizeof text - 1, handle) == abi::CUDA_SUCCESS) found.name = text;
        if (driver.DeviceGetPCIBusId != nullptr &&
            driver.DeviceGetPCIBusId(text, sizeof text - 1, handle) == abi::CUDA_SUCCESS)
            found.bus_id = spelled_as_in_sys(text);
        all.push_back(found);
    }
    return all;
}
// All devices of the machine that `gpu` is of.
[[nodiscard]] inline std::vector<neighbour> neighbours_of(device const& gpu) { return devices_of(gpu.driver()); }

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_NEIGHBOURS_HPP
