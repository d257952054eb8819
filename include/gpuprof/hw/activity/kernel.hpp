// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a kernel that ran on the GPU.
#ifndef GPUPROF_HW_ACTIVITY_KERNEL_HPP
#define GPUPROF_HW_ACTIVITY_KERNEL_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "channel_type.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// How a kernel was launched. Command lists are graphics work.
enum class launch_type : unsigned {
    regular = abi::CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR,
    cooperative_single_device = abi::CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE,
    cooperative_multi_device = abi::CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE,
    command_list = abi::CUPTI_ACTIVITY_LAUNCH_TYPE_CBL_COMMANDLIST
};
[[nodiscard]] constexpr std::string_view to_text(launch_type value) noexcept {
    switch (value) {
        case launch_type::regular: return "regular";
        case launch_type::cooperative_single_device: return "cooperative single device";
        case launch_type::cooperative_multi_device: return "cooperative multi device";
        case launch_type::command_list: return "command list";
    }
    return not_known;
}

// Whether the L1 cache is split for global memory, on capability 5.2 and later.
enum class partitioned_cache : unsigned {
    unknown = abi::CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_UNKNOWN,
    not_supported = abi::CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_NOT_SUPPORTED,
    off = abi::CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_OFF,
    on = abi::CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_ON
};
[[nodiscard]] constexpr std::string_view to_text(partitioned_cache value) noexcept {
    switch (value) {
        case partitioned_cache::unknown: return "unknown";
        case partitioned_cache::not_supported: return "not supported";
        case partitioned_cache::off: return "off";
        case partitioned_cache::on: return "on";
    }
    return not_known;
}

// Whether the kernel may use more shared memory than 48 KiB.
enum class shared_memory_limit : unsigned {
    default_ = abi::CUPTI_FUNC_SHMEM_LIMIT_DEFAULT,
    opt_in = abi::CUPTI_FUNC_SHMEM_LIMIT_OPTIN
};
[[nodiscard]] constexpr std::string_view to_text(shared_memory_limit value) noexcept {
    switch (value) {
        case shared_memory_limit::default_: return "default";
        case shared_memory_limit::opt_in: return "opt in";
    }
    return not_known;
}

// The model in which the kernel is written: threads, tiles, or both.
enum class execution_model : unsigned {
    unknown = abi::CUPTI_FUNC_EXECUTION_MODEL_UNKNOWN,
    simt = abi::CUPTI_FUNC_EXECUTION_MODEL_SIMT,
    tile = abi::CUPTI_FUNC_EXECUTION_MODEL_TILE,
    hybrid = abi::CUPTI_FUNC_EXECUTION_MODEL_HYBRID
};
[[nodiscard]] constexpr std::string_view to_text(execution_model value) noexcept {
    switch (value) {
        case execution_model::unknown: return "unknown";
        case execution_model::simt: return "simt";
        case execution_model::tile: return "tile";
        case execution_model::hybrid: return "hybrid";
    }
    return not_known;
}

// A kernel that ran on the GPU. KERNEL serialises kernels; CONCURRENT_KERNEL does not.
struct kernel {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_KERNEL,
                                                        abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    static constexpr record_form forms[] = {
        {release(11, 1), "CUpti_ActivityKernel5", 160},  {release(11, 2), "CUpti_ActivityKernel6", 168},
        {release(11, 6), "CUpti_ActivityKernel7", 176},  {release(11, 8), "CUpti_ActivityKernel8", 200},
        {release(12, 0), "CUpti_ActivityKernel9", 208},  {release(13, 0), "CUpti_ActivityKernel10", 216},
        {release(13, 1), "CUpti_ActivityKernel11", 224}, {release(13, 3), "CUpti_ActivityKernel12", 232},
        {release(13, 4), "CUpti_ActivityKernel13", 248}};

