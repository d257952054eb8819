// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of experiment.hpp.
#ifndef GPUPROF_MEASURE_EXPERIMENT_INL_HPP
#define GPUPROF_MEASURE_EXPERIMENT_INL_HPP

#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../detail/builtin.hpp"
#include "experiment.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// "object 12", without allocation.
struct object_name {
    static constexpr std::string_view stem = "object ";
    char text[stem.size() + 20];
    std::size_t size;

    explicit object_name(std::size_t number) noexcept {
        for (std::size_t i = 0; i < stem.size(); ++i) text[i] = stem[i];
        size = static_cast<std::size_t>(std::to_chars(text + stem.size(), text + sizeof text, number).ptr - text);
    }
    [[nodiscard]] std::string_view view() const noexcept { return {text, size}; }
};
} // namespace detail

GPUPROF_INLINE result<experiment> experiment::try_create(device const& gpu, profiler_options const& options) {
    auto held = gpu.try_share();
    if (!held) return std::move(held).error();
    return experiment{*std::move(held), options};
}

GPUPROF_COLD GPUPROF_INLINE experiment::experiment(experiment&& other) noexcept
    : gpu_{(other.abandon(), std::move(other.gpu_))},
      options_{std::move(other.options_)},
      metrics_{std::move(other.metrics_)},
      profiler_{std::move(other.profiler_)},
      objects_{std::move(other.objects_)},
      mistakes_{std::move(other.mistakes_)},
      refusal_{std::move(other.refusal_)},
      passes_{other.passes_},
      next_pass_{other.next_pass_},
      changed_{other.changed_},
      has_run_{other.has_run_} {}

// ---- counters and objects -----------------------------------------------------------------------

GPUPROF_INLINE bool experiment::has_counter(std::string_view name) const noexcept {
    for (metric_info const& each : metrics_)
        if (each.name == name) return true;
    return false;
}

GPUPROF_INLINE experiment_status experiment::enable(metric_info const& counter) {
    if (running_) return answer(experiment_code::already_in_experiment);
    if (has_counter(counter.name)) return {};
    metrics_.push_back(counter);
    changed_ = true;
    has_run_ = false;
    return {};
}
GPUPROF_INLINE experiment_status experiment::enable(std::span<metric_info const> counters) {
    for (metric_info const& each : counters)
        if (auto const enabled = enable(each); !enabled) return enabled;
    return {};
}

GPUPROF_INLINE experiment_status experiment::disable(std::string_view counter) {
    if (running_) return answer(experiment_code::already_in_experiment);
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
        if (metrics_[i].name != counter) continue;
        metrics_.erase(metrics_.begin() + static_cast<std::ptrdiff_t>(i));
        changed_ = true;
        has_run_ = false;
        return {};
    }
    return experiment_code::counter_was_not_enabled;
}
GPUPROF_INLINE experiment_status experiment::disable_all() {
    if (running_) return answer(experiment_code::already_in_experiment);
    if (metrics_.empty()) return experiment_code::counter_was_not_enabled;
    metrics_.clear();
    changed_ = true;
    has_run_ = false;
    return {};
}

GPUPROF_INLINE experiment_status experiment::reserve_objects(std::size_t count) {
    if (running_) return answer(experiment_code::already_in_experiment);
    if (count >= std::size_t{1} << 31) return answer({experiment_code::too_many_objects, count}); // ranges are 32 bits
#if GPUPROF_EXCEPTIONS
    try {
#endif
        order_.reserve(count);
        objects_.assign(count, {});
#if GPUPROF_EXCEPTIONS
    } catch (...) {
        return answer({experiment_code::too_many_objects, count});
    }
#endif
    changed_ = true;
    has_run_ = false;
    return {};
}

// ---- the experiment -----------------------------------------------------------------------------

// Remembers what is wrong.
GPUPROF_INLINE experiment_status experiment::answer(experiment_status status) {
    if (status.is_ok()) [[likely]]
        return status;
    for (experiment_mistake& each : mistakes_)
        if (each.first.code() == status.code()) {
            ++each.times;
            return status;
        }
    mistakes_.push_back({status, 1});
    return status;
}

GPUPROF_COLD GPUPROF_INLINE void experiment::refuse(error why) {
    refusal_ = std::move(why);
    answer(experiment_code::refused);
}

