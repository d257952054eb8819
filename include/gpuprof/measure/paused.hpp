// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves a block of the measured code out of what a profiler counts.
#ifndef GPUPROF_MEASURE_PAUSED_HPP
#define GPUPROF_MEASURE_PAUSED_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>

#include "profiler.hpp"

GPUPROF_NAMESPACE_BEGIN

// What is launched while it lives runs in every pass and is not counted.
//
//     for (auto pass : prof.passes()) {
//         gpuprof::scope step{prof, "step"};
//         launch();
//         { gpuprof::paused here{prof}; check_results(); }
//         launch(); // is counted into "step" again
//     }
//
// - Scopes: one that is open around a pause has the value of what ran outside of it, as if the kernels
//   before and after had followed each other: the hardware adds counters, and ratios are of the sums.
//   Time and cycles are those of the parts. A scope that begins in a pause is no range of the report.
// - Ranges of single kernels (range_mode::auto_range): what is launched meanwhile is neither counted nor
//   numbered. CUPTI does not replay it, so it may be a kernel that cannot be replayed; the event API does.
//   The range profiler can do so in replay_mode::kernel alone: else the collection ends with unavailable.
// - Pauses may be inside each other; the outermost counts. One that is not over when its pass ends ends
//   there, and the report says so. Outside of a loop over passes() it does nothing.
// - Room: each scope that is open when a pause ends takes room once more (profiler_options::max_ranges);
//   a survey counts that. Without room the collection ends with too_many_ranges, and has no values.
// - Threads: the loop's. Launches of other threads are left out, too; a pause of another thread does
//   nothing, and the report says so.
// - Cost: a push and a pop of the hardware for each scope that is open. Never throws.
//
// For code that begins and ends a pause in two places: std::optional<gpuprof::paused>.
// @pre the profiler outlives it, is not moved meanwhile, and every pass pauses at the same places.
// CUPTI 12.0, 2.7.2 (cuptiProfilerEnableProfiling and cuptiProfilerDisableProfiling).
class [[nodiscard]] paused {
public:
    [[nodiscard]] explicit paused(profiler& counting) noexcept : counting_{counting}, ticket_{counting.pause()} {}
    ~paused() { counting_.resume(ticket_); }

    paused(paused const&) = delete;
    paused& operator=(paused const&) = delete;
    static void* operator new(std::size_t) = delete; // as a scope, a block of code
    static void* operator new[](std::size_t) = delete;

private:
    profiler& counting_;
    std::uint64_t ticket_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_MEASURE_PAUSED_HPP
