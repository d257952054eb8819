// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a profiler collects, and what it says of each execution of the measured code. Layer: measure.
#ifndef GPUPROF_MEASURE_PROFILER_OPTIONS_HPP
#define GPUPROF_MEASURE_PROFILER_OPTIONS_HPP

#include <cstddef> // std::size_t

#include "../detail/config.hpp"
#include "../hw/cache_control.hpp"
#include "../hw/range_mode.hpp"

GPUPROF_NAMESPACE_BEGIN

class timeline;

// Whom a profiler tells of its passes: `tell` is called before the first execution that is measured, with 0 done, and after
// each, on the thread of the loop. `needed` may grow once where ranges nest, since hardware counts one level in a pass.
struct pass_listener {
    void (*tell)(void* to, std::size_t done, std::size_t needed) noexcept = nullptr; // null: nobody
    void* to = nullptr;
};

// How a profiler collects. The defaults need no thought: the first pass is a survey that runs the code without counters,
// to learn how many ranges there are and how deep they nest, since room on the hardware costs time (130 ms to start with
// room for 1 range, 250 ms for 200 on an H200).
struct profiler_options {
    // Kernels that there is room for where max_ranges says nothing: no survey counts them.
    static constexpr std::size_t kernels_by_default = 256;

    std::size_t max_ranges = 0;     // room for ranges; 0: survey, or for auto_range kernels_by_default
    std::size_t nesting_levels = 1; // how deep ranges nest, when max_ranges says to skip the survey
    bool merge_repeated =
        false; // repeated ranges share one value, made by the hardware: weighted ratios, no single values
    range_mode ranges = range_mode::user_range;
    replay_mode replay = replay_mode::user; // for range_mode::auto_range: kernel runs the code once
    bool stay_armed = false;                // keep the hardware after a collection: the next one starts 130 ms sooner
    bool empty_ranges = false;              // a range in which no kernel ran is no problem of the report
    bool count_kernels_only =
        false; // event hardware: nothing but kernels counts; each range must have one kernel of its own
    timeline* record = nullptr;                  // also record every scope's host time there, while it lives
    cache_control caches = cache_control::leave; // flush: before every outermost scope of every pass, or, with
                                                 // auto_range, before every pass; waits for the context each time
    pass_listener on_pass{};                     // of passes done: io/progress.hpp shows them on a terminal
};

// One execution of the measured code.
struct pass {
    std::size_t index = 0; // counts executions, from 0
    bool measured = false; // false in a survey, and where the hardware could not be had
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PROFILER_OPTIONS_HPP
