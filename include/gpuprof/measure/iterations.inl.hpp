// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of iterations.hpp.
#ifndef GPUPROF_MEASURE_ITERATIONS_INL_HPP
#define GPUPROF_MEASURE_ITERATIONS_INL_HPP

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iterations.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN

struct iterations::state {
    struct range {
        std::string path;
        std::vector<detail::running_value> values; // of each metric
    };

    explicit state(profiler counts) : counters{std::move(counts)} {}

    void begin() {
        if (!passes) {
            passes.emplace(counters);
            at.emplace(passes->begin());
        }
        measured = (**at).measured;
        whole.emplace(counters, "iteration");
        running = true;
    }
    void end() {
        running = false;
        whole.reset();
        if (++*at == pass_sequence::iterator::end{}) {
            at.reset();
            passes.reset(); // writes the report
            if (auto report = counters.try_report()) add(*report);
            else leave_out(report.error());
        }
    }
    void add(report const& of) {
        if (of.completeness().replay_passes < of.completeness().passes_needed) refused = rounds == 0;
        for (error const& each : of.completeness().problems) leave_out(each);
        if (!of.complete()) {
            ++left_out;
            return;
        }
        ++rounds;
        for (std::size_t row = 0; row < of.size(); ++row) {
            range_view const from = of.at(row);
            range& to = find(from.path());
            for (std::size_t metric = 0; metric < to.values.size(); ++metric)
                if (auto value = from.try_value(counters.metrics()[metric].name); value && value->value == value->value)
                    to.values[metric].add(value->value);
        }
    }
    range& find(std::string path) {
        for (range& each : ranges)
            if (each.path == path) return each;
        ranges.push_back({std::move(path), std::vector<detail::running_value>(counters.metrics().size())});
        return ranges.back();
    }
    void leave_out(error const& why) {
        for (error const& each : problems)
            if (each.code == why.code && each.cause == why.cause) return;
        problems.push_back(why);
    }

    // Lets the program go on where there is no memory: nothing is measured from then on.
    template <class F>
    void guarded(F work) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            work();
        } catch (...) {
            running = false;
            refused = true;
        }
#else
        work();
#endif
    }

    profiler counters;
    std::optional<pass_sequence> passes; // of a round that is not over
    std::optional<pass_sequence::iterator> at;
    std::optional<scope> whole;
    bool running = false;
    bool measured = false;
    bool refused = false; // the hardware could not be had
    std::size_t rounds = 0;
    std::size_t left_out = 0;
    std::vector<error> problems;
    std::vector<range> ranges;
};

GPUPROF_INLINE iterations::iterations() noexcept = default;
GPUPROF_INLINE iterations::iterations(iterations&& other) noexcept = default;
GPUPROF_INLINE iterations::~iterations() = default;

GPUPROF_INLINE result<iterations> iterations::try_create(device const& gpu, profiler_options const& options,
                                                         std::span<metric_info const> metrics) {
    if (options.ranges != range_mode::user_range)
        return error{errc::invalid_argument, 0, "iterations with automatic ranges", "an iteration is a range",
                     "leave profiler_options::ranges as it is"};
    if (options.memory != memory_control::leave)
        return error{errc::invalid_argument, 0, "iterations over restored memory",
                     "each iteration goes on from what the last one left",
                     "leave profiler_options::memory as it is, or use a profiler"};
    profiler_options own = options;
    if (own.max_ranges == 0) own.max_ranges = 1; // no survey: it would be an iteration that is lost
    own.stay_armed = true;
    own.most_spread = 0; // each iteration goes on from what the last one left
    if (!own.compare_memory) own.compare_memory = false;
    auto made = profiler::try_create(gpu, own, metrics);
    if (!made) return std::move(made).error();
    iterations all;
    all.state_ = detail::owned<state>{new state{*std::move(made)}};
    return result<iterations>{std::move(all)};
}

GPUPROF_INLINE iterations::iteration iterations::next() noexcept {
    if (!state_ || state_->running || state_->refused) return iteration{nullptr};
    state_->guarded([this] { state_->begin(); });
    return iteration{state_->running ? &*state_ : nullptr};
}

GPUPROF_INLINE iterations::iteration::~iteration() {
    if (of_ != nullptr) of_->guarded([this] { of_->end(); });
}
GPUPROF_INLINE bool iterations::iteration::measured() const noexcept { return of_ != nullptr && of_->measured; }

GPUPROF_INLINE std::size_t iterations::passes_needed() const noexcept { return state_->counters.passes_needed(); }
GPUPROF_INLINE std::size_t iterations::rounds() const noexcept { return state_->rounds; }
GPUPROF_INLINE std::size_t iterations::left_out() const noexcept { return state_->left_out; }
GPUPROF_INLINE std::vector<error> const& iterations::problems() const noexcept { return state_->problems; }
GPUPROF_INLINE profiler& iterations::counters() noexcept { return state_->counters; }

GPUPROF_INLINE result<iteration_value> iterations::try_value(std::string_view metric, std::string_view range) const {
    auto const& metrics = state_->counters.metrics();
    for (std::size_t column = 0; column < metrics.size(); ++column) {
        if (metrics[column].name != metric) continue;
        for (state::range const& each : state_->ranges)
            if (each.path == range && each.values[column].rounds() != 0)
                return each.values[column].value(metrics[column].value_unit);
        bool const told = !state_->problems.empty();
        return error{
            errc::not_collected, 0, std::string{metric} + " of \"" + std::string{range} + "\": no round gave a value",
            told ? state_->problems.front().what : std::string{"no round is over"},
            told ? state_->problems.front().remedy : "a round takes passes_needed() iterations: let the program go on"};
    }
    return error{errc::invalid_argument, 0, std::string{metric} + ": not measured in these iterations",
                 "it is none of their metrics", "give it to the constructor"};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_ITERATIONS_INL_HPP
