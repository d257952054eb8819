// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of report.hpp. Layer: measure.
#ifndef GPUPROF_MEASURE_REPORT_INL_HPP
#define GPUPROF_MEASURE_REPORT_INL_HPP

#include <cstddef>     // std::size_t
#include <string>      // texts of errors
#include <string_view> // look-ups
#include <utility>     // std::move
#include <vector>      // names to offer

#include "../core/printable.hpp"
#include "../metric/nearest.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_INLINE report::report() = default;
GPUPROF_INLINE report::report(contents what) : what_{std::move(what)} {}
GPUPROF_INLINE report::report(report const& other) = default;
GPUPROF_INLINE report::report(report&& other) noexcept = default;
GPUPROF_INLINE report& report::operator=(report const& other) = default;
GPUPROF_INLINE report& report::operator=(report&& other) noexcept = default;
GPUPROF_INLINE report::~report() = default;

GPUPROF_DEFINE result<std::size_t> report::try_column(std::string_view metric) const {
    for (std::size_t i = 0; i < what_.metrics.size(); ++i)
        if (what_.metrics[i].name == metric) return i;
    return unknown_name(metric, "this report has no metric of that name: it was not asked for", what_.metrics);
}

GPUPROF_DEFINE result<range_view> report::try_range(std::string_view path) const {
    for (std::size_t i = 0; i < size(); ++i)
        if (what_.ranges[i].path == path) return range_view{*this, i};
    error why{errc::not_collected, 0, "no range \"" + detail::printable_path(path) + '"', {}, {}};
    if (!complete()) {
        why.cause = what_.completeness.problems.front().message();
    } else if (size() == 0) {
        why.cause = "the report has no ranges";
    } else {
        why.cause = "the report has";
        for (std::size_t i = 0; i < size() && i < 8; ++i)
            why.cause += (i == 0 ? " \"" : ", \"") + what_.ranges[i].path + '"';
    }
    std::vector<std::string_view> paths;
    for (range const& each : what_.ranges) paths.push_back(each.path);
    why.remedy = detail::perhaps(path, paths);
    return why;
}

#if GPUPROF_EXCEPTIONS
GPUPROF_DEFINE range_view report::operator[](std::string_view path) const { return try_range(path).value(); }
#endif

GPUPROF_DEFINE result<std::vector<double>> range_view::try_values(std::string_view metric) const {
    auto column = report_->try_column(metric);
    if (!column) return std::move(column).error();
    std::size_t const width = report_->what_.metrics.size();
    std::vector<double> list;
    for (std::size_t const row : report_->what_.ranges[index_].rows)
        list.push_back(report_->what_.values[row * width + *column]);
    return list;
}

GPUPROF_DEFINE result<measured_value> range_view::try_value(std::string_view metric) const {
    auto column = report_->try_column(metric);
    if (!column) return std::move(column).error();
    metric_info const& info = report_->what_.metrics[*column];
    std::vector<double> const list = *try_values(metric);
    std::size_t missing = 0;
    double combined = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] != list[i]) ++missing; // NaN
        switch (info.aggregation) {
            case aggregation::minimum: combined = i == 0 || list[i] < combined ? list[i] : combined; break;
            case aggregation::maximum: combined = i == 0 || list[i] > combined ? list[i] : combined; break;
            case aggregation::sum:
            case aggregation::mean: combined += list[i]; break;
        }
    }
    if (list.empty() || missing != 0) {
        error why{errc::not_collected, 0, info.name + " in \"" + std::string{path()} + '"', {}, {}};
        if (!list.empty() && missing < list.size())
            why.what += ": " + std::to_string(missing) + " of " + std::to_string(list.size()) + " values";
        auto const& problems = report_->completeness().problems;
        why.cause = problems.empty() ? "the hardware returned no value for it" : problems.front().message();
        return why;
    }
    if (info.aggregation == aggregation::mean) combined /= static_cast<double>(list.size());
    return measured_value{combined, info.value_unit};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPORT_INL_HPP
