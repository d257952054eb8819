// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of series.hpp.
#ifndef GPUPROF_EXPLAIN_SERIES_INL_HPP
#define GPUPROF_EXPLAIN_SERIES_INL_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/machine/in_context.hpp"
#include "../measure/launch_log.hpp"
#include "../measure/launch_problems.hpp"
#include "../measure/memory_restorer.hpp"
#include "../measure/profiler.hpp"
#include "../measure/report.hpp"
#include "../measure/scope.hpp"
#include "kernel_settings.hpp"
#include "series.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

struct series::state {
    state(device held, series_options const& how, std::vector<axis> over)
        : gpu{std::move(held)}, options{how}, axes{std::move(over)} {}

    [[nodiscard]] std::size_t combinations() const noexcept {
        std::size_t product = 1;
        for (axis const& each : axes) product *= each.values.size();
        return product;
    }
    // The last axis fastest.
    [[nodiscard]] parameters at(std::size_t combination) const {
        std::vector<parameters::parameter> list(axes.size());
        for (std::size_t i = axes.size(); i-- > 0;) {
            list[i] = {axes[i].name, axes[i].values[combination % axes[i].values.size()]};
            combination /= axes[i].values.size();
        }
        return parameters{std::move(list)};
    }

    // Between two passes of a measurement.
    static void passed(void* self, std::size_t done, std::size_t needed) noexcept {
        if (done != 0 && done < needed) static_cast<state*>(self)->put_back();
    }
    // What fails leaves memory as it is from then on, and the report says so.
    void put_back() noexcept {
        if (!memory.holds()) return;
        if (auto restored = memory.try_restore(); !restored) failed_to_restore = std::move(restored).error();
    }

    static void note(series_report& in, error const& problem) {
        for (error const& each : in.problems)
            if (each.code == problem.code && each.what == problem.what) return;
        in.problems.push_back(problem);
    }
    void note_memory(series_report& in) {
        if (failed_to_restore) note(in, *failed_to_restore);
        failed_to_restore.reset();
    }

    // Runs the work once, unmeasured, and waits for it.
    [[nodiscard]] result<void> try_first_run(parameters const& values, detail::series_work const& work) {
        gpuprof::detail::launch_log launches;
        launches.reset(false, false);
        launches.on(gpu);
        hw::launch_watch watch;
        static_cast<void>(
            watch.try_begin(gpu, &gpuprof::detail::launch_log::heard, &launches)); // the profiler says if it fails
        result<void> ran = work.call(work.work, values);
        watch.end();
        auto waited = hw::in_context(gpu.driver(), gpu.context(), [this] {
            return hw::try_wait_for_context(gpu.driver(), "a combination is not waited for",
                                            "end the capture in the work");
        });
        if (!waited) {
            // A kernel that failed makes every call fail, also the one that asks for a capture.
            auto const status = static_cast<abi::CUresult>(waited.error().status);
            return hw::advise(status).code == errc::device_lost ? hw::explain("the work of a series", status)
                                                                : std::move(waited).error();
        }
        if (launches.refused() != 0) {
            std::vector<error> found;
            gpuprof::detail::add_refused_launches(found, launches, "in the work");
            found.front().remedy = "leave the values out of the axes";
            return std::move(found.front());
        }
        return ran;
    }

    // One measurement. An error that it returns ends the series.
    [[nodiscard]] result<void> try_measure(series_report& into, series_row& row, detail::series_work const& work) {
        detail::kernel_settings settings{gpu};
        if (auto set = settings.try_set(axes, row.values); !set) {
            row.refused = std::move(set).error();
            return {};
        }
        bool const written = options.memory == memory_control::restore_written;
        if (written)
            if (auto begun = memory.try_begin(gpu, options.memory); !begun) note(into, begun.error());
        auto ran = try_first_run(row.values, work);
        if (!ran) row.refused = std::move(ran).error();
        if (written)
            if (auto ended = memory.try_end_first_run(); !ended && !row.refused) note(into, ended.error());
        put_back();
        note_memory(into);
        if (row.refused) return {};

        for (pass const& each : counters->passes()) {
            static_cast<void>(each);
            scope whole{*counters, "combination"};
            if (auto again = work.call(work.work, row.values); !again) row.refused = std::move(again).error();
        }
        auto report = counters->try_report();
        put_back();
        note_memory(into);
        if (!report) return std::move(report).error();
        return try_keep(into, row, *report);
    }

    [[nodiscard]] static result<void> try_keep(series_report& into, series_row& row, report const& of) {
        for (error const& each : of.completeness().problems) {
            if (of.completeness().replay_passes == 0 && each.code != errc::launch_failed &&
                each.code != errc::device_lost)
                return each; // the hardware cannot be had
            switch (each.code) {
                case errc::launch_failed:
                case errc::not_collected:
                case errc::replay_mismatch:
                case errc::device_lost:
                    if (!row.refused) row.refused = each;
                    break;
                default: note(into, each);
            }
        }
        if (of.completeness().unwatched) note(into, *of.completeness().unwatched);
        if (row.refused) return {};
        auto const range = of.try_range("combination");
        if (!range) {
            row.refused = range.error();
            return {};
        }
        row.rounds.resize(into.metrics.size());
        for (std::size_t i = 0; i < into.metrics.size(); ++i) {
            auto const value = range->try_value(into.metrics[i].name);
            if (!value && !gpuprof::detail::is_quotient(into.metrics[i])) {
                row.refused = value.error();
                return {};
            }
            row.rounds[i].push_back(value ? value->value : gpuprof::detail::quiet_nan); // 0/0
        }
        if (into.trust.empty())
            for (std::size_t i = 0; i < into.metrics.size(); ++i) into.trust.push_back(of.fidelity_of(i));
        return {};
    }

