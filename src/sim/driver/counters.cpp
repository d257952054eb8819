// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters.hpp"

#include <utility>

#include "../execute/execute.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/pc_sampling_state.hpp"
#include "../gpu/sass_metric_state.hpp"
#include "../model/l2_cache.hpp"
#include "../model/launch_counters.hpp"
#include "checked_launch.hpp"
#include "objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

counted_launch run_counted(context_state& context, sim::kernel const& kernel, launch_config const& config, int resident,
                           execution_options const& options, std::uint64_t code, bool with_waits) {
    launch_counters counters{*context.chip, kernel,         config, static_cast<unsigned>(resident),
                             context.l2(),  &context.memory};
    std::vector<finding> findings;
    if (counts_instructions(context.handle)) counters.count_addresses();
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
    return {std::move(result), counted, counters.time(), std::move(waits), std::move(findings)};
}

void count_transfer(context_state& context, std::uint64_t address, std::size_t row, std::size_t width,
                    std::size_t height, bool writes, unsigned threads) {
    counter_values counted;
    for (std::size_t y = 0; y < height; ++y)
        context.l2().transfer(context.memory.without_slot(address + y * row), width, writes, counted, threads);
    shared().registry.add(context.handle, counted);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
