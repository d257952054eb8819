// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects counters over scopes, in as many passes as it takes. Layer: measure.
#ifndef GPUPROF_MEASURE_BASIC_PROFILER_HPP
#define GPUPROF_MEASURE_BASIC_PROFILER_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint64_t
#include <limits>      // "no limit"
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // range names
#include <utility>     // std::move
#include <vector>      // lists

#include "../detail/maybe.hpp"
#include "range_log.hpp"
#include "report_writer.hpp"
#include "../core/error.hpp"
#include "../hw/counter_hardware.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"
#include "nvtx.hpp"
#include "report.hpp"
#include "../core/result.hpp"
#include "scope.hpp"
#include "timeline.hpp"

GPUPROF_NAMESPACE_BEGIN

// How a profiler collects. The defaults need no thought: the first pass is a survey that runs the code without counters,
// to learn how many ranges there are and how deep they nest, since room on the hardware costs time (130 ms to start with
// room for 1 range, 250 ms for 200 on an H200).
struct profiler_options {
    std::size_t max_ranges = 0;     // room for ranges; 0: survey
    std::size_t nesting_levels = 1; // how deep ranges nest, when max_ranges says to skip the survey
    bool merge_repeated =
        false; // repeated ranges share one value, made by the hardware: weighted ratios, no single values
    range_mode ranges = range_mode::user_range;
    replay_mode replay = replay_mode::user; // for range_mode::auto_range: kernel runs the code once
    bool stay_armed = false;                // keep the hardware after a collection: the next one starts 130 ms sooner
    timeline* record = nullptr;             // also record every scope's host time there; it must outlive the profiler
};

// One execution of the measured code.
struct pass {
    std::size_t index = 0; // counts executions, from 0
    bool measured = false; // false in a survey, and where the hardware could not be had
};

template <class Policy>
class basic_profiler;

// The loop `for (auto pass : profiler.passes())`: its body runs once a replay pass. Leaving it early (break, exception)
// abandons the collection; what was measured by then stays.
template <class Policy>
class [[nodiscard]] pass_sequence {
public:
    explicit pass_sequence(basic_profiler<Policy>& of) noexcept
        : profiler_{of}, owner_{of.begin_collection()}, more_{true} {}
    ~pass_sequence() {
        if (owner_) profiler_.end_collection();
    }
    pass_sequence(pass_sequence const&) = delete;
    pass_sequence& operator=(pass_sequence const&) = delete;

    class iterator {
    public:
        explicit iterator(pass_sequence& of) noexcept : sequence_{&of} {}
        [[nodiscard]] pass operator*() const noexcept { return sequence_->profiler_.current_pass(); }
        iterator& operator++() noexcept {
            sequence_->more_ = sequence_->owner_ && sequence_->profiler_.next_replay_pass();
            return *this;
        }
        struct end {};
        [[nodiscard]] bool operator==(end) const noexcept { return !sequence_->more_; }

    private:
        pass_sequence* sequence_;
    };
    [[nodiscard]] iterator begin() noexcept { return iterator{*this}; }
    [[nodiscard]] typename iterator::end end() const noexcept { return {}; }

private:
    basic_profiler<Policy>& profiler_;
    bool owner_; // false: a loop inside another of the same profiler, which runs once and measures nothing
    bool more_;
};

