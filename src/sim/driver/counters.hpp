// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels and copies so that what they count is known. launch_counters and l2_cache are the
// models behind it.
#ifndef GPUPROF_SRC_SIM_DRIVER_COUNTERS_HPP
#define GPUPROF_SRC_SIM_DRIVER_COUNTERS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gpuprof/sim/finding.hpp>
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/warp_waits.hpp"
#include "../model/time_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct context_state;

struct counted_launch {
    launch_result result;
    counter_values counted;
    time_estimate time;
    std::optional<launch_waits> waits; // if asked for, or if the context is sampled
    std::vector<finding> findings;
};

// Runs a kernel and returns its counters. If the context is sampled, samples where its warps were,
// too.
// @param resident blocks that fit on an SM at once
// @param code the number of the code of its module
// @param with_waits activity records want the waits
[[nodiscard]] counted_launch run_counted(context_state& context, sim::kernel const& kernel, launch_config const& config,
                                         int resident, execution_options const& options, std::uint64_t code,
                                         bool with_waits);

// Adds what a copy or a fill counts on its device side: each row goes through L2 once.
// @param threads of the host at most
void count_transfer(context_state& context, std::uint64_t address, std::size_t row, std::size_t width,
                    std::size_t height, bool writes, unsigned threads);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_COUNTERS_HPP
