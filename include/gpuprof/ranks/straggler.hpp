// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rank that holds the others up, and why: from counters that do not count waiting.
#ifndef GPUPROF_RANKS_STRAGGLER_HPP
#define GPUPROF_RANKS_STRAGGLER_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "../metric/info.hpp"
#include "communicator.hpp"
#include "rank_report.hpp"
#include "silent_rank.hpp"
#include "value_summary.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// Why a rank is slower than the others in a range.
enum class straggler_cause : unsigned char {
    more_work,     // its kernels execute more instructions
    lower_clock,   // they execute as many, and its multiprocessors' clock is lower
    slower_memory, // its warps wait longer for data
    more_cycles,   // none of these, and its multiprocessors are busy for more cycles
    late_host // its multiprocessors are not busy for longer, but the range lasts longer: the host is late with work
};
// "lower clock"
[[nodiscard]] constexpr std::string_view name(straggler_cause of) noexcept {
    switch (of) {
        case straggler_cause::more_work: return "more work";
        case straggler_cause::lower_clock: return "lower clock";
        case straggler_cause::slower_memory: return "slower memory";
        case straggler_cause::more_cycles: return "more cycles for the same work";
        case straggler_cause::late_host: return "late host";
    }
    return "unknown";
}

// A rank that is slower than the others in a range.
struct straggler {
    std::size_t rank = 0;
    std::string place; // its machine and GPU: "node17, NVIDIA H200"
    std::string range; // where it is slower, as a path
    straggler_cause cause = straggler_cause::more_cycles;
    double longer = 0;      // than the median rank, as a share of that: 0.25 is a quarter longer
    double nanoseconds = 0; // by which it is longer
    // What the cause is told from, of this rank and of the median rank: instructions, cycles a nanosecond of all multiprocessors,
    // warps times cycles, cycles of all multiprocessors, or nanoseconds.
    double measured = 0;
    double median_rank = 0;
};

// When a rank is called slower, and how long ranks wait.
struct straggler_options {
    // Which ranks are called slower.
    outlier_rule rule{5, 0.05};
    // And by how much at least, as a share of the time of all outermost ranges: a short range that varies holds nobody up.
    double least_share = 0.01;
    unsigned deadline_ms = 30'000; // as gather_options
};

// All stragglers that were found, on rank 0.
struct straggler_report {
    std::vector<straggler> found{}; // the longest first; at most one a rank and range
    std::size_t size = 0;           // ranks that there are
    std::size_t heard = 0;
    std::vector<silent_rank> silent{};
    std::vector<error> problems{}; // without some values nothing can be told: which ones are missing
    straggler_options options{};
};

// What try_find_stragglers() reads: instructions, active and elapsed cycles of multiprocessors, time, and warps that wait for data.
// A profiler of them, a sampled_profiler or a spread of several ranks' metrics measures them. Costs a look-up of five names.
[[nodiscard]] result<std::vector<metric_info>> try_straggler_metrics();

// Compares each range of a report of straggler_metrics() over the ranks. All ranks call it, each with its own report; the answer is
// on rank 0. Wall time tells nothing where ranks wait for each other, since all are then as slow as the slowest; these counters
// do not count waiting: multiprocessors are active while a kernel runs. Kernels that wait on the GPU, as NCCL's do, are left out
// where they are ranges of their own (their names begin with "nccl"); leave them out of scopes around kernels that compute. A late
// host is told in ranges that hold no waiting for other ranks.
// At least three ranks, and most of them alike. Errors: as try_gather(). Cost: a message of about 3 KB a range.
[[nodiscard]] result<straggler_report> try_find_stragglers(communicator& ranks, report const& mine,
                                                           straggler_options const& options = {});

#if !GPUPROF_ENABLED
inline result<std::vector<metric_info>> try_straggler_metrics() { return std::vector<metric_info>{}; }
inline result<straggler_report> try_find_stragglers(communicator&, report const&, straggler_options const&) {
    return straggler_report{};
}
#endif

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "straggler.inl.hpp"
#endif

#endif // GPUPROF_RANKS_STRAGGLER_HPP
