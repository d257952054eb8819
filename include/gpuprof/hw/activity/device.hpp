// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a device and its limits.
#ifndef GPUPROF_HW_ACTIVITY_DEVICE_HPP
#define GPUPROF_HW_ACTIVITY_DEVICE_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A device and its limits.
struct device {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_DEVICE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityDevice3", 152},
                                            {release(11, 6), "CUpti_ActivityDevice4", 176},
                                            {release(12, 2), "CUpti_ActivityDevice5", 184},
                                            {release(13, 2), "CUpti_ActivityDevice6", 192}};

    std::uint32_t id = 0;
    std::string_view name{};
    activity::uuid uuid{};
    std::uint32_t flags = 0; // bit 0: kernels can run concurrently
    std::uint32_t capability_first = 0;
    std::uint32_t capability_second = 0;
    std::uint64_t memory_bandwidth = 0; // kilobytes a second
    gpuprof::bytes memory{};
    gpuprof::bytes constant_memory{};
    gpuprof::bytes l2_cache{};
    std::uint32_t threads_per_warp = 0;
    std::uint32_t core_clock = 0; // kHz
    std::uint32_t copy_engines = 0;
    std::uint32_t multiprocessors = 0;
    std::uint32_t max_ipc = 0; // instructions a cycle of a multiprocessor
    std::uint32_t max_warps_per_multiprocessor = 0;
    std::uint32_t max_blocks_per_multiprocessor = 0;
    gpuprof::bytes max_shared_memory_per_multiprocessor{};
    std::uint32_t max_registers_per_multiprocessor = 0;
    std::uint32_t max_registers_per_block = 0;
    gpuprof::bytes max_shared_memory_per_block{};
    std::uint32_t max_threads_per_block = 0;
    dimensions max_block{};
    dimensions max_grid{};
    bool ecc = false;
    bool cuda_visible = false; // not hidden by CUDA_VISIBLE_DEVICES
    std::optional<bool> mig{};
    std::optional<std::uint32_t> gpu_instance{};     // with MIG
    std::optional<std::uint32_t> compute_instance{}; // with MIG
    std::optional<activity::uuid> mig_uuid{};
    std::optional<bool> is_numa_node{};
    std::optional<std::uint32_t> numa_node{};
    std::optional<std::uint32_t> tpcs{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 112, 4, id);
        row("name", 136, 8, name);
        row("uuid", 120, 16, uuid);
        row("flags", 4, 4, flags);
        row("computeCapabilityMajor", 104, 4, capability_first);
        row("computeCapabilityMinor", 108, 4, capability_second);
        row("globalMemoryBandwidth", 8, 8, memory_bandwidth);
        row("globalMemorySize", 16, 8, memory);
        row("constantMemorySize", 24, 4, constant_memory);
        row("l2CacheSize", 28, 4, l2_cache);
        row("numThreadsPerWarp", 32, 4, threads_per_warp);
        row("coreClockRate", 36, 4, core_clock);
        row("numMemcpyEngines", 40, 4, copy_engines);
        row("numMultiprocessors", 44, 4, multiprocessors);
        row("maxIPC", 48, 4, max_ipc);
        row("maxWarpsPerMultiprocessor", 52, 4, max_warps_per_multiprocessor);
        row("maxBlocksPerMultiprocessor", 56, 4, max_blocks_per_multiprocessor);
        row("maxSharedMemoryPerMultiprocessor", 60, 4, max_shared_memory_per_multiprocessor);
        row("maxRegistersPerMultiprocessor", 64, 4, max_registers_per_multiprocessor);
        row("maxRegistersPerBlock", 68, 4, max_registers_per_block);
        row("maxSharedMemoryPerBlock", 72, 4, max_shared_memory_per_block);
        row("maxThreadsPerBlock", 76, 4, max_threads_per_block);
        row("maxBlockDimX", 80, 4, max_block.x);
        row("maxBlockDimY", 84, 4, max_block.y);
        row("maxBlockDimZ", 88, 4, max_block.z);
        row("maxGridDimX", 92, 4, max_grid.x);
        row("maxGridDimY", 96, 4, max_grid.y);
        row("maxGridDimZ", 100, 4, max_grid.z);
        row("eccEnabled", 116, 4, ecc);
        row("isCudaVisible", 144, 1, cuda_visible);
        row("isMigEnabled", 145, 1, mig, since(11, 6));
        row("gpuInstanceId", 152, 4, gpu_instance, since(11, 6));
        row("computeInstanceId", 156, 4, compute_instance, since(11, 6));
        row("migUuid", 160, 16, mig_uuid, since(11, 6));
        row("isNumaNode", 176, 4, is_numa_node, since(12, 2));
        row("numaId", 180, 4, numa_node, since(12, 2));
        row("numTpcs", 184, 4, tpcs, since(13, 2));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_DEVICE_HPP
