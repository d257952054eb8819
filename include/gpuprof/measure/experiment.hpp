// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of the objects of a frozen frame, pass by pass, as PerfKit's experiments.
#ifndef GPUPROF_MEASURE_EXPERIMENT_HPP
#define GPUPROF_MEASURE_EXPERIMENT_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "experiment_compiled_out.hpp"
#else

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"
#include "profiler.hpp"
#include "experiment_status.hpp"
#include "profiler_options.hpp"
#include "report.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

// A program that can repeat a frame without moving on (paused, frozen) measures each object of it,
// with as many counters as it likes:
//
//     gpuprof::experiment frozen{gpu, metrics::inst_executed, metrics::dram_bytes_read};
//     frozen.reserve_objects(2);
//     frozen.begin();
//     for (std::size_t pass = 0; pass < frozen.passes(); ++pass) {
//         frozen.begin_pass(pass);
//         for (std::size_t id = 0; id < 2; ++id) {
//             frozen.begin_object(id);
//             launch(id);
//             frozen.end_object(id);
//         }
//         frozen.end_pass(pass);
//     }
//     frozen.end();
//     auto read = frozen.try_value("dram__bytes_read.sum", 1);
//
// It is a profiler whose loop the program turns itself: an object is a range of it, named "object
// 1", and its kernels are waited for at its end. The number of objects is known, so that no survey
// runs. Without reserve_objects() the whole pass is object 0. Every call answers what was wrong
// (experiment_status), none stops the frame or throws for it, and mistakes() keeps them: a program
// may ignore the answers and look there. A mistake costs the values that it touches, and nothing
// else.
// @pre calls come from one thread at a time, those from begin() to end() from one thread; other
// threads may launch. Movable; a move during an experiment abandons it. Cost: see profiler; nothing
// is allocated between begin() and end() but by the profiler. PerfKit, "Simplified Experiments" and
// appendix C.
class experiment {
public:
    // Errors: those of device::try_share. `options`: ranges, replay, room and nesting are the
    // experiment's.
    [[nodiscard]] static result<experiment> try_create(device const& gpu, profiler_options const& options = {});
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing, with counters enabled.
    template <metric_like... Metrics>
    explicit experiment(device const& gpu, Metrics... metrics) : experiment{try_create(gpu).value()} {
        static_cast<void>((enable(metric_info{metrics}).is_ok() && ...));
    }
    // clang-format off
    template <class... Rest>
    explicit experiment(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
#endif
    experiment(experiment&& other) noexcept;
    experiment& operator=(experiment&&) = delete;
    ~experiment() { abandon(); }

    // ---- before begin() -------------------------------------------------------------------------

    // Adds a counter, by descriptor or by what try_metric(name) gives; one that is enabled already
    // is left. What was measured before is no longer an answer: see experiment_not_run. Answers
    // already_in_experiment.
    experiment_status enable(metric_info const& counter);
    experiment_status enable(std::span<metric_info const> counters);
    // Answers already_in_experiment, counter_was_not_enabled.
    experiment_status disable(std::string_view counter);
    experiment_status disable_all();
    [[nodiscard]] std::vector<metric_info> const& enabled() const noexcept { return metrics_; }

    // Objects 0 to count - 1, any number; 0: none, the pass is object 0. Answers
    // already_in_experiment, too_many_objects.
    experiment_status reserve_objects(std::size_t count);
    [[nodiscard]] std::size_t reserved_objects() const noexcept { return objects_.size(); }

    // ---- the experiment -------------------------------------------------------------------------

    // Plans the counters and takes the hardware; passes() is known then. Answers
    // already_in_experiment, no_counters, refused (unknown counters, counters that are closed or
    // held by another: see refusal()). Cost: see profiler.
    experiment_status begin();
    [[nodiscard]] std::size_t passes() const noexcept { return passes_; }
    // Answers not_in_experiment, invalid_pass, pass_skipped, pass_not_ended, refused.
    experiment_status begin_pass(std::size_t pass);
    // Answers not_in_experiment, not_in_pass, unknown_object, object_repeated, object_not_ended,
    // object_order_changed.
    experiment_status begin_object(std::size_t object);
    // Answers not_in_experiment, not_in_pass, unknown_object, object_not_begun,
    // launch_count_changed.
    experiment_status end_object(std::size_t object);
    // Answers not_in_experiment, not_in_pass, object_not_ended, pass_incomplete,
    // launch_count_changed (of the whole pass, where no objects are reserved).
    experiment_status end_pass(std::size_t pass);
    // Answers not_in_experiment, pass_not_ended, experiment_incomplete; the hardware is given back.
    experiment_status end();

    // begin(), `frame` in as many passes as it takes, end(). If begin() is refused, the frame runs
    // once, unmeasured. Returns what begin() or end() answered.
    template <class Frame>
    experiment_status run(Frame&& frame) {
        auto const begun = begin();
        if (!begun) {
            if (!running_) frame();
            return begun;
        }
        for (std::size_t pass = 0; pass < passes_; ++pass) {
            if (!begin_pass(pass)) break;
            frame();
            end_pass(pass);
        }
        return end();
    }

    // ---- what it brought ------------------------------------------------------------------------

    // Each code once since begin(), in the order of their first occurrence.
    [[nodiscard]] std::vector<experiment_mistake> const& mistakes() const noexcept { return mistakes_; }
    // Why a call was refused: the profiler's own error.
    [[nodiscard]] std::optional<error> const& refusal() const noexcept { return refusal_; }

    // Whether there is data to read: ok, experiment_not_run or experiment_running.
    [[nodiscard]] experiment_status readable() const noexcept;
    // A range for each object that was begun, in the order of the first pass; its problems say what
    // is missing.
    // Errors: invalid_state, see readable().
    [[nodiscard]] result<gpuprof::report> try_report() const;
    // Errors: those of try_report; invalid_argument for an object that is not reserved;
    // not_collected for one that was never begun.
    [[nodiscard]] result<range_view> try_object(std::size_t object = 0) const;
    // Errors: those of try_object; unknown_metric for a counter that is not enabled; not_collected
    // with the cause.
    [[nodiscard]] result<measured_value> try_value(std::string_view counter, std::size_t object = 0) const;
    // The cycles that PerfKit's GetCounterValueByName gives beside a value: for what counts the value itself, else for how many
    // cycles the object was observed, which needs an enabled counter of elapsed cycles: of the same unit
    // ("lts__cycles_elapsed.max"), else of the multiprocessors ("sm__cycles_elapsed.max"; event hardware: "elapsed_cycles_sm",
    // "active_cycles"). Errors: those of try_value; not_collected if none is enabled.
    [[nodiscard]] result<double> try_cycles(std::string_view counter, std::size_t object = 0) const;
    template <metric_like Metric>
    [[nodiscard]] result<metric_value<Metric>> try_get(Metric metric, std::size_t object = 0) const {
        auto range = try_object(object);
        if (!range) return std::move(range).error();
        if (!has_counter(Metric::name())) return experiment_status{experiment_code::counter_not_enabled}.as_error();
        return range->try_get(metric);
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // What the passes did with an object.
    struct object_state {
        std::size_t in_pass = none;  // the last pass that began it
        std::size_t launches = none; // of the first pass that had it
    };

    experiment(device gpu, profiler_options const& options) noexcept : gpu_{std::move(gpu)}, options_{options} {}

    experiment_status answer(experiment_status what);
    void refuse(error why);
    void abandon() noexcept;
    void open_scope(std::size_t object);
    [[nodiscard]] experiment_status close_scope();
    [[nodiscard]] object_state& state_of(std::size_t object) noexcept {
        return objects_.empty() ? whole_pass_ : objects_[object];
    }
    [[nodiscard]] bool has_counter(std::string_view name) const noexcept;
    [[nodiscard]] bool loop_goes_on() noexcept { return *at_ != loop_->end(); }
    static void heard(void* self, hw::launch_event const& launch);

    device gpu_; // holds the context on its own
    profiler_options options_;
    std::vector<metric_info> metrics_;
    std::optional<profiler> profiler_;  // once begun, for the counters and objects as they were then
    std::optional<pass_sequence> loop_; // while an experiment runs
    std::optional<pass_sequence::iterator> at_;
    std::optional<scope> scope_; // of the open object
    std::optional<hw::launch_watch> watch_;
    std::size_t launched_ = 0; // kernels and graphs, counted on any thread
    std::vector<object_state> objects_;
    object_state whole_pass_{};
    std::vector<std::size_t> order_; // objects as the first pass began them
    std::vector<experiment_mistake> mistakes_;
    std::optional<error> refusal_;
    std::size_t passes_ = 0;
    std::size_t next_pass_ = 0;
    std::size_t begun_ = 0;           // objects in this pass
    std::size_t open_ = none;         // the open object
    std::size_t launched_before_ = 0; // when it was opened
    bool running_ = false;
    bool in_pass_ = false;
    bool hears_ = false;   // of launches
    bool changed_ = true;  // counters or objects, since the profiler was made
    bool has_run_ = false; // and nothing changed since
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "experiment.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_MEASURE_EXPERIMENT_HPP
