// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch__ metrics of one launch (Nsight Compute guide, chapter 4, "Launch Metrics").
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_LAUNCH_METRICS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_LAUNCH_METRICS_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/result.hpp"
#include "../../../metric/provider_metrics.hpp"
#include "../../callbacks/kernel_launch.hpp"
#include "../../machine/device.hpp"
#include "multiprocessor.hpp"
#include "occupancy.hpp"
#include "provided_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {
namespace detail {

using answer = std::optional<result<provided_value>>; // nothing: the metric is of another group

template <class Number>
[[nodiscard]] provided_value number(Number value) {
    return static_cast<double>(value);
}

[[nodiscard]] inline double product(std::array<unsigned, 3> const& of) noexcept {
    return static_cast<double>(of[0]) * of[1] * of[2];
}

// Sizes, which the launch says itself. `clusters` of one block are no clusters.
[[nodiscard]] inline answer size_of_launch(kernel_launch const& launch, std::string_view name) {
    bool const clusters = product(launch.cluster) > 1;
    std::size_t const axis = name.ends_with("_x") ? 0 : name.ends_with("_y") ? 1 : 2;
    if (name.starts_with("launch__block_dim_")) return number(launch.block[axis]);
    if (name.starts_with("launch__grid_dim_")) return number(launch.grid[axis]);
    if (name.starts_with("launch__cluster_dim_"))
        return number(clusters && launch.cluster[axis] != 0 ? launch.grid[axis] / launch.cluster[axis] : 0);
    if (is(name, "launch__block_size")) return number(product(launch.block));
    if (is(name, "launch__grid_size")) return number(product(launch.grid));
    if (is(name, "launch__thread_count")) return number(product(launch.grid) * product(launch.block));
    if (is(name, "launch__shared_mem_per_block_dynamic")) return number(launch.dynamic_shared);
    if (is(name, "launch__shared_mem_per_block_static")) return number(launch.static_shared);
    if (is(name, "launch__func_cache_config")) return number(launch.cache_config);
    return {};
}

// What only the moment of the launch tells, and what nothing tells.
[[nodiscard]] inline answer identity_of_launch(device const& gpu, kernel_launch const& launch, std::string_view name) {
    auto const if_asked = [&](long long value) -> answer {
        if (value >= 0) return number(value);
        return no_value(name, "the driver did not tell it when the kernel was launched", "update the driver");
    };
    if (is(name, "launch__device_id")) return number(gpu.ordinal());
    if (is(name, "launch__context_id")) return if_asked(launch.context_id);
    if (is(name, "launch__stream_id")) return if_asked(launch.stream_id);
    // The default is to spread: Nsight Compute 2025.3 on an H200 never says 0.
    if (is(name, "launch__cluster_scheduling_policy"))
        return if_asked(launch.cluster_policy == 0 ? 1 : launch.cluster_policy);
    if (is(name, "launch__cluster_max_potential_size")) {
        if (gpu.capability() < compute_capability{9, 0} && launch.largest_cluster < 0)
            return no_value(name, "there are no clusters before capability 9.0");
        return if_asked(launch.largest_cluster);
    }
    if (is(name, "launch__uses_cdp"))
        return no_value(name, "neither the driver nor CUPTI tells whether a function can launch kernels");
    return {};
}

[[nodiscard]] inline answer clusters_of_launch(multiprocessor const& sm, kernel_launch const& launch,
                                               std::string_view name) {
    double const cluster = product(launch.cluster);
    double const active = cluster > 1 ? launch.active_clusters : 0;
    if (!is(name, "launch__cluster_max_active") && !is(name, "launch__occupancy_cluster_gpu_pct") &&
        !is(name, "launch__occupancy_cluster_pct"))
        return {};
    if (active < 0)
        return no_value(name, "the driver did not tell how many clusters are active at once", "update the driver");
    if (is(name, "launch__cluster_max_active") || active == 0) return number(active);
    block_demand const block = demand_of(launch);
    double const blocks = active * cluster;
    if (is(name, "launch__occupancy_cluster_gpu_pct"))
        return number(100 * blocks * block.warps() / (double{1} * sm.count * sm.max_warps()));
    int const resident = limits_of(sm, block).resident();
    if (resident == 0) return no_value(name, "not one block of the launch fits an SM");
    return number(100 * blocks / (double{1} * sm.count * resident));
}

// Active warps of an SM if the launch had another block size, register count or shared memory.
[[nodiscard]] inline answer variants_of_launch(multiprocessor const& sm, block_demand const& block,
                                               std::string_view name) {
    provided_value value = number(active_warps(sm, block));
    block_demand changed = block;
    if (is(name, "launch__occupancy_per_block_size")) {
        for (int warps = 1; warps * 32 <= sm.max_threads_per_block; ++warps) {
            changed.threads = warps * 32;
            value.instances.push_back({std::to_string(warps), double{1} * active_warps(sm, changed)});
        }
        return value;
    }
    std::vector<double> largest(static_cast<std::size_t>(sm.max_warps()) + 1); // by active warps
    auto const add = [&](std::size_t amount) {
        double& most = largest[static_cast<std::size_t>(active_warps(sm, changed))];
        most = static_cast<double>(amount); // amounts ascend
    };
    if (is(name, "launch__occupancy_per_register_count")) {
        for (changed.registers = 1; changed.registers <= sm.max_registers_per_thread(); ++changed.registers)
            add(static_cast<std::size_t>(changed.registers));
    } else if (is(name, "launch__occupancy_per_shared_mem_size")) {
        changed.static_shared = 0;
        // The last byte of every portion that a block can be given.
        for (std::size_t all = sm.shared_unit(); all <= sm.shared; all += sm.shared_unit()) {
            if (all < sm.shared_reserved) continue;
            changed.dynamic_shared = all - sm.shared_reserved;
            if (changed.dynamic_shared > sm.shared_per_block) break;
            add(changed.dynamic_shared);
        }
    } else {
        return {};
    }
    for (std::size_t warps = 1; warps < largest.size(); ++warps)
        if (largest[warps] > 0) value.instances.push_back({std::to_string(warps), largest[warps]});
    return value;
}

[[nodiscard]] inline answer occupancy_of_launch(multiprocessor const& sm, bool on_hardware, kernel_launch const& launch,
                                                std::string_view name) {
    if (is(name, "launch__shared_mem_per_block_driver")) return number(sm.shared_reserved);
    if (is(name, "launch__occupancy_limit_blocks")) return number(sm.max_blocks);
    block_demand block = demand_of(launch);
    if (block.registers > 0 && block.registers < sm.least_registers()) block.registers = sm.least_registers();
    if (is(name, "launch__shared_mem_per_block_allocated")) return number(allocated_shared(sm, block));
    if (block.threads <= 0) return no_value(name, "the launch has no threads");
    if (is(name, "launch__occupancy_limit_warps")) return number(limits_of(sm, block).warps);
    if (launch.registers <= 0) return no_value(name, "the driver did not tell how many registers the kernel uses");
    if (is(name, "launch__registers_per_thread")) return number(block.registers);
    if (is(name, "launch__registers_per_thread_allocated")) // whole warps are given registers
        return number(double{1} * rounded_up(block.registers * 32, sm.register_unit()) * block.warps() / block.threads);
    if (auto clusters = clusters_of_launch(sm, launch, name)) return clusters;

    block_limits const limits = limits_of(sm, block);
    if (is(name, "launch__occupancy_limit_registers")) return number(limits.registers);
    if (is(name, "launch__occupancy_limit_shared_mem") || is(name, "launch__shared_mem_config_size")) {
        if (on_hardware && sm.capability.generation >= 7 && launch.preferred_carveout < 0)
            return no_value(name,
                            "the driver splits L1 cache and shared memory as it likes, and tells only tracing tools");
        return is(name, "launch__shared_mem_config_size") ? number(limits.shared_config) : number(limits.shared);
    }
    if (is(name, "launch__waves_per_multiprocessor")) {
        if (limits.resident() == 0) return no_value(name, "not one block of the launch fits an SM");
        return number(product(launch.grid) / (double{1} * sm.count * limits.resident()));
    }
    return variants_of_launch(sm, block, name);
}

} // namespace detail

// As try_launch_value of provided.hpp. @pre `name` is that of a launch metric.
[[nodiscard]] inline result<provided_value> launch_metric(device const& gpu, kernel_launch const& launch,
                                                          std::string_view name) {
    if (auto value = detail::size_of_launch(launch, name)) return *std::move(value);
    if (auto value = detail::identity_of_launch(gpu, launch, name)) return *std::move(value);
    auto const sm = try_multiprocessor(gpu);
    if (!sm) return sm.error();
    if (auto value = detail::occupancy_of_launch(*sm, gpu.source() == device_source::hardware, launch, name))
        return *std::move(value);
    if (name.starts_with("launch__graph_")) return detail::no_value(name, "it is of graphs, and this is a kernel");
    return detail::no_value(name, why_not_collected(metric_source::launch, name));
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_LAUNCH_METRICS_HPP