    [[nodiscard]] result<series_report> try_run(detail::series_work const& work) {
        series_report made;
        made.device = gpu.name();
        made.chip = gpu.chip();
        made.source = gpu.source();
        made.axes = axes;
        made.metrics = counters->metrics();
        made.direction = options.better;
        made.memory = options.memory;
        made.rounds = options.rounds;
        made.passes = counters->passes_needed();
        std::size_t const count = combinations();
        for (std::size_t i = 0; i < count; ++i) made.rows.push_back({at(i), {}, {}});
        memory.reset();
        if (options.memory == memory_control::restore)
            if (auto begun = memory.try_begin(gpu, options.memory); !begun) note(made, begun.error());
        std::optional<error> lost;
        for (std::size_t round = 0; round < options.rounds; ++round)
            for (std::size_t i = 0; i < count; ++i) {
                series_row& row = made.rows[round % 2 == 0 ? i : count - 1 - i];
                if (lost && !row.refused)
                    row.refused = error{errc::device_lost, lost->status, "not run", lost->what, lost->remedy};
                if (row.refused) continue;
                if (auto measured = try_measure(made, row, work); !measured) return std::move(measured).error();
                if (row.refused && row.refused->code == errc::device_lost) lost = row.refused;
            }
        for (series_row& each : made.rows)
            if (each.refused) each.rounds.clear();
        memory.reset();
        return result<series_report>{std::move(made)};
    }

    device gpu;
    series_options options;
    std::vector<axis> axes;
    gpuprof::detail::memory_restorer memory{};
    std::optional<error> failed_to_restore{};
    std::optional<profiler> counters{};
};

GPUPROF_INLINE series::series() noexcept = default;
GPUPROF_INLINE series::series(series&& other) noexcept = default;
GPUPROF_INLINE series::~series() = default;

namespace detail {

// What is wrong with the axes, or nothing.
[[nodiscard]] inline result<void> try_check(std::vector<axis> const& axes, series_options const& options) {
    using gpuprof::detail::joined;
    auto const wrong = [](std::string_view what, std::string_view cause, std::string_view remedy) {
        return error{errc::invalid_argument, 0, what, cause, remedy};
    };
    if (axes.empty())
        return wrong("a series without an axis", "nothing would change", "give it an axis, or use a profiler");
    if (options.rounds == 0)
        return wrong("a series of no round", "nothing would be measured", "leave series_options::rounds as it is");
    std::size_t product = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        axis const& each = axes[i];
        if (each.name.empty())
            return wrong("an axis without a name", "the work could not ask for its value", "name it");
        for (std::size_t before = 0; before < i; ++before)
            if (axes[before].name == each.name)
                return wrong(joined({"two axes are \"", each.name, "\""}), "the work could not tell them apart",
                             "rename one of them");
        if (each.values.empty())
            return wrong(joined({"axis \"", each.name, "\" has no value"}), "there would be no combination",
                         "give it a value");
        if (each.sets != kernel_setting::nothing && each.kernels.empty())
            return wrong(joined({"axis \"", each.name, "\" has no kernel"}), "it is set at kernels", "name them");
        if (each.values.size() > series_options::most_combinations / product)
            return wrong(joined({"more than ", std::to_string(series_options::most_combinations), " combinations"}),
                         joined({"axis \"", each.name, "\" has ", std::to_string(each.values.size()), " values"}),
                         "try fewer values of each axis first");
        product *= each.values.size();
    }
    return {};
}

} // namespace detail

GPUPROF_INLINE result<series> series::try_create(device const& gpu, series_options const& options,
                                                 std::vector<axis> axes, std::span<metric_info const> metrics) {
    if (auto checked = detail::try_check(axes, options); !checked) return std::move(checked).error();
    auto held = gpu.try_share();
    if (!held) return std::move(held).error();
    series made;
    made.state_ = gpuprof::detail::owned<state>{new state{*std::move(held), options, std::move(axes)}};
    state& own = *made.state_;
    profiler_options how;
    how.max_ranges = 1; // no survey: the first run of a combination is one
    how.stay_armed = true;
    how.caches = options.caches;
    how.on_pass = {&state::passed, &own};
    auto counters = profiler::try_create(own.gpu, how, metrics);
    if (!counters) return std::move(counters).error();
    own.counters.emplace(*std::move(counters));
    return result<series>{std::move(made)};
}

GPUPROF_INLINE std::size_t series::combinations() const noexcept { return state_->combinations(); }
GPUPROF_INLINE std::size_t series::passes_needed() const noexcept { return state_->counters->passes_needed(); }
GPUPROF_INLINE std::size_t series::runs() const noexcept {
    std::size_t const passes = passes_needed();
    return combinations() * state_->options.rounds * (1 + (passes == 0 ? 1 : passes));
}
GPUPROF_INLINE parameters series::at(std::size_t combination) const { return state_->at(combination); }
GPUPROF_INLINE result<series_report> series::try_run(detail::series_work const& work) { return state_->try_run(work); }

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_INL_HPP