GPUPROF_INLINE experiment_status experiment::begin() {
    if (running_) return answer(experiment_code::already_in_experiment);
    mistakes_.clear();
    mistakes_.reserve(static_cast<std::size_t>(experiment_code::refused)); // none allocates later
    refusal_.reset();
    if (metrics_.empty()) return answer(experiment_code::no_counters);
    has_run_ = false;
    passes_ = next_pass_ = 0;
    if (!profiler_ || changed_) {
        profiler_.reset();
        profiler_options options = options_;
        options.max_ranges = objects_.empty() ? 1 : objects_.size();
        options.nesting_levels = 1;
        options.merge_repeated = true; // values go by the object's name, whatever a pass left out
        options.ranges = range_mode::user_range;
        options.replay = replay_mode::user;
        auto created = profiler::try_create(gpu_, options, std::span<metric_info const>{metrics_});
        if (!created) {
            refuse(std::move(created).error());
            return experiment_code::refused;
        }
        profiler_.emplace(*std::move(created));
        changed_ = false;
    }
    for (object_state& each : objects_) each = {};
    whole_pass_ = {};
    order_.clear();
    watch_.emplace();
    hears_ = watch_->try_begin(gpu_, &experiment::heard, this).has_value();
    loop_.emplace(*profiler_);
    at_.emplace(loop_->begin());
    if (!(**at_).measured) { // the profiler knows why
        at_.reset();
        loop_.reset();
        watch_.reset();
        auto const report = profiler_->try_report();
        if (!report) refuse(report.error());
        else if (!report->complete()) refuse(report->completeness().problems.front());
        else refuse({errc::not_collected, 0, "the pass was not measured", {}, {}});
        return experiment_code::refused;
    }
    passes_ = profiler_->passes_needed() > 1 ? profiler_->passes_needed() : 1;
    running_ = true;
    in_pass_ = false;
    open_ = none;
    return {};
}

GPUPROF_INLINE experiment_status experiment::begin_pass(std::size_t pass) {
    if (!running_) return answer(experiment_code::not_in_experiment);
    experiment_status warning;
    if (in_pass_) {
        std::size_t const left = next_pass_;
        static_cast<void>(end_pass(left));
        warning = answer({experiment_code::pass_not_ended, pass, left});
    }
    if (pass >= passes_) return answer({experiment_code::invalid_pass, pass, passes_});
    if (pass != next_pass_) return answer({experiment_code::pass_skipped, pass, next_pass_});
    if (!loop_goes_on()) { // the hardware failed: the collection is over
        auto const report = profiler_->try_report();
        refuse(report && !report->complete() ? report->completeness().problems.front()
                                             : error{errc::not_collected, 0, "the collection ended early", {}, {}});
        return experiment_code::refused;
    }
    in_pass_ = true;
    begun_ = 0;
    if (objects_.empty()) open_scope(0);
    return warning;
}

GPUPROF_INLINE experiment_status experiment::begin_object(std::size_t object) {
    if (!running_) return answer(experiment_code::not_in_experiment);
    if (!in_pass_) return answer(experiment_code::not_in_pass);
    if (object >= objects_.size()) return answer({experiment_code::unknown_object, object, objects_.size()});
    if (objects_[object].in_pass == next_pass_) return answer({experiment_code::object_repeated, object});
    experiment_status warning;
    if (open_ != none) {
        warning = answer({experiment_code::object_not_ended, object, open_});
        static_cast<void>(close_scope());
    }
    if (next_pass_ == 0) order_.push_back(object);
    else if (begun_ < order_.size() && order_[begun_] != object)
        warning = answer({experiment_code::object_order_changed, object, order_[begun_]});
    objects_[object].in_pass = next_pass_;
    ++begun_;
    open_scope(object);
    return warning;
}

GPUPROF_INLINE experiment_status experiment::end_object(std::size_t object) {
    if (!running_) return answer(experiment_code::not_in_experiment);
    if (!in_pass_) return answer(experiment_code::not_in_pass);
    if (object >= objects_.size()) return answer({experiment_code::unknown_object, object, objects_.size()});
    if (open_ != object) return answer({experiment_code::object_not_begun, object});
    return close_scope();
}

GPUPROF_INLINE experiment_status experiment::end_pass(std::size_t pass) {
    if (!running_) return answer(experiment_code::not_in_experiment);
    if (!in_pass_ || pass != next_pass_) return answer(experiment_code::not_in_pass);
    experiment_status warning;
    if (objects_.empty()) {
        warning = close_scope();
    } else if (open_ != none) {
        warning = answer({experiment_code::object_not_ended, open_, open_});
        static_cast<void>(close_scope());
    }
    if (begun_ < objects_.size()) warning = answer({experiment_code::pass_incomplete, begun_, objects_.size()});
    in_pass_ = false;
    ++next_pass_;
    ++*at_;
    return warning;
}

