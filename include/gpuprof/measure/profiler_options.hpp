// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a profiler collects, and what it says of each execution of the measured code.
#ifndef GPUPROF_MEASURE_PROFILER_OPTIONS_HPP
#define GPUPROF_MEASURE_PROFILER_OPTIONS_HPP

#include <cstddef>
#include <optional>
#include <string>

#include "../detail/config.hpp"
#include "../hw/counters/cache_control.hpp"
#include "../hw/counters/range_mode.hpp"
#include "../hw/memory/copy_limits.hpp"
#include "../hw/memory/memory_control.hpp"
#include "../hw/counters/replay_modes.hpp"

GPUPROF_NAMESPACE_BEGIN

class timeline;
namespace hw {
class counter_backend;
} // namespace hw

// Whom a profiler tells of its passes: `tell` is called before the first execution that is
// measured, with 0 done, and after each, on the thread of the loop. `needed` may grow once where
// ranges nest, since hardware counts one level in a pass.
struct pass_listener {
    void (*tell)(void* to, std::size_t done, std::size_t needed) noexcept = nullptr; // null: nobody
    void* to = nullptr;
};

// How a profiler collects. The defaults need no thought: the first pass is a survey that runs the
// code without counters, to learn how many ranges there are and how deep they nest, since room on
// the hardware costs time (130 ms to start with room for 1 range, 250 ms for 200 on an H200).
struct profiler_options {
    // Kernels that there is room for where max_ranges says nothing: no survey counts them.
    static constexpr std::size_t kernels_by_default = 256;

    // Room for ranges; 0: a survey counts them, or for auto_range kernels_by_default. A scope that is
    // open when a pause ends takes room once more (paused.hpp).
    std::size_t max_ranges = 0;
    // How deep ranges nest, where max_ranges says to skip the survey.
    std::size_t nesting_levels = 1;
    // Repeated ranges share one value, which the hardware makes: weighted ratios, no single values.
    bool merge_repeated = false;
    range_mode ranges = range_mode::user_range;
    replay_mode replay = replay_mode::user; // for range_mode::auto_range: kernel runs the code once
    // For replay_mode::application: the file that passes are kept in until all are there. Each process
    // that runs the program measures one pass: its loop over passes() runs once. Where max_ranges says
    // nothing, the first process measures none, but counts the ranges. The report of the last one is
    // complete; those before have as a problem which pass is done. The file then begins anew with the
    // next process. One process at a time. Range profiler only; the program includes gpuprof/saved.hpp. docs/application-replay.md
    std::string replay_file{};
    // For replay_mode::launch and range, where gpuprof repeats driver calls: how long it waits for the device at a time. What has
    // not ended by then is given up, and the application goes on. 0: it waits for ever, so that the application's own launch can be
    // the first pass, and nothing is saved where one is enough. The program includes gpuprof/call_replay.hpp. docs/call-replay.md
    unsigned replay_deadline_ms = 10'000;
    // For replay_mode::kernel on range hardware: kernels that CUPTI must not repeat run once, without values, and the report names
    // them. replay_deadline_ms is how long later launches wait for those. docs/call-replay.md
    replay_caution caution = replay_caution::other_gpus;
    // Keep the hardware after a collection: the next one starts 130 ms sooner (H200).
    bool stay_armed = false;
    // A range in which no kernel ran is no problem of the report.
    bool empty_ranges = false;
    // Event hardware: nothing but kernels counts; each range must have one kernel of its own.
    bool count_kernels_only = false;
    // Also record every scope's host time there, while it lives.
    timeline* record = nullptr;
    // flush: before every outermost scope of every pass, or, with auto_range, before every pass;
    // waits for the context each time.
    cache_control caches = cache_control::leave;
    // restore: the memory of the context is saved before the code first runs, and put back before
    // each later run, so that code that changes its input measures the same data in each pass. Costs
    // what a checkpoint costs (hw/memory/checkpoint.hpp), once a run; nothing where the code runs
    // once. The caches then have what was copied last: flush them where that matters. Host memory
    // that is not page-locked stays as it is.
    // restore_written: the same for what launches reach by their arguments, without NVIDIA's library,
    // by a survey that also tells what they change: each later run costs a copy of that alone. What it
    // does not know of: hw/memory/written_memory.hpp.
    // What keeps the memory from being saved is a problem of the report; measuring goes on.
    // Not for replay_mode::launch and range, which put back what they repeat in any case.
    memory_control memory = memory_control::leave;
    // With restore_written: how much of the device and of the host its copies may take, and the folder
    // for a file where that is not enough. Without room memory is not saved: a problem of the report.
    copy_limits copies{};
    // Hears before the first measured pass what restore_written will put back before each, from where,
    // and about how long that takes: io::progress shows it.
    restore_listener on_restore{};
    // Passes are timed, where several are needed: an event of the driver is recorded before and after
    // each outermost range. A range whose times spread further than this is a problem of the report:
    // 0.5 is a pass that took three times as long as another. 0: passes are not timed. On a GPU ranges
    // of 10 ms and more, for opening one takes 1 ms there. Not in kernel and application replay.
    // See pass_times for what it says, and docs/passes.md for what it cannot.
    double most_spread = 0.5;
    // Whether the first and the last pass left the same memory behind is looked at: what the launches
    // of the first pass reach by their arguments is hashed after both, a chunk of 4096 bytes at a time.
    // - true, and where memory is restored: a difference is a problem of the report. Costs a read of
    //   that memory, twice. @pre no other thread frees memory of the context between passes
    // - Not set: only where several passes are needed and both hashes take less than 5 % of the time that
    //   the collection has taken by then (arming counters takes
    //   200 ms on an H200, so that up to 800 MB are). A difference
    //   is in completeness::memory_differs, and no problem by itself, for code that adds to its output
    //   does the same work each time. Memory of the device alone, by a copy: other threads may free it.
    //   On the embedded GPU where at most 256 KiB are reached.
    // - false: never.
    // The hash writes none of the application's memory. The caches have what it read last, before the
    // second pass: flush them where that matters, or say false.
    std::optional<bool> compare_memory{};
    // No kernel overlaps another one while passes are measured: each launch waits for the context
    // before and after it, and threads for each other's launches. Changes what is measured where
    // kernels would overlap; costs two waits a launch. Automatic ranges do so by themselves.
    bool serialise_launches = false;
    // The report has the raw counters, too: try_evaluate() of gpuprof/saved.hpp gives other metrics
    // of the same counters, later and elsewhere. Range profiler only; takes kilobytes a range.
    bool keep_counter_data = false;
    // Wait for other processes that count on this machine, gpuprof's and Nsight Compute's, and let
    // them wait, by Nsight Compute's lock file (2023.3, 6.1); on a GPU of this machine only. Held
    // from arming the counters to their release. What keeps it from being had is a problem of the
    // report, and measuring goes on without it.
    bool lock_counters = true;
    unsigned longest_wait_ms = 30'000; // for another process; then measuring begins all the same
    // Hears of passes that are done: io/progress.hpp shows them on a terminal.
    pass_listener on_pass{};
    // The counter hardware to measure with, of hw/counters/counter_backend.hpp:
    // `&hw::backend<hw::range_hardware>`. It gets every counter of the list, whatever it says of
    // the device. Null: the first backend of the program that supports the device and wants the
    // metrics.
    hw::counter_backend const* backend = nullptr;
};

// One execution of the measured code. A loop over passes() need not use it.
struct [[maybe_unused]] pass {
    std::size_t index = 0; // counts executions, from 0
    bool measured = false; // false in a survey, and where the hardware could not be had
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PROFILER_OPTIONS_HPP
