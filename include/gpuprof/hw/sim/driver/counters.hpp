// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the counters of launches and copies come from. Layer: hw/sim, driver table; the models are launch_counters and
// l2_cache.
#ifndef GPUPROF_HW_SIM_DRIVER_COUNTERS_HPP
#define GPUPROF_HW_SIM_DRIVER_COUNTERS_HPP

#include <cstddef>  // std::size_t
#include <cstdint>  // addresses
#include <optional> // waits
#include <utility>  // std::move
#include <vector>   // findings

#include "../check/finding.hpp"
#include "checked_launch.hpp"
#include "objects.hpp"
#include "../execute/execute.hpp"
#include "../model/l2_cache.hpp"
#include "../model/launch_counters.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/pc_sampling_state.hpp"
#include "../counters/raw_counter.hpp"
#include "../counters/sass_metric_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct counted_launch {
    launch_result result;
    counter_values counted;
    std::optional<launch_waits> waits; // where asked for
    std::vector<finding> findings;
};

// Runs a kernel and says what it counted; if the context is sampled, where its warps were, too. @param resident blocks that fit
// on an SM at once @param code the number of its module's code @param with_waits for activity records
[[nodiscard]] inline counted_launch run_counted(context_state& context, sim::kernel const& kernel,
                                                launch_config const& config, int resident,
                                                execution_options const& options, std::uint64_t code, bool with_waits) {
    launch_counters counters{*context.chip, kernel,         config, static_cast<unsigned>(resident),
                             context.l2(),  &context.memory};
    std::vector<finding> findings;
    bool const checked = context.shadow && context.checks.watches_kernels();
    counters.use_threads(checked ? 1 : options.threads);
    auto result = checked ? execute_checked(kernel, config, context.memory, counters, options, context.checks,
                                            *context.shadow, findings)
                          : execute(kernel, config, context.memory, counters, options);
    counter_values const counted = counters.finish();
    std::optional<launch_waits> waits;
    if (result && (with_waits || is_sampled(context.handle))) waits = counters.waits(counted);
    if (waits) sample_launch(context.handle, *waits, code);
    if (result && counts_instructions(context.handle))
        count_instructions_of(context.handle, counters.instructions(), code);
    return {std::move(result), counted, std::move(waits), std::move(findings)};
}

// Adds what a copy or a fill counts at its device side: rows go through L2 once.
inline void count_transfer(context_state& context, std::uint64_t address, std::size_t row, std::size_t width,
                           std::size_t height, bool writes) {
    counter_values counted;
    for (std::size_t y = 0; y < height; ++y) context.l2().transfer(address + y * row, width, writes, counted);
    gpu_registry::instance().add(context.handle, counted);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_COUNTERS_HPP