GPUPROF_INLINE experiment_status experiment::end() {
    if (!running_) return answer(experiment_code::not_in_experiment);
    experiment_status status;
    if (in_pass_) {
        std::size_t const left = next_pass_;
        static_cast<void>(end_pass(left));
        status = answer({experiment_code::pass_not_ended, left, left});
    }
    if (next_pass_ < passes_) status = answer({experiment_code::experiment_incomplete, next_pass_, passes_});
    abandon();
    has_run_ = true;
    return status;
}

// Ends the loop, which may have ended by itself.
GPUPROF_INLINE void experiment::abandon() noexcept {
    scope_.reset();
    at_.reset();
    loop_.reset();
    watch_.reset();
    running_ = in_pass_ = false;
    open_ = none;
}

GPUPROF_INLINE void experiment::heard(void* self, hw::launch_event const& launch) {
    if (launch.status == abi::CUDA_SUCCESS)
        detail::add_relaxed(static_cast<experiment*>(self)->launched_, std::size_t{1});
}

// Launches are counted from here: a flush of the caches has ended.
GPUPROF_INLINE void experiment::open_scope(std::size_t object) {
    detail::object_name const named{object};
    scope_.emplace(*profiler_, scope_name{named.text, named.size});
    open_ = object;
    launched_before_ = detail::load_relaxed(launched_);
}

GPUPROF_INLINE experiment_status experiment::close_scope() {
    std::size_t const object = open_;
    std::size_t const launches = detail::load_relaxed(launched_) - launched_before_;
    scope_.reset();
    open_ = none;
    object_state& state = state_of(object);
    if (!hears_) return {};
    if (state.launches == none) state.launches = launches;
    if (state.launches != launches)
        return answer({experiment_code::launch_count_changed, launches, state.launches, object});
    return {};
}

// ---- results ------------------------------------------------------------------------------------

GPUPROF_INLINE experiment_status experiment::readable() const noexcept {
    if (running_) return experiment_code::experiment_running;
    if (!has_run_) return experiment_code::experiment_not_run;
    return {};
}

GPUPROF_INLINE result<gpuprof::report> experiment::try_report() const {
    if (auto const can = readable(); !can) return can.as_error();
    return profiler_->try_report();
}

GPUPROF_INLINE result<range_view> experiment::try_object(std::size_t object) const {
    auto const report = try_report();
    if (!report) return report.error();
    if (std::size_t const last = objects_.empty() ? 1 : objects_.size(); object >= last)
        return experiment_status{experiment_code::unknown_object, object, objects_.size()}.as_error();
    detail::object_name const named{object};
    for (range_view const each : *report)
        if (each.name() == named.view()) return each;
    return error{errc::not_collected, 0, detail::joined({named.view(), " was never begun"}),
                 report->complete() ? std::string_view{} : report->completeness().problems.front().what,
                 "begin and end it in every pass"};
}

GPUPROF_INLINE result<measured_value> experiment::try_value(std::string_view counter, std::size_t object) const {
    auto const range = try_object(object);
    if (!range) return range.error();
    if (!has_counter(counter)) return experiment_status{experiment_code::counter_not_enabled}.as_error();
    return range->try_value(counter);
}

GPUPROF_INLINE result<double> experiment::try_cycles(std::string_view counter, std::size_t object) const {
    auto const value = try_value(counter, object);
    if (!value) return value.error();
    for (metric_info const& each : metrics_)
        if (each.name == counter && each.aggregation == aggregation::sum) return value->value;
    std::string_view const unit = counter.substr(0, counter.find("__"));
    std::string const of_unit = detail::joined({unit, "__cycles_elapsed.max"});
    for (std::string_view const clock : {std::string_view{of_unit}, std::string_view{"sm__cycles_elapsed.max"},
                                         std::string_view{"elapsed_cycles_sm"}, std::string_view{"active_cycles"}}) {
        if (!has_counter(clock)) continue;
        auto const cycles = try_value(clock, object);
        if (!cycles) return cycles.error();
        return cycles->value;
    }
    return error{errc::not_collected, 0, detail::joined({"how many cycles ", counter, " was observed"}),
                 "no counter of elapsed cycles is enabled",
                 detail::joined({"enable ", of_unit, " or sm__cycles_elapsed.max"})};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_EXPERIMENT_INL_HPP
