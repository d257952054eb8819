// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a kernel that was launched by a kernel.
#ifndef GPUPROF_HW_ACTIVITY_CDP_KERNEL_HPP
#define GPUPROF_HW_ACTIVITY_CDP_KERNEL_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A kernel that was launched by a kernel.
struct cdp_kernel {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_CDP_KERNEL};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityCdpKernel", 144}};

    std::string_view name{};
    interval time{};
    timestamp queued{};
    timestamp submitted{};
    timestamp completed{};
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::int64_t grid_id = 0;
    std::int64_t parent_grid_id = 0;
    dimensions parent_block{};
    dimensions grid{};
    dimensions block{};
    std::uint32_t registers_per_thread = 0;
    gpuprof::bytes static_shared_memory{};
    gpuprof::bytes dynamic_shared_memory{};
    gpuprof::bytes local_memory_per_thread{};
    gpuprof::bytes local_memory{};
    std::uint32_t shared_memory_bank = 0;
    cache_preference cache{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("name", 136, 8, name);
        row("start", 8, 8, time.start);
        row("end", 16, 8, time.end);
        row("queued", 96, 8, queued);
        row("submitted", 104, 8, submitted);
        row("completed", 112, 8, completed);
        row("deviceId", 24, 4, device);
        row("contextId", 28, 4, context);
        row("streamId", 32, 4, stream);
        row("correlationId", 76, 4, correlation);
        row("gridId", 80, 8, grid_id);
        row("parentGridId", 88, 8, parent_grid_id);
        row("parentBlockX", 120, 4, parent_block.x);
        row("parentBlockY", 124, 4, parent_block.y);
        row("parentBlockZ", 128, 4, parent_block.z);
        row("gridX", 36, 4, grid.x);
        row("gridY", 40, 4, grid.y);
        row("gridZ", 44, 4, grid.z);
        row("blockX", 48, 4, block.x);
        row("blockY", 52, 4, block.y);
        row("blockZ", 56, 4, block.z);
        row("registersPerThread", 6, 2, registers_per_thread);
        row("staticSharedMemory", 60, 4, static_shared_memory);
        row("dynamicSharedMemory", 64, 4, dynamic_shared_memory);
        row("localMemoryPerThread", 68, 4, local_memory_per_thread);
        row("localMemoryTotal", 72, 4, local_memory);
        row("sharedMemoryConfig", 5, 1, shared_memory_bank);
        row("cacheConfig", 4, 1, cache);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CDP_KERNEL_HPP
