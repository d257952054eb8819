// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's device attributes and timestamps for the embedded GPU.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_DEVICE_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_DEVICE_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// In kilobytes a second.
[[nodiscard]] constexpr std::uint64_t memory_bandwidth(chip_model const& chip) noexcept {
    return static_cast<std::uint64_t>(32 * chip.dram_hz * chip.count(hardware_unit::dram) / 1000);
}

} // namespace detail

CUptiResult device_get_attribute(CUdevice device, CUpti_DeviceAttribute attribute, std::size_t* size, void* value);

// The time that the context's kernels took so far, modelled: it passes with work alone.
CUptiResult device_get_timestamp(CUcontext context, std::uint64_t* nanoseconds);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_DEVICE_HPP
