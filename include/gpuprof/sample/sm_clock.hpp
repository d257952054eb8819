// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock that a device runs at, from the driver's management library. Layer: sample.
#ifndef GPUPROF_SAMPLE_SM_CLOCK_HPP
#define GPUPROF_SAMPLE_SM_CLOCK_HPP

#include <cstddef> // std::size_t
#include <string>  // bus ids

#include "../hw/machine/device.hpp"
#include "../hw/provided/neighbours.hpp"
#include "../hw/provided/nvml.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Asks for the clock of one device's multiprocessors. Of an embedded GPU, and where the library does not tell, it is 0.
GPUPROF_LAZY class basic_sm_clock {
public:
    // Cost: milliseconds, for the first in a process that loads the library.
    explicit basic_sm_clock(device const& gpu, hw::provided::nvml_table const* library = nullptr) {
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
        bool const told = found_ && library_->most_clock != nullptr &&
                          library_->most_clock(handle_, hw::provided::nvml_sm_clock, &megahertz) == 0;
        return told ? megahertz : 0;
    }

private:
    hw::provided::nvml_table const* library_ = nullptr;
    hw::provided::nvml_device handle_{};
    bool found_ = false;
};
using sm_clock = basic_sm_clock<>;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SM_CLOCK_HPP