    abi::CUpti_ActivityKind kind{}; // CONCURRENT_KERNEL or KERNEL
    std::string_view name{};        // mangled; CUPTI keeps it until the process ends
    interval time{};                // of execution
    timestamp completed{};          // of the kernel and all kernels that it launched
    timestamp queued{};             // into the command buffer; only with latency timestamps
    timestamp submitted{};          // to the GPU; only with latency timestamps
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;             // of the launching call; nodes of a graph share one, see graph_node
    std::int64_t grid_id = 0;                  // of this launch, unique in the process
    std::optional<std::uint64_t> graph_node{}; // none: not launched by a graph
    std::optional<std::uint32_t> graph{};
    std::optional<std::uint32_t> source_graph{}; // the graph that `graph` was instantiated from
    std::optional<std::uint64_t> source_graph_node{};
    dimensions grid{};                        // in CTAs
    dimensions block{};                       // in threads
    std::optional<std::uint32_t> cluster_x{}; // in CTAs; 0 for a launch without clusters
    std::optional<std::uint32_t> cluster_y{};
    std::optional<std::uint32_t> cluster_z{};
    std::optional<std::uint32_t> cluster_scheduling{}; // CUclusterSchedulingPolicy
    std::optional<std::uint32_t> max_cluster_size{};
    std::optional<std::uint32_t> max_active_clusters{};
    std::uint32_t registers_per_thread = 0;
    gpuprof::bytes static_shared_memory{};
    gpuprof::bytes dynamic_shared_memory{};
    gpuprof::bytes executed_shared_memory{}; // the carve-out of the L1 cache that the driver chose
    gpuprof::bytes local_memory_per_thread{};
    gpuprof::bytes local_memory{};        // reserved for the launch
    std::uint32_t shared_memory_bank = 0; // CUsharedconfig
    cache_preference cache{};
    partitioned_cache partitioned_cache_requested{};
    partitioned_cache partitioned_cache_executed{};
    bool carveout_asked = false;
    std::uint32_t carveout = 0; // percent, if carveout_asked
    shared_memory_limit shared_limit{};
    launch_type launch{};
    std::optional<void const*> access_policy{}; // a CUaccessPolicyWindow, with launch attributes enabled
    std::optional<std::uint32_t> channel{};     // none: launched by a kernel
    std::optional<channel_type> channel_kind{};
    std::optional<bool> device_launched{}; // by another kernel
    std::optional<std::int32_t> priority{};
    std::optional<execution_model> model{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("kind", 0, 4, kind);
        row("name", 104, 8, name);
        row("start", 16, 8, time.start);
        row("end", 24, 8, time.end);
        row("completed", 32, 8, completed);
        row("queued", 120, 8, queued);
        row("submitted", 128, 8, submitted);
        row("deviceId", 40, 4, device);
        row("contextId", 44, 4, context);
        row("streamId", 48, 4, stream);
        row("correlationId", 92, 4, correlation);
        row("gridId", 96, 8, grid_id);
        row("graphNodeId", 144, 8, graph_node, releases{}, no_value{0});
        row("graphId", 156, 4, graph, releases{}, no_value{0});
        row("sourceGraphId", 232, 4, source_graph, since(13, 4), no_value{0});
        row("sourceGraphNodeId", 240, 8, source_graph_node, since(13, 4), no_value{0});
        row("gridX", 52, 4, grid.x);
        row("gridY", 56, 4, grid.y);
        row("gridZ", 60, 4, grid.z);
        row("blockX", 64, 4, block.x);
        row("blockY", 68, 4, block.y);
        row("blockZ", 72, 4, block.z);
        row("clusterX", 176, 4, cluster_x, since(11, 8));
        row("clusterY", 180, 4, cluster_y, since(11, 8));
        row("clusterZ", 184, 4, cluster_z, since(11, 8));
        row("clusterSchedulingPolicy", 188, 4, cluster_scheduling, since(11, 8));
        row("maxPotentialClusterSize", 200, 4, max_cluster_size, since(12, 0));
        row("maxActiveClusters", 204, 4, max_active_clusters, since(12, 0));
        row("registersPerThread", 6, 2, registers_per_thread);
        row("staticSharedMemory", 76, 4, static_shared_memory);
        row("dynamicSharedMemory", 80, 4, dynamic_shared_memory);
        row("sharedMemoryExecuted", 140, 4, executed_shared_memory);
        row("localMemoryPerThread", 84, 4, local_memory_per_thread);
        row("localMemoryTotal", 88, 4, local_memory, before(11, 8));
        row("localMemoryTotal_v2", 192, 8, local_memory, since(11, 8));
        row("sharedMemoryConfig", 5, 1, shared_memory_bank);
        row("cacheConfig", 4, 1, cache);
        row("partitionedGlobalCacheRequested", 8, 4, partitioned_cache_requested);
        row("partitionedGlobalCacheExecuted", 12, 4, partitioned_cache_executed);
        row("isSharedMemoryCarveoutRequested", 137, 1, carveout_asked);
        row("sharedMemoryCarveoutRequested", 138, 1, carveout);
        row("shmemLimitConfig", 152, 4, shared_limit);
        row("launchType", 136, 1, launch);
        row("pAccessPolicyWindow", 160, 8, access_policy, since(11, 2), no_value{0});
        row("channelID", 168, 4, channel, since(11, 6), no_value{0xffffffff});
        row("channelType", 172, 4, channel_kind, since(11, 6));
        row("isDeviceLaunched", 208, 1, device_launched, since(13, 0));
        row("priority", 216, 4, priority, since(13, 1));
        row("executionModel", 224, 4, model, since(13, 3));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_KERNEL_HPP