// Counters of one device over user ranges (scopes) or over every kernel.
//
//     profiler prof{gpu, metrics::dram_bytes_read, metric<"smsp__inst_executed.sum">};
//     for (auto pass : prof.passes()) { scope s{prof, "step"}; launch(); }
//     bytes read = prof.report()["step"][metrics::dram_bytes_read];
//
// Made: the metrics are checked and planned (a few ms, 110 ms more in a process's first plan on a device). Nothing on the
// device is touched until passes() runs, and after it the hardware is given back unless stay_armed.
// Outcomes, none of which stops the application or costs what was already measured; each is a problem in the report:
// the hardware cannot be had (the body runs once, unmeasured), more or deeper ranges than room (not collected), a scope
// open when a pass ends (closed there), scopes closed out of order (the inner ones close too), scopes on other threads
// than the pass's (counted, not collected), passes that differ, an abandoned pass, a lost device.
// @pre the device outlives the profiler; the measured code does the same work in every pass; one passes() loop per
// context at a time (another is told "busy"). Scopes may run on any thread; everything else belongs to one.
// Movable between collections. CUPTI 12.0, 2.7.1 and 2.7.2.
template <class Policy>
class basic_profiler final : public scope_target {
    static_assert(hw::counter_hardware<Policy>,
                  "gpuprof: a profiler's backend policy is a class that counter_hardware describes");

public:
    // Errors: invalid_argument for an empty list, unknown_metric with the nearest names, unavailable, permission.
    [[nodiscard]] static result<basic_profiler> try_create(device const& gpu, profiler_options const& options,
                                                           std::span<metric_info const> metrics) {
        std::vector<std::string> names;
        for (metric_info const& each : metrics) {
            if (each.source != metric_source::hardware && each.source != metric_source::sass)
                return error{errc::unknown_metric, 0, each.name + " is not a counter",
                             "another provider delivers it: launch "
                             "parameters, device attributes, sampling, source metrics",
                             "ask for counters here"};
            names.push_back(each.name);
        }
        if (names.empty())
            return error{errc::invalid_argument, 0, "no metric was asked for", "the list of metrics is empty",
                         "name at least one metric"};
        auto planned = Policy::try_plan(gpu, names);
        if (!planned) return std::move(planned).error();
        return basic_profiler{gpu, options, {metrics.begin(), metrics.end()}, std::move(names), *std::move(planned)};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<basic_profiler> try_create(device const& gpu, profiler_options const& options,
                                                           Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, options, std::span<metric_info const>{list});
    }

#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit basic_profiler(device const& gpu, Metrics... metrics)
        : basic_profiler{gpu, profiler_options{}, metrics...} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    basic_profiler(device const& gpu, profiler_options const& options, Metrics... metrics)
        : basic_profiler{try_create(gpu, options, metrics...).value()} {}
    basic_profiler(device const& gpu, profiler_options const& options, std::span<metric_info const> metrics)
        : basic_profiler{try_create(gpu, options, metrics).value()} {}
#endif

    // @pre neither collects
    basic_profiler(basic_profiler&&) noexcept = default;
    basic_profiler& operator=(basic_profiler&&) = delete;
    ~basic_profiler() = default;

    // How often the hardware must see the work: times nesting levels, plus the survey, that is how often the body runs.
    [[nodiscard]] std::size_t passes_needed() const noexcept { return plan_.passes(); }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept { return metrics_; }

    // Collects anew; the last report is replaced when it ends.
    [[nodiscard]] pass_sequence<Policy> passes() noexcept { return pass_sequence<Policy>{*this}; }

    // What the last collection brought. Errors: invalid_state before the first one and during one.
    [[nodiscard]] result<gpuprof::report> try_report() const {
        if (report_ && stage_ == stage::idle) return *report_;
        return error{errc::invalid_state, 0, "no report", "no collection has ended yet",
                     "run a loop over passes() to its end first"};
    }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const { return try_report().value(); }
#endif

private:
    friend class pass_sequence<Policy>;
    using session = typename Policy::session;
    static constexpr std::size_t deepest_survey = 1024; // recursion without end must not take all memory
    enum class stage : unsigned char { idle, survey, collecting, unmeasured };

    basic_profiler(device const& gpu, profiler_options const& options, std::vector<metric_info> metrics,
                   std::vector<std::string> names, typename Policy::plan plan)
        : scope_target{&basic_profiler::enter, &basic_profiler::leave},
          gpu_{&gpu},
          options_{options},
          metrics_{std::move(metrics)},
          names_{std::move(names)},
          plan_{std::move(plan)},
          nvtx_{detail::nvtx_attached()} {
        rearm();
    }

    void rearm() noexcept { arm(nvtx_ || options_.record != nullptr || counting_ != 0); }

    // ---- scopes -----------------------------------------------------------------------------------------------------

    GPUPROF_FLATTEN static ticket enter(scope_target& target, scope_name name) noexcept {
        auto& self = static_cast<basic_profiler&>(target);
        std::string_view const text{name.data, name.length()};
        if (self.nvtx_) detail::nvtx_push(text);
        ticket opened{0, 0};
        if (self.collects()) opened.token = self.open(text);
        if (self.options_.record != nullptr) opened.begin = detail::ticks(); // last: not the time of the push
        return opened;
    }
    GPUPROF_FLATTEN static void leave(scope_target& target, scope_name name, ticket opened) noexcept {
        auto& self = static_cast<basic_profiler&>(target);
        if (opened.begin != 0 && self.options_.record != nullptr) self.options_.record->write(name, opened.begin);
        if (opened.token != 0 && self.owner_ == detail::this_thread()) self.close(opened.token);
        if (self.nvtx_) detail::nvtx_pop();
    }

