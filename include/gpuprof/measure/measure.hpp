// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call, typed answer: counters over a function. Layer: measure.
#ifndef GPUPROF_MEASURE_MEASURE_HPP
#define GPUPROF_MEASURE_MEASURE_HPP

#include <cstddef>     // std::size_t
#include <string_view> // names
#include <utility>     // std::move

#include "../detail/fixed_string.hpp"
#include "../metric/metric.hpp"
#include "profiler.hpp"
#include "report.hpp"
#include "../core/result.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// The metric at a place of a list.
template <std::size_t At, class First, class... Rest>
struct metric_at : metric_at<At - 1, Rest...> {};
template <class First, class... Rest>
struct metric_at<0, First, Rest...> {
    using type = First;
};

// Of a function that opens so many ranges each time. On hardware a survey goes first, although the number is known: a kernel's
// first launch loads its module, and the driver's fill of the module's variables would be counted (H200: 64 warps more for
// 32 KiB).
[[nodiscard]] inline profiler_options options_for(device const& gpu, std::size_t ranges) noexcept {
    profiler_options options;
    if (gpu.source() != device_source::hardware) options.max_ranges = ranges;
    return options;
}

// The profiler, looked at only where measure() is called.
template <class>
struct profiler_of {
    using type = profiler;
};
} // namespace detail

// The values of a list of metrics over one execution of a function, all of them collected. A metric that is a quotient is
// NaN if its divisor was 0, and no comparison with it holds.
template <metric_like... Metrics>
class measurement {
public:
    static constexpr std::size_t size = sizeof...(Metrics);

    // @param values as many as metrics, in their order
    measurement(double const* values, device_source source) noexcept : source_{source} {
        for (std::size_t i = 0; i < size; ++i) values_[i] = values[i];
    }

    // By the metric itself: m[metrics::dram_bytes_read], or by its place: m.template get<0>(). Typed with its unit.
    template <metric_like Metric>
    [[nodiscard]] metric_value<Metric> operator[](Metric metric) const noexcept {
        constexpr std::size_t at = index_of(Metric::name());
        static_assert(at < size, "gpuprof: this metric was not measured here; add its name to measure<…>");
        return metric.typed(values_[at]);
    }
    template <std::size_t At>
        requires(At < size)
    [[nodiscard]] auto get() const noexcept { return detail::metric_at<At, Metrics...>::type::typed(values_[At]); }
    // Value `at` over value `by`, counted from 0, as a plain number. 0/0 is NaN: no comparison with it holds; anything else
    // over 0 is infinite.
    // @pre both are below size
    [[nodiscard]] gpuprof::ratio ratio(std::size_t at, std::size_t by) const noexcept {
        return gpuprof::ratio{values_[at] / values_[by]};
    }

    // Where the values come from.
    [[nodiscard]] device_source source() const noexcept { return source_; }

private:
    [[nodiscard]] static constexpr std::size_t index_of(std::string_view name) {
        std::string_view const names[]{Metrics::name()...};
        std::size_t at = 0;
        while (at < size && names[at] != name) ++at;
        return at;
    }

    double values_[size];
    device_source source_;
};

// Runs `work` as often as the metrics need passes, each time as one range, and returns the values. On hardware it runs once
// before that, without counters.
// Errors: those of profiler::try_create, and the first problem of an incomplete collection (not_collected for a value
// the hardware did not return). What `work` throws passes through. Cost: see profiler; each call starts the hardware.
// @pre `work` does the same every time; it returns with its launches submitted (the range waits for them)
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] result<measurement<Metrics...>> try_measure(device const& gpu, F&& work, Metrics... metrics) {
    auto made = detail::profiler_of<F>::type::try_create(gpu, detail::options_for(gpu, 1), metrics...);
    if (!made) return std::move(made).error();
    for (pass const& each : made->passes()) {
        static_cast<void>(each);
        scope whole{*made, "measure"};
        work();
    }
    auto report = made->try_report();
    if (!report) return std::move(report).error();
    if (!report->complete()) return report->completeness().problems.front();
    auto range = report->try_range("measure");
    if (!range) return std::move(range).error();
    double values[sizeof...(Metrics)]{};
    std::size_t at = 0;
    for (metric_info const& each : report->metrics()) {
        auto value = range->try_value(each.name);
        if (!value && !detail::is_quotient(each)) return std::move(value).error();
        values[at++] = value ? value->value : detail::quiet_nan; // 0/0
    }
    return measurement<Metrics...>{values, report->source()};
}

// The same by name: try_measure<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu, work).
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] result<measurement<metric_descriptor<Names>...>> try_measure(device const& gpu, F&& work) {
    return try_measure(gpu, static_cast<F&&>(work), metric<Names>...);
}

#if GPUPROF_EXCEPTIONS
// try_measure(), throwing: auto m = measure<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu, [&] { launch(); });
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] measurement<metric_descriptor<Names>...> measure(device const& gpu, F&& work) {
    return try_measure(gpu, static_cast<F&&>(work), metric<Names>...).value();
}
// With descriptors: measure(gpu, [&] { launch(); }, metrics::dram_bytes_read, legacy_metric<"ipc">).
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] measurement<Metrics...> measure(device const& gpu, F&& work, Metrics... metrics) {
    return try_measure(gpu, static_cast<F&&>(work), metrics...).value();
}
// A name is not a metric.
template <class... Given>
    requires(detail::gives_text<Given const&...>)
void measure(device const&, Given const&...) {
    static_assert(!detail::gives_text<Given const&...>, "gpuprof: write measure<\"name\">(gpu, work)");
}
#endif
// A name is not a metric.
template <class... Given>
    requires(detail::gives_text<Given const&...>)
void try_measure(device const&, Given const&...) {
    static_assert(!detail::gives_text<Given const&...>, "gpuprof: write try_measure<\"name\">(gpu, work)");
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_MEASURE_HPP
