// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of basic_profiler.hpp. Layer: measure. A basic_profiler of another policy than the compiled library's includes
// this, too.
#ifndef GPUPROF_MEASURE_BASIC_PROFILER_INL_HPP
#define GPUPROF_MEASURE_BASIC_PROFILER_INL_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint64_t
#include <limits>      // "no limit"
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // range names
#include <utility>     // std::move
#include <vector>      // lists

#include "../detail/builtin.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "basic_profiler.hpp"
#include "nvtx.hpp"
#include "report_writer.hpp"
#include "timeline.hpp"

GPUPROF_NAMESPACE_BEGIN

template <class Policy>
GPUPROF_COLD basic_profiler<Policy>::basic_profiler(device const& gpu, profiler_options const& options,
                                                    std::vector<metric_info> metrics, std::vector<std::string> names,
                                                    typename Policy::plan plan)
    : scope_target{&basic_profiler::enter, &basic_profiler::leave},
      gpu_{&gpu},
      options_{options},
      metrics_{std::move(metrics)},
      names_{std::move(names)},
      plan_{std::move(plan)},
      nvtx_{detail::nvtx_attached()} {
    rearm();
}

template <class Policy>
GPUPROF_COLD basic_profiler<Policy>::basic_profiler(basic_profiler&&) noexcept = default;
template <class Policy>
GPUPROF_COLD basic_profiler<Policy>::~basic_profiler() = default;

template <class Policy>
std::size_t basic_profiler<Policy>::passes_needed() const noexcept {
    return plan_.passes();
}

#if GPUPROF_EXCEPTIONS
template <class Policy>
report basic_profiler<Policy>::report() const {
    return try_report().value();
}
#endif

template <class Policy>
auto basic_profiler<Policy>::try_create(device const& gpu, profiler_options const& options,
                                        std::span<metric_info const> metrics) -> result<basic_profiler> {
    std::vector<std::string> names;
    for (metric_info const& each : metrics) {
        if (each.source == metric_source::pm_sampling)
            return error{errc::unknown_metric, 0, each.name, "gpuprof does not sample range metrics over time",
                         "ask for the metric without pmsampling: in front, which gives a value for each range"};
        if (each.kind == metric_kind::group && each.name.starts_with("breakdown:"))
            return error{errc::unknown_metric, 0, each.name, "gpuprof does not know what a throughput is made of",
                         "ask for the throughput without breakdown: in front, or for its parts by name"};
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

template <class Policy>
result<report> basic_profiler<Policy>::try_report() const {
    if (report_ && stage_ == stage::idle) return *report_;
    return error{errc::invalid_state, 0, "no report", "no collection has ended yet",
                 "run a loop over passes() to its end first"};
}

template <class Policy>
GPUPROF_FLATTEN scope_target::ticket basic_profiler<Policy>::enter(scope_target& target, scope_name name) noexcept {
    auto& self = static_cast<basic_profiler&>(target);
    std::string_view const text{name.data, name.length()};
    if (self.nvtx_) detail::nvtx_push(text);
    ticket opened{0, 0};
    if (self.collects()) opened.token = self.open(text);
    if (self.options_.record != nullptr) opened.begin = platform::ticks(); // last: not the time of the push
    return opened;
}

template <class Policy>
GPUPROF_FLATTEN void basic_profiler<Policy>::leave(scope_target& target, scope_name name, ticket opened) noexcept {
    auto& self = static_cast<basic_profiler&>(target);
    if (opened.begin != 0 && self.options_.record != nullptr) self.options_.record->write(name, opened.begin);
    if (opened.token != 0 && self.owner_ == platform::this_thread()) self.close(opened.token);
    if (self.nvtx_) detail::nvtx_pop();
}

template <class Policy>
inline bool basic_profiler<Policy>::collects() noexcept {
    if (detail::load_acquire(counting_) == 0) return false;
    if (detail::load_relaxed(owner_) == platform::this_thread()) return true;
    detail::add_relaxed(other_threads_, std::size_t{1});
    return false;
}

template <class Policy>
inline std::uint64_t basic_profiler<Policy>::open(std::string_view name) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
#endif
        auto const opened = log_.open(name);
        if (opened.push && stage_ == stage::collecting && !failure_)
            if (auto pushed = session_->try_push(opened.id); !pushed) [[unlikely]]
                fail(std::move(pushed).error());
        return opened.ticket;
#if GPUPROF_EXCEPTIONS
    } catch (...) { // no memory for a name: the scope goes unrecorded, the program goes on
        out_of_memory_ = true;
        return 0;
    }
#endif
}

// The first thing that goes wrong is what the report says; the hardware is left alone from then on.
template <class Policy>
GPUPROF_COLD void basic_profiler<Policy>::fail(error why) {
    failure_ = std::move(why);
}

template <class Policy>
inline void basic_profiler<Policy>::close(std::uint64_t token) noexcept {
    pop(log_.close(token));
}

template <class Policy>
inline void basic_profiler<Policy>::pop(std::size_t ranges) noexcept {
    if (stage_ != stage::collecting) return;
    for (; ranges > 0 && !failure_; --ranges)
        if (auto popped = session_->try_pop(); !popped) [[unlikely]]
            fail(std::move(popped).error());
}

template <class Policy>
template <class F>
bool basic_profiler<Policy>::guarded(F transition) noexcept {
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

template <class Policy>
bool basic_profiler<Policy>::begin_collection() noexcept {
    return guarded([this] { return begin(); });
}

template <class Policy>
bool basic_profiler<Policy>::next_replay_pass() noexcept {
    return guarded([this] { return advance(); });
}

template <class Policy>
void basic_profiler<Policy>::end_collection() noexcept {
    guarded([this] { return end(); });
}

template <class Policy>
GPUPROF_COLD bool basic_profiler<Policy>::begin() {
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
    detail::store_relaxed(owner_, platform::this_thread());
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

template <class Policy>
GPUPROF_COLD bool basic_profiler<Policy>::advance() {
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

template <class Policy>
GPUPROF_COLD bool basic_profiler<Policy>::end() {
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

template <class Policy>
GPUPROF_COLD bool basic_profiler<Policy>::start_hardware() {
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

template <class Policy>
GPUPROF_COLD result<void> basic_profiler<Policy>::try_start(hw::session_shape const& shape) {
    if (!session_) {
        auto opened = session::try_open(*gpu_, plan_);
        if (!opened) return std::move(opened).error();
        session_.emplace(*std::move(opened));
    }
    if (auto prepared = session_->try_prepare(shape); !prepared) return prepared;
    return session_->try_begin_replay_pass();
}

template <class Policy>
GPUPROF_COLD void basic_profiler<Policy>::finish() {
    std::vector<hw::range_values> values;
    if (stage_ == stage::collecting) {
        if (auto read = session_->try_read()) values = *std::move(read);
        else if (!failure_) failure_ = std::move(read).error();
    }
    if (failure_ || !options_.stay_armed) session_.reset();
    enter_stage(stage::idle);
    state_.other_threads = detail::load_relaxed(other_threads_);
    report_ = detail::write_report(detail::collected<detail::range_log>{*gpu_, plan_.hardware(), metrics_, log_, values,
                                                                        options_.ranges, options_.max_ranges,
                                                                        options_.merge_repeated, failure_, nested_,
                                                                        out_of_memory_},
                                   state_);
}

template <class Policy>
void basic_profiler<Policy>::enter_stage(stage next) noexcept {
    stage_ = next;
    detail::store_release(counting_, next == stage::survey || next == stage::collecting ? 1u : 0u);
    rearm();
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_BASIC_PROFILER_INL_HPP