    [[nodiscard]] bool collects() noexcept {
        if (__atomic_load_n(&counting_, __ATOMIC_ACQUIRE) == 0) return false;
        if (__atomic_load_n(&owner_, __ATOMIC_RELAXED) == detail::this_thread()) return true;
        __atomic_add_fetch(&other_threads_, 1, __ATOMIC_RELAXED);
        return false;
    }

    std::uint64_t open(std::string_view name) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
#endif
            auto const opened = log_.open(name);
            if (opened.push && stage_ == stage::collecting && !failure_)
                if (auto pushed = session_->try_push(opened.id); !pushed) failure_ = std::move(pushed).error();
            return opened.ticket;
#if GPUPROF_EXCEPTIONS
        } catch (...) { // no memory for a name: the scope goes unrecorded, the program goes on
            out_of_memory_ = true;
            return 0;
        }
#endif
    }
    void close(std::uint64_t token) noexcept { pop(log_.close(token)); }
    void pop(std::size_t ranges) noexcept {
        if (stage_ != stage::collecting) return;
        for (; ranges > 0 && !failure_; --ranges)
            if (auto popped = session_->try_pop(); !popped) failure_ = std::move(popped).error();
    }

    // ---- replay passes -----------------------------------------------------------------------------------------------------

    // A transition that has no memory ends the collection; the application goes on.
    template <class F>
    bool guarded(F transition) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            return transition();
        } catch (...) {
            session_.reset();
            report_.reset();
            enter_stage(stage::idle);
            return false;
        }
#else
        return transition();
