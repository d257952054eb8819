// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a collection brought: ranges, typed values, and how complete they are.
#ifndef GPUPROF_MEASURE_REPORT_HPP
#define GPUPROF_MEASURE_REPORT_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../detail/shared.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../hw/counters/uncounted/provided_value.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "report_contents.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// Contents, and what follows from them for each range. A path is put together when it is asked for:
// whole paths of deep scopes would take the square of their number.
struct indexed_contents {
    struct place {
        std::size_t depth;
        std::size_t path_size;
    };
    report_contents what;
    std::vector<place> places;

    explicit indexed_contents(report_contents from);
    indexed_contents(indexed_contents const&) = delete;
    indexed_contents& operator=(indexed_contents const&) = delete;
    ~indexed_contents();
};
} // namespace detail

class report;

// One range of a report. Owns its report's contents together with it: a view of a temporary report
// stays valid.
class range_view {
public:
    // "frame/step": the names from the outermost range on, joined by '/'. Made anew by each call.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] std::string_view name() const& noexcept { return range().name; } // "step"; lives as long as this
    [[nodiscard]] std::string name() && { return range().name; }
    [[nodiscard]] std::size_t depth() const noexcept { return contents_.get()->places[index_].depth; } // 1: outermost
    [[nodiscard]] std::size_t count() const noexcept { return range().count; } // how often it ran in a pass
    // The place of the range around it in the report, as in report::at(); nothing for an outermost
    // range.
    [[nodiscard]] std::optional<std::size_t> parent() const noexcept {
        if (range().parent >= whole().ranges.size()) return {};
        return range().parent;
    }
    [[nodiscard]] range_launches const& launches() const& noexcept { return range().launches; }
    // How long the passes took over the range on the device: empty where one pass was enough, and
    // where none was timed (profiler_options::most_spread). See pass_times.
    [[nodiscard]] gpuprof::pass_times pass_times() const noexcept { return range().pass_times; }
    // The report that the range belongs to, shared with it.
    [[nodiscard]] gpuprof::report report() const noexcept;

    // The metric's value over all repetitions of the range, combined as its descriptor's
    // aggregation() says: counts add up, percentages and ratios are averaged. Errors: not_collected
    // with the cause, also for a quotient whose divisor was 0 (its try_values are NaN);
    // unknown_metric if it was not asked for.
    template <metric_like Metric>
    [[nodiscard]] result<metric_value<Metric>> try_get(Metric) const {
        auto value = try_value(Metric::name());
        if (!value) return std::move(value).error();
        return Metric::typed(value->value);
    }
    [[nodiscard]] result<measured_value> try_value(std::string_view metric) const;

    // The value of each repetition, in the order they ran; one value when repetitions were merged.
    // NaN: not collected, or divided by 0.
    [[nodiscard]] result<std::vector<double>> try_values(std::string_view metric) const;

    // How far try_value() may be off: its estimated standard deviation, in the metric's unit;
    // nothing for values that are as counted. Those of repetitions are taken to be independent.
    // Errors: as try_value().
    [[nodiscard]] result<std::optional<double>> try_deviation(std::string_view metric) const;

    // When each repetition ran on the device; empty where that was not taken. A repetition whose
    // times are not known has 0.
    [[nodiscard]] std::vector<activity::interval> times() const;

    // What a metric that needs no counter is in this range: number, text and instances
    // (launch__occupancy_per_block_size, nvlink__source_ports). Errors: as try_value; not_collected
    // for a counter, which has nothing but its number.
    [[nodiscard]] result<hw::provided::provided_value> try_provided(std::string_view metric) const;

#if GPUPROF_EXCEPTIONS
    // try_get(), throwing.
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric metric) const {
        return try_get(metric).value();
    }
    // Each repetition's value, typed.
    template <metric_like Metric>
    [[nodiscard]] std::vector<metric_value<Metric>> values(Metric) const {
        std::vector<double> const list = try_values(Metric::name()).value();
        std::vector<metric_value<Metric>> typed;
        for (double const each : list) typed.emplace_back(each);
        return typed;
    }
#endif

private:
    friend class report;
    range_view(detail::shared<detail::indexed_contents> of, std::size_t index) noexcept
        : contents_{std::move(of)}, index_{index} {}

    [[nodiscard]] report_contents const& whole() const noexcept { return contents_.get()->what; }
    [[nodiscard]] report_range const& range() const noexcept { return whole().ranges[index_]; }
    [[nodiscard]] bool has_path(std::string_view path) const noexcept;
    [[nodiscard]] result<std::size_t> try_column(std::string_view metric) const;
    [[nodiscard]] report_note const* note_of(std::size_t column) const noexcept;

    detail::shared<detail::indexed_contents> contents_;
    std::size_t index_;
};

