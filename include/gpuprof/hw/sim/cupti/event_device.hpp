// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's device attributes and timestamps for the embedded GPU. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_EVENT_DEVICE_HPP
#define GPUPROF_HW_SIM_CUPTI_EVENT_DEVICE_HPP

#include <cstddef> // std::size_t
#include <cstdint> // values

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "answer.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

[[nodiscard]] constexpr std::uint64_t memory_bandwidth(chip_model const& chip) noexcept { // in kilobytes a second
    return static_cast<std::uint64_t>(32 * chip.dram_hz * chip.count(hardware_unit::dram) / 1000);
}
[[nodiscard]] inline std::uint64_t frame_buffers(event_table const& catalogue) noexcept {
    return catalogue.domains()[1].limits.total; // that of the memory partitions, on every chip
}

} // namespace detail

inline CUptiResult device_get_attribute(CUdevice device, CUpti_DeviceAttribute attribute, std::size_t* size,
                                        void* value) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    chip_model const& chip = of.catalogue->chip();
    auto const sms = static_cast<std::uint64_t>(chip.count(hardware_unit::sm));
    auto const narrow = [=](std::uint64_t n) { return detail::put(static_cast<std::uint32_t>(n), size, value); };
    auto const wide = [=](std::uint64_t n) { return detail::put(n, size, value); };
    switch (attribute) {
        case CUPTI_DEVICE_ATTR_MAX_EVENT_ID: return narrow(of.catalogue->events().size());
        case CUPTI_DEVICE_ATTR_MAX_EVENT_DOMAIN_ID: return narrow(of.catalogue->listed_domains());
        case CUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH: return wide(detail::memory_bandwidth(chip));
        case CUPTI_DEVICE_ATTR_INSTRUCTION_PER_CYCLE: return narrow(chip.lanes.issues);
        case CUPTI_DEVICE_ATTR_INSTRUCTION_THROUGHPUT_SINGLE_PRECISION:
            return wide(sms * chip.lanes.fp32 * static_cast<std::uint64_t>(chip.gpc_hz));
        case CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS: return wide(detail::frame_buffers(*of.catalogue));
        case CUPTI_DEVICE_ATTR_PCIE_LINK_RATE: return wide(chip.link.megatransfers);
        case CUPTI_DEVICE_ATTR_PCIE_LINK_WIDTH: return wide(16);
        case CUPTI_DEVICE_ATTR_PCIE_GEN: return wide(chip.link.pcie_generation);
        case CUPTI_DEVICE_ATTR_DEVICE_CLASS: return detail::put(CUPTI_DEVICE_ATTR_DEVICE_CLASS_TESLA, size, value);
        case CUPTI_DEVICE_ATTR_FLOP_SP_PER_CYCLE: return wide(2 * sms * chip.lanes.fp32);
        case CUPTI_DEVICE_ATTR_FLOP_DP_PER_CYCLE: return wide(2 * sms * chip.lanes.fp64);
        case CUPTI_DEVICE_ATTR_FLOP_HP_PER_CYCLE: return wide(2 * sms * chip.lanes.fp16);
        case CUPTI_DEVICE_ATTR_MAX_L2_UNITS: return wide(static_cast<std::uint64_t>(chip.count(hardware_unit::lts)));
        case CUPTI_DEVICE_ATTR_MAX_SHARED_MEMORY_CACHE_CONFIG_PREFER_SHARED: return wide(chip.shared_preferred.shared);
        case CUPTI_DEVICE_ATTR_MAX_SHARED_MEMORY_CACHE_CONFIG_PREFER_L1: return wide(chip.shared_preferred.l1);
        case CUPTI_DEVICE_ATTR_MAX_SHARED_MEMORY_CACHE_CONFIG_PREFER_EQUAL: return wide(chip.shared_preferred.equal);
        case CUPTI_DEVICE_ATTR_NVLINK_PRESENT:
        case CUPTI_DEVICE_ATTR_NVSWITCH_PRESENT: return narrow(0);
        case CUPTI_DEVICE_ATTR_GPU_CPU_NVLINK_BW: return wide(0);
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

// The time that the context's kernels took so far, modelled: it passes with work alone.
inline CUptiResult device_get_timestamp(CUcontext context, std::uint64_t* nanoseconds) {
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (nanoseconds == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *nanoseconds = gpu_registry::instance().totals(context)[raw_counter::gpu_time_ns];
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_EVENT_DEVICE_HPP
