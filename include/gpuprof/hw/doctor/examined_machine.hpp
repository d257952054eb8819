// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts behind findings: a machine's tables, its devices and its surroundings.
#ifndef GPUPROF_HW_DOCTOR_EXAMINED_MACHINE_HPP
#define GPUPROF_HW_DOCTOR_EXAMINED_MACHINE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../core/compute_capability.hpp"
#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "../machine/machine.hpp"
#include "../machine/status.hpp"
#include "device_name.hpp"
#include "surroundings.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A device of the driver. Without a context: the doctor changes nothing.
struct examined_device {
    int ordinal = 0;
    bool answers = false; // if not, the members below are unknown
    abi::CUdevice handle = 0;
    std::string name;
    compute_capability capability;
    vgpu_profile vgpu = vgpu_profile::none; // by its name, or as CUPTI says
    bool has_counters = false;              // that this program can use

    // "device 1"
    [[nodiscard]] std::string text() const { return "device " + std::to_string(ordinal); }
};

// Refers to the given machine and surroundings.
class examined_machine {
public:
    using supports_function = bool(compute_capability);

    // Starts the driver, if there is one, and asks for its devices.
    // @param supports whether this program has counter hardware for a capability
    // @param only the number of the only device to examine; -1: all
    [[nodiscard]] static examined_machine of(machine const& on, surroundings const& here, supports_function* supports,
                                             int only = -1) {
        examined_machine seen{on, here};
        seen.find_devices(supports, only);
        return seen;
    }

    [[nodiscard]] machine const& on() const noexcept { return on_; }
    [[nodiscard]] surroundings const& here() const noexcept { return here_; }
    [[nodiscard]] bool has_driver() const noexcept { return !on_.driver_error; }
    [[nodiscard]] bool has_cupti() const noexcept { return !on_.cupti_error; }
    // Why the driver does not list its devices; nothing if it does, or if there is no driver.
    [[nodiscard]] std::optional<error> const& devices_error() const noexcept { return devices_error_; }
    [[nodiscard]] std::vector<examined_device> const& devices() const noexcept { return devices_; }

    // The number of the only examined device; -1: all.
    [[nodiscard]] int only() const noexcept { return only_; }

    // A device attribute; nothing if the driver does not know it. @pre the device answers
    [[nodiscard]] std::optional<int> attribute(examined_device const& of, abi::CUdevice_attribute which) const {
        int value = 0;
        if (on_.driver.DeviceGetAttribute(&value, which, of.handle) != abi::CUDA_SUCCESS) return std::nullopt;
        return value;
    }

private:
    examined_machine(machine const& on, surroundings const& here) : on_{on}, here_{here} {}

    void find_devices(supports_function* supports, int only) {
        only_ = only;
        if (!has_driver()) return;
        if (auto status = on_.driver.Init(0)) {
            devices_error_ = explain("cuInit", status);
            return;
        }
        int count = 0;
        if (auto status = on_.driver.DeviceGetCount(&count)) {
            devices_error_ = explain("cuDeviceGetCount", status);
            return;
        }
        for (int ordinal = 0; ordinal < count; ++ordinal) {
            if (only >= 0 && ordinal != only) continue;
            examined_device device;
            device.ordinal = ordinal;
            ask(device);
            device.has_counters = device.answers && supports(device.capability);
            devices_.push_back(std::move(device));
        }
    }
    void ask(examined_device& device) const {
        char text[256] = {};
        if (on_.driver.DeviceGet(&device.handle, device.ordinal) ||
            on_.driver.DeviceGetName(text, sizeof text - 1, device.handle))
            return;
        auto const generation = attribute(device, abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        auto const revision = attribute(device, abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        if (!generation || !revision) return;
        device.name = text;
        device.capability = {*generation, *revision};
        device.vgpu = vgpu_profile_of(text);
        if (device.vgpu == vgpu_profile::none && cupti_calls_virtual(device)) device.vgpu = vgpu_profile::whole;
        device.answers = true;
    }
    [[nodiscard]] bool cupti_calls_virtual(examined_device const& device) const {
        abi::CUpti_DeviceVirtualizationMode mode{};
        return on_.cupti.DeviceVirtualizationMode != nullptr &&
               on_.cupti.DeviceVirtualizationMode(device.handle, &mode) == abi::CUPTI_SUCCESS &&
               mode == abi::CUPTI_DEVICE_VIRTUALIZATION_MODE_VIRTUAL_GPU;
    }

    machine const& on_;
    surroundings const& here_;
    std::optional<error> devices_error_;
    std::vector<examined_device> devices_;
    int only_ = -1;
};

} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_EXAMINED_MACHINE_HPP