// The ranges of one collection with their values, self-contained: it outlives profiler and device.
// A copy shares what it copies; const use is thread-safe. Moved from, it is an empty report. What a
// temporary report gives is the caller's own: views own the contents with it, texts and lists are
// copies.
class report {
public:
    using range = report_range;
    using contents = report_contents;

    report() noexcept = default;
    // @pre parents stand before their children
    explicit report(contents what);

    [[nodiscard]] std::string_view device() const& noexcept { return whole().device; }
    [[nodiscard]] std::string device() && { return whole().device; }
    [[nodiscard]] std::string_view chip() const& noexcept { return whole().chip; }
    [[nodiscard]] std::string chip() && { return whole().chip; }
    [[nodiscard]] device_source source() const noexcept { return whole().source; }
    // The file of the recording that the values are from: device and source are those that were
    // recorded on. Empty for values that were measured by this program.
    [[nodiscard]] std::string_view recording() const& noexcept { return whole().recording; }
    [[nodiscard]] std::string recording() && { return whole().recording; }
    [[nodiscard]] std::string_view hardware() const& noexcept { return whole().hardware; }
    [[nodiscard]] std::string hardware() && { return whole().hardware; }
    [[nodiscard]] std::vector<metric_info> const& metrics() const& noexcept { return whole().metrics; }
    [[nodiscard]] std::vector<metric_info> metrics() && { return whole().metrics; }
    // How the values of metrics()[at] come about.
    [[nodiscard]] fidelity fidelity_of(std::size_t at) const noexcept {
        return at < whole().fidelities.size() ? whole().fidelities[at] : fidelity::exact;
    }
    [[nodiscard]] gpuprof::completeness const& completeness() const& noexcept { return whole().completeness; }
    [[nodiscard]] gpuprof::completeness completeness() && { return whole().completeness; }
    [[nodiscard]] bool complete() const noexcept { return whole().completeness.complete(); }
    // Before, during and after the collection; nothing without NVML, on the embedded GPU, and where
    // nothing was counted.
    [[nodiscard]] std::optional<clock_state> clocks() const noexcept { return whole().clocks; }

    // All that it is made of, for what writes reports; lives as long as the report.
    [[nodiscard]] contents const& whole() const& noexcept {
        return held_.get() != nullptr ? held_.get()->what : empty();
    }
    [[nodiscard]] contents whole() && { return std::as_const(*this).whole(); }

    [[nodiscard]] std::size_t size() const noexcept { return whole().ranges.size(); }
    // @pre index < size()
    [[nodiscard]] range_view at(std::size_t index) const noexcept { return {held_, index}; }

    // The range of that path, outermost name first, joined by '/'. Errors: not_collected, with the
    // nearest paths; invalid_argument for a path that several ranges have, since a name may have a
    // '/', too: then ask for it name by name.
    [[nodiscard]] result<range_view> try_range(std::string_view path) const;
    // The range of these names, outermost first: try_range({"a/b", "c"}).
    [[nodiscard]] result<range_view> try_range(std::initializer_list<std::string_view> names) const;

#if GPUPROF_EXCEPTIONS
    // try_range(), throwing.
    [[nodiscard]] range_view operator[](std::string_view path) const;
    [[nodiscard]] range_view operator[](std::initializer_list<std::string_view> names) const;
#endif

    // Iterates over the ranges, parents before children.
    class iterator {
    public:
        iterator(report const& of, std::size_t at) noexcept : view_{of.held_, at} {}
        [[nodiscard]] range_view operator*() const noexcept { return view_; }
        iterator& operator++() noexcept {
            ++view_.index_;
            return *this;
        }
        [[nodiscard]] bool operator==(iterator const& other) const noexcept {
            return view_.index_ == other.view_.index_;
        }

    private:
        range_view view_; // of no range at the end
    };
    [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
    [[nodiscard]] iterator end() const noexcept { return {*this, size()}; }

private:
    friend class range_view;
    [[nodiscard]] static contents const& empty() noexcept;
    [[nodiscard]] error no_range(std::string_view path) const;

    detail::shared<detail::indexed_contents> held_;
};

inline report range_view::report() const noexcept {
    gpuprof::report of;
    of.held_ = contents_;
    return of;
}

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "report.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_MEASURE_REPORT_HPP
