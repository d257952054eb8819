// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call, typed answer: counters over a function.
#ifndef GPUPROF_MEASURE_MEASURE_HPP
#define GPUPROF_MEASURE_MEASURE_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <utility>

#include "../core/result.hpp"
#include "../detail/fixed_string.hpp"
#include "../metric/metric.hpp"
#include "measurement.hpp"
#include "profiler.hpp"
#include "report.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// Of a function that opens so many ranges each time. On hardware a survey goes first, although the
// number is known: a kernel's first launch loads its module, and the driver's fill of the module's
// variables would be counted (H200: 64 warps more for 32 KiB).
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

// Runs `work` as often as the metrics need passes, each time as one range, and returns the values.
// On hardware it runs once before that, without counters.
// Errors: those of profiler::try_create, and the first problem of an incomplete collection
// (not_collected for a value the hardware did not return). What `work` throws passes through. Cost:
// see profiler; each call starts the hardware.
// @pre `work` does the same every time; it returns with its launches submitted (the range waits for
// them)
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
    return measurement<Metrics...>{values, report->source(), range->pass_times().spread()};
}

// The same by name: try_measure<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu, work).
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] result<measurement<metric_descriptor<Names>...>> try_measure(device const& gpu, F&& work) {
    return try_measure(gpu, static_cast<F&&>(work), metric<Names>...);
}

#if GPUPROF_EXCEPTIONS
// try_measure(), throwing: auto m = measure<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu,
// [&] { launch(); });
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] measurement<metric_descriptor<Names>...> measure(device const& gpu, F&& work) {
    return try_measure(gpu, static_cast<F&&>(work), metric<Names>...).value();
}
// With descriptors: measure(gpu, [&] { launch(); }, metrics::dram_bytes_read,
// legacy_metric<"ipc">).
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

#endif // GPUPROF_ENABLED

#endif // GPUPROF_MEASURE_MEASURE_HPP
