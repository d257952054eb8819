// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How metrics are spread over ranks.
#ifndef GPUPROF_RANKS_SPREAD_OPTIONS_HPP
#define GPUPROF_RANKS_SPREAD_OPTIONS_HPP

#include <string>

#include "../detail/config.hpp"
#include "../measure/profiler_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// Options of profilers of ranks that measure at the same time: without the lock by which processes on a machine wait for each
// other (profiler_options::lock_counters). Ranks on other GPUs need not wait, and a rank that waits for others in its loop would
// keep them from ever getting it.
[[nodiscard]] inline profiler_options options_of_ranks() {
    profiler_options made;
    made.lock_counters = false;
    return made;
}

// What a spread_profiler measures beside the metrics, and how long it waits. The same on all ranks.
struct spread_options {
    // Of each rank's own profiler, the same on all ranks. @pre replay is user or kernel, keep_counter_data is false
    profiler_options measure = options_of_ranks();
    // A counter that each rank collects beside its share, where it costs no pass more: by it ranks are compared. Empty: none is.
    std::string common = "smsp__inst_executed.sum";
    // How far a rank's common counter may be from the median, as a share of it.
    double most_difference = 0.01;
    // How long a rank waits for the others after each execution of the body, and for their reports: longer than the slowest rank's
    // body takes more than the fastest one's.
    unsigned deadline_ms = 30'000;
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_SPREAD_OPTIONS_HPP
