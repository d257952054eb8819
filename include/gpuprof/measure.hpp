// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call, typed answer: counters over a function. Layer: measure.
#ifndef GPUPROF_MEASURE_HPP
#define GPUPROF_MEASURE_HPP

#include <array>       // the values
#include <cstddef>     // std::size_t
#include <string_view> // names
#include <tuple>       // types by index
#include <utility>     // std::move

#include "detail/fixed_string.hpp"
#include "metric.hpp"
#include "profiler.hpp"
#include "report.hpp"
#include "result.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

// The values of a list of metrics over one execution of a function, all of them collected.
template <fixed_string... Names>
class measurement {
public:
    static constexpr std::size_t size = sizeof...(Names);

    measurement(std::array<double, size> values, device_source source) noexcept : values_{values}, source_{source} {}

    // By the metric itself: m[metrics::dram_bytes_read], or by its place: m.template get<0>(). Typed with its unit.
    template <fixed_string Name>
    [[nodiscard]] typename metric_descriptor<Name>::value_type operator[](metric_descriptor<Name>) const noexcept {
        constexpr std::size_t at = index_of(Name.view());
        static_assert(at < size, "gpuprof: this metric was not measured here; add its name to measure<…>");
        return typename metric_descriptor<Name>::value_type{values_[at]};
    }
    template <std::size_t At>
    [[nodiscard]] auto get() const noexcept {
        using metric_type = std::tuple_element_t<At, std::tuple<metric_descriptor<Names>...>>;
        return typename metric_type::value_type{values_[At]};
    }
    // Value `at` over value `by`, counted from 0, as a plain number; NaN or infinite if the second is 0.
    // @pre both are below size
    [[nodiscard]] gpuprof::ratio ratio(std::size_t at, std::size_t by) const noexcept {
        return gpuprof::ratio{values_[at] / values_[by]};
    }

    // Where the values come from.
    [[nodiscard]] device_source source() const noexcept { return source_; }

private:
    [[nodiscard]] static constexpr std::size_t index_of(std::string_view name) {
        std::string_view const names[]{Names.view()...};
        std::size_t at = 0;
        while (at < size && names[at] != name) ++at;
        return at;
    }

    std::array<double, size> values_;
    device_source source_;
};

// Runs `work` as often as the metrics need passes, each time as one range, and returns the values.
// Errors: those of profiler::try_create, and the first problem of an incomplete collection (not_collected for a value
// the hardware did not return). What `work` throws passes through. Cost: see profiler; each call starts the hardware.
// @pre `work` does the same every time; it returns with its launches submitted (the range waits for them)
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] result<measurement<Names...>> try_measure(device const& gpu, F&& work) {
    profiler_options options;
    options.max_ranges = 1;
    auto made = profiler::try_create(gpu, options, metric<Names>...);
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
    std::array<double, sizeof...(Names)> values{};
    std::size_t at = 0;
    for (metric_info const& each : report->metrics()) {
        auto value = range->try_value(each.name);
        if (!value) return std::move(value).error();
        values[at++] = value->value;
    }
    return measurement<Names...>{values, report->source()};
}

#if GPUPROF_EXCEPTIONS
// try_measure(), throwing: auto m = measure<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu, [&] { launch(); });
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] measurement<Names...> measure(device const& gpu, F&& work) {
    return try_measure<Names...>(gpu, static_cast<F&&>(work)).value();
}
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_HPP