#endif
    }
    bool begin_collection() noexcept {
        return guarded([this] { return begin(); });
    }
    bool next_replay_pass() noexcept {
        return guarded([this] { return advance(); });
    }
    void end_collection() noexcept {
        guarded([this] { return end(); });
    }

    // False inside another loop of the same profiler.
    bool begin() {
        if (stage_ != stage::idle) {
            nested_ = true;
            return false;
        }
        state_ = {};
        state_.passes_needed = plan_.passes();
        failure_.reset();
        nested_ = out_of_memory_ = false;
        other_threads_ = 0;
        replay_passes_ = 0;
        __atomic_store_n(&owner_, detail::this_thread(), __ATOMIC_RELAXED);
        bool const survey = options_.ranges == range_mode::user_range && options_.max_ranges == 0;
        constexpr std::size_t unlimited = std::numeric_limits<std::uint32_t>::max() - 1;
        log_.reset(survey ? unlimited : options_.max_ranges, survey ? deepest_survey : options_.nesting_levels,
                   options_.merge_repeated);
        if (survey) {
            enter_stage(stage::survey);
            log_.begin_replay_pass();
        } else {
            start_hardware();
        }
        return true;
    }

    // Whether the body is to run again.
    bool advance() {
        ++replay_passes_;
        switch (stage_) {
            case stage::survey:
                static_cast<void>(log_.end_replay_pass());
                if (log_.ranges() == 0) {
                    failure_ = error{errc::invalid_state, 0, "no scope was opened in the pass",
                                     "there is no range to measure", "open a scope on this profiler around the work"};
                    finish();
                    return false;
                }
                log_.limit_to_seen();
                return start_hardware();
            case stage::collecting: {
                pop(log_.end_replay_pass());
                ++state_.replay_passes;
                if (!failure_) {
                    auto ended = session_->try_end_replay_pass();
                    if (!ended) {
                        failure_ = std::move(ended).error();
                    } else if (!ended->last) {
                        if (auto begun = session_->try_begin_replay_pass(); begun) {
                            log_.begin_replay_pass();
                            return true;
                        } else {
                            failure_ = std::move(begun).error();
                        }
                    }
                }
                finish();
                return false;
            }
            case stage::unmeasured: finish(); return false;
            case stage::idle: return false;
        }
        return false;
    }

    // The loop is over: to its end, or left early.
    bool end() {
        if (stage_ == stage::idle) return false;
        if (stage_ == stage::collecting) {
            pop(log_.end_replay_pass(false));
            if (!failure_)
                if (auto ended = session_->try_end_replay_pass(); !ended) failure_ = std::move(ended).error();
        }
        if (!failure_)
            failure_ = error{errc::not_collected, 0,
                             "the collection was abandoned in replay pass " + std::to_string(replay_passes_ + 1),
                             "the loop over passes() was left by a break or an exception", "let it run to its end"};
        finish();
        return false;
    }

    // Begins the first replay pass under the counters. False, with the stage unmeasured, if the hardware cannot be had; the
    // body still runs then if it has not yet. A remembered configuration that is refused is made anew, once.
    bool start_hardware() {
        hw::session_shape shape{options_.max_ranges, options_.nesting_levels, options_.ranges, options_.replay};
        if (options_.ranges == range_mode::user_range && options_.max_ranges == 0) {
            shape.max_ranges = log_.ranges();
            shape.nesting_levels = log_.depth();
        }
        auto started = try_start(shape);
        if (!started && plan_.remembered() && started.error().code != errc::busy &&
            started.error().code != errc::permission) {
            session_.reset();
            Policy::forget(plan_);
            if (auto again = Policy::try_plan(*gpu_, names_)) {
                plan_ = *std::move(again);
                started = try_start(shape);
            }
        }
        if (!started) {
            failure_ = std::move(started).error();
            if (replay_passes_ > 0) {
                finish();
                return false;
            }
            enter_stage(stage::unmeasured);
            return true;
        }
        enter_stage(stage::collecting);
        log_.begin_replay_pass();
        return true;
    }
    [[nodiscard]] result<void> try_start(hw::session_shape const& shape) {
        if (!session_) {
            auto opened = session::try_open(*gpu_, plan_);
            if (!opened) return std::move(opened).error();
            session_.emplace(*std::move(opened));
        }
        if (auto prepared = session_->try_prepare(shape); !prepared) return prepared;
        return session_->try_begin_replay_pass();
    }

    // Reads what there is, writes the report, gives the hardware back.
    void finish() {
        std::vector<hw::range_values> values;
        if (stage_ == stage::collecting) {
            if (auto read = session_->try_read()) values = *std::move(read);
            else if (!failure_) failure_ = std::move(read).error();
        }
        if (failure_ || !options_.stay_armed) session_.reset();
        enter_stage(stage::idle);
        state_.other_threads = __atomic_load_n(&other_threads_, __ATOMIC_RELAXED);
        report_ = detail::write_report(detail::collected<detail::range_log>{*gpu_, hardware(), metrics_, log_, values,
                                                                            options_.ranges, options_.max_ranges,
                                                                            options_.merge_repeated, failure_, nested_,
                                                                            out_of_memory_},
                                       state_);
    }

    void enter_stage(stage next) noexcept {
        stage_ = next;
        __atomic_store_n(&counting_, next == stage::survey || next == stage::collecting ? 1u : 0u, __ATOMIC_RELEASE);
        rearm();
    }
    [[nodiscard]] pass current_pass() const noexcept { return {replay_passes_, stage_ == stage::collecting}; }
    [[nodiscard]] std::string_view hardware() const noexcept {
        if constexpr (requires { plan_.hardware(); }) return plan_.hardware();
        else return Policy::name;
    }

    device const* gpu_;
    profiler_options options_;
    std::vector<metric_info> metrics_;
    std::vector<std::string> names_;
    typename Policy::plan plan_;
    bool nvtx_;
    bool nested_ = false;
    bool out_of_memory_ = false;
    stage stage_ = stage::idle;     // the owner's alone
    unsigned counting_ = 0;         // survey or collecting; read by every thread's scopes
    std::size_t owner_ = 0;         // the thread of the pass
    std::size_t other_threads_ = 0; // scopes that other threads opened
    std::size_t replay_passes_ = 0; // executions of the body that ended
    detail::maybe<session> session_;
    detail::maybe<error> failure_; // the first thing that went wrong; the hardware is left alone from then on
    detail::range_log log_;
    completeness state_;
    detail::maybe<gpuprof::report> report_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_BASIC_PROFILER_HPP
