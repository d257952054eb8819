// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_records.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include <gpuprof/core/units.hpp>
#include <gpuprof/hw/abi/cupti_activity_enums.hpp>
#include <gpuprof/hw/activity/device.hpp>
#include <gpuprof/hw/activity/environment.hpp>
#include <gpuprof/hw/activity/pcie.hpp>

#include "../chip/chip_model.hpp"
#include "../gpu/activity_batch.hpp"
#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "device.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

[[nodiscard]] static activity::uuid activity_uuid_of(CUdevice device) {
    CUuuid const own = device_identity(*find_device(device), device);
    activity::uuid uuid;
    static_assert(sizeof uuid.bytes == sizeof own.bytes);
    std::memcpy(uuid.bytes, own.bytes, sizeof own.bytes);
    return uuid;
}

void record_device(activity_batch& records, CUdevice device) {
    if (!activity_log::is_on()) return;
    chip_model const& chip = *find_device(device);
    auto const attribute = [&](CUdevice_attribute which) {
        return static_cast<std::uint32_t>(attribute_of(chip, which, device).value_or(0));
    };
    auto const size = [&](CUdevice_attribute which) { return bytes{static_cast<double>(attribute(which))}; };
    activity::device record;
    record.id = static_cast<std::uint32_t>(device);
    record.name = chip.device_name;
    record.uuid = activity_uuid_of(device);
    record.flags = CUPTI_ACTIVITY_FLAG_DEVICE_CONCURRENT_KERNELS;
    record.capability_first = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    record.capability_second = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    record.memory_bandwidth = static_cast<std::uint64_t>(32 * chip.dram_hz * chip.count(hardware_unit::dram) / 1000);
    record.memory = bytes{static_cast<double>(chip.memory_bytes)};
    record.constant_memory = size(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
    record.l2_cache = size(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    record.threads_per_warp = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    record.core_clock = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    record.copy_engines = attribute(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    record.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    record.max_ipc = chip.lanes.issues;
    record.max_warps_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32;
    record.max_blocks_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    record.max_shared_memory_per_multiprocessor = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    record.max_registers_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    record.max_registers_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    record.max_shared_memory_per_block = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    record.max_threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    record.max_block = {1024, 1024, 64};
    record.max_grid = {2147483647, 65535, 65535};
    record.cuda_visible = true;
    record.mig = false;
    record.is_numa_node = false;
    record.tpcs = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) / 2;
    records.add(CUPTI_ACTIVITY_KIND_DEVICE, nullptr, record);
}

void record_bus(activity_batch& records, CUdevice device) {
    chip_model const& chip = *find_device(device);
    activity::pcie record;
    record.type = activity::pcie_device_type::gpu;
    record.id = static_cast<std::uint32_t>(device);
    record.generation = chip.link.pcie_generation;
    record.link_rate = chip.link.megatransfers / 1000;
    record.link_width = 16;
    record.upstream_bus = static_cast<std::uint32_t>(device + 1) & 0xff;
    record.device_uuid = activity_uuid_of(device);
    activity::peer_list peers;
    for (auto& peer : peers.devices) peer = -1;
    std::size_t count = 0;
    for (CUdevice other = 0; find_device(other) != nullptr && count < std::size(peers.devices); ++other)
        if (shared().registry.are_peers(device, other)) peers.devices[count++] = other;
    record.peers = peers;
    records.add(CUPTI_ACTIVITY_KIND_PCIE, nullptr, record);
}

void record_clocks(activity_batch& records, CUdevice device) {
    chip_model const& chip = *find_device(device);
    activity::environment record;
    record.device = static_cast<std::uint32_t>(device);
    record.time = shared().activity.time.line().at(shared().clock.now());
    record.kind = activity::environment_kind::speed;
    record.sm_clock = static_cast<std::uint32_t>(chip.gpc_hz / 1e6);
    record.memory_clock = static_cast<std::uint32_t>(chip.dram_hz / 1e6);
    record.pcie_generation = chip.link.pcie_generation;
    record.pcie_width = 16;
    record.throttle_reasons = 0;
    records.add(CUPTI_ACTIVITY_KIND_ENVIRONMENT, nullptr, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
