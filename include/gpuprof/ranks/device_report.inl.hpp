// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of device_report.hpp.
#ifndef GPUPROF_RANKS_DEVICE_REPORT_INL_HPP
#define GPUPROF_RANKS_DEVICE_REPORT_INL_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../metric/named_metrics.hpp"
#include "../text/printable.hpp"
#include "device_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

GPUPROF_INLINE std::optional<double> device_row::sum() const {
    bool const is_time = metric.value_unit == metrics::gpu_time_duration.ref().value_unit;
    if (metric.aggregation != aggregation::sum || is_time || metric.name.find(".sum") == std::string::npos) return {};
    return all.mean() * static_cast<double>(all.count());
}

GPUPROF_INLINE result<device_row> device_report::try_row(std::string_view range, std::string_view metric) const {
    for (device_row const& each : rows)
        if (each.range == range && each.metric.name == metric) return result<device_row>{device_row{each}};
    return error{errc::not_collected, 0,
                 "no GPU has a value of " + gpuprof::detail::printable(metric) + " in \"" +
                     gpuprof::detail::printable_path(range) + '"',
                 problems.empty() ? "it was not asked for, or no GPU had such a range" : problems.front().message(),
                 "look at the rows of the report"};
}

GPUPROF_INLINE device_report side_by_side(std::span<report const> of) {
    device_report made;
    std::vector<std::string> ranges;
    std::vector<metric_info> metrics;
    for (report const& each : of) {
        for (range_view const range : each)
            if (std::string path = range.path(); std::find(ranges.begin(), ranges.end(), path) == ranges.end())
                ranges.push_back(std::move(path));
        for (metric_info const& metric : each.metrics())
            if (std::none_of(metrics.begin(), metrics.end(), [&](auto const& m) { return m.name == metric.name; }))
                metrics.push_back(metric);
    }
    for (std::size_t device = 0; device < of.size(); ++device) {
        report const& each = of[device];
        made.devices.emplace_back(each.device());
        if (each.source() == device_source::embedded) made.source = device_source::embedded;
        for (error const& problem : each.completeness().problems) {
            made.problems.push_back(problem);
            made.problems.back().what = "GPU " + std::to_string(device) + ": " + problem.what;
        }
    }
    for (std::string const& path : ranges)
        for (metric_info const& metric : metrics) {
            device_row row{path, metric, std::vector<double>(of.size(), std::numeric_limits<double>::quiet_NaN()), {}};
            for (std::size_t device = 0; device < of.size(); ++device) {
                auto const range = of[device].try_range(path);
                auto const value = range ? range->try_value(metric.name) : result<measured_value>{range.error()};
                if (!value) continue;
                row.values[device] = value->value;
                row.all.add(value->value, device);
            }
            if (row.all.count() != 0) made.rows.push_back(std::move(row));
        }
    return made;
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_DEVICE_REPORT_INL_HPP
