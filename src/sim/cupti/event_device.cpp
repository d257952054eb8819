// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_device.hpp"

#include "../counters/event_table.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

[[nodiscard]] static std::uint64_t frame_buffers(event_table const& catalogue) noexcept {
    return catalogue.domains()[1].limits.total; // that of the memory partitions, on every chip
}

CUptiResult device_get_attribute(CUdevice device, CUpti_DeviceAttribute attribute, std::size_t* size, void* value) {
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
        case CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS: return wide(frame_buffers(*of.catalogue));
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

CUptiResult device_get_timestamp(CUcontext context, std::uint64_t* nanoseconds) {
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (nanoseconds == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *nanoseconds = shared().registry.totals(context)[raw_counter::gpu_time_ns];
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
