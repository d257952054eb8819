// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How launch__ metrics of several kernels become the one of the graph, or the range, that has them.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_GRAPH_METRICS_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_GRAPH_METRICS_HPP

#include <cstddef>
#include <string_view>

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// What one number for several launches is.
enum class launch_total : unsigned char {
    sum,     // what the kernels have together: blocks, threads, waves
    largest, // what the most demanding kernel has: dimensions, registers, shared memory
    common   // no number unless all have the same: ids, occupancy and its limits
};

// The rule of a launch__ metric. Nsight Compute 2023.3 guide, 2.3.5, measures graphs as one
// workload, and does not tell which rule a metric has: these are gpuprof's own.
[[nodiscard]] constexpr launch_total total_of(std::string_view metric) noexcept {
    for (std::string_view const each :
         {"launch__grid_size", "launch__thread_count", "launch__waves_per_multiprocessor"})
        if (metric == each) return launch_total::sum;
    for (std::string_view const each :
         {"launch__block_dim_", "launch__grid_dim_", "launch__cluster_dim_", "launch__block_size",
          "launch__registers_per_thread", "launch__shared_mem_", "launch__uses_cdp"})
        if (metric.starts_with(each)) return launch_total::largest;
    return launch_total::common;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_GRAPH_METRICS_HPP
