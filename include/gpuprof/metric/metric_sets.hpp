// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of named metrics for the questions that are asked most.
#ifndef GPUPROF_METRIC_METRIC_SETS_HPP
#define GPUPROF_METRIC_METRIC_SETS_HPP

#include <span>
#include <string_view>

#include "metric.hpp"
#include "named_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

// Some metrics as one argument: profiler{gpu, metrics::sets::memory}. Whoever takes a set asks whether they are metrics:
// asked here, it would cost every file.
template <class... Metrics>
struct metric_set {
    static constexpr std::string_view list[]{Metrics::name()...};
    static constexpr std::span<std::string_view const> names{list, sizeof...(Metrics)};
};

// A set of these metrics.
template <class... Metrics>
[[nodiscard]] consteval metric_set<Metrics...> set_of(Metrics...) noexcept {
    return {};
}

namespace metrics::sets {

// How well a kernel accesses memory, from its requests to the device memory.
inline constexpr auto memory = set_of(dram_bytes_read, dram_bytes_write, l1_hit_rate, l2_hit_rate, l2_sectors_read,
                                      l2_sectors_write, memory_throughput, dram_throughput);
// What the multiprocessors execute, and how busy they are.
inline constexpr auto compute =
    set_of(inst_executed, thread_inst_executed, threads_per_inst, ipc_active, issue_slot_utilization, sm_throughput);
// How many warps there are, of how many there could be.
inline constexpr auto occupancy =
    set_of(achieved_occupancy, warps_active_per_cycle, warps_eligible_per_cycle, warps_launched, ctas_launched);
// Sectors and requests of global memory.
inline constexpr auto coalescing =
    set_of(global_load_requests, global_load_sectors, global_store_requests, global_store_sectors);
// Wavefronts and bank conflicts of shared memory.
inline constexpr auto shared_memory =
    set_of(shared_wavefronts, shared_load_wavefronts, shared_store_wavefronts, shared_bank_conflicts);
// What io::verdicts judges (judge/flaws.hpp).
inline constexpr auto flaws =
    set_of(global_load_sectors, global_load_requests, global_store_sectors, global_store_requests,
           shared_bank_conflicts, shared_wavefronts, shared_load_wavefronts, shared_store_wavefronts,
           branch_targets_divergent, branch_targets, local_load_sectors, local_store_sectors);

} // namespace metrics::sets

// A set and its name, for programs that learn the name when they run.
struct named_metric_set {
    std::string_view name;
    std::span<std::string_view const> metrics;
};
// The sets that there are.
inline constexpr named_metric_set all_metric_sets[]{
    {"memory", decltype(metrics::sets::memory)::names},
    {"compute", decltype(metrics::sets::compute)::names},
    {"occupancy", decltype(metrics::sets::occupancy)::names},
    {"coalescing", decltype(metrics::sets::coalescing)::names},
    {"shared_memory", decltype(metrics::sets::shared_memory)::names},
    {"flaws", decltype(metrics::sets::flaws)::names},
};

// The names of a set's metrics, for try_metric; empty if there is no such set.
[[nodiscard]] constexpr std::span<std::string_view const> find_metric_set(std::string_view name) noexcept {
    for (named_metric_set const& each : all_metric_sets)
        if (each.name == name) return each.metrics;
    return {};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_METRIC_SETS_HPP
