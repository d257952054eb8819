// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock frequency of a device, from the driver's management library.
#ifndef GPUPROF_SAMPLE_SM_CLOCK_HPP
#define GPUPROF_SAMPLE_SM_CLOCK_HPP

#include <cstddef>
#include <string>

#include "../hw/machine/device.hpp"
#include "../hw/counters/uncounted/neighbours.hpp"
#include "../hw/counters/uncounted/nvml.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Reads the clock of a device's multiprocessors. 0 on the embedded GPU, and if the library does not
// say.
class sm_clock {
public:
    // Cost: milliseconds, for the first one in a process, which loads the library.
    explicit sm_clock(device const& gpu, hw::provided::nvml_table const* library = nullptr) {
        if (gpu.source() == device_source::embedded && library == nullptr) return;
        library_ = library != nullptr ? library : &hw::provided::nvml();
        if (library_->handle_by_bus_id == nullptr || library_->clock == nullptr) return;
        for (auto const& each : hw::provided::neighbours_of(gpu))
            if (each.ordinal == gpu.ordinal() && library_->handle_by_bus_id(each.bus_id.c_str(), &handle_) == 0)
                found_ = true;
    }

    // In MHz. Cost: one call of the library.
    [[nodiscard]] unsigned now() const noexcept {
        unsigned megahertz = 0;
        return found_ && library_->clock(handle_, hw::provided::nvml_sm_clock, &megahertz) == 0 ? megahertz : 0;
    }
    [[nodiscard]] unsigned most() const noexcept {
        unsigned megahertz = 0;
        bool const has_value = found_ && library_->most_clock != nullptr &&
                               library_->most_clock(handle_, hw::provided::nvml_sm_clock, &megahertz) == 0;
        return has_value ? megahertz : 0;
    }

private:
    hw::provided::nvml_table const* library_ = nullptr;
    hw::provided::nvml_device handle_{};
    bool found_ = false;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SM_CLOCK_HPP
