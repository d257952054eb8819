// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of report.hpp.
#ifndef GPUPROF_MEASURE_REPORT_INL_HPP
#define GPUPROF_MEASURE_REPORT_INL_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/doctor/device_name.hpp"
#include "../text/printable.hpp"
#include "../metric/nearest.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
GPUPROF_INLINE indexed_contents::indexed_contents(report_contents from) : what{std::move(from)}, places{} {
    places.reserve(what.ranges.size());
    for (report_range const& each : what.ranges) {
        bool const nested = each.parent < places.size();
        place const around = nested ? places[each.parent] : place{0, 0};
        places.push_back({around.depth + 1, around.path_size + (nested ? 1 : 0) + each.name.size()});
    }
}
GPUPROF_INLINE indexed_contents::~indexed_contents() = default;

// Why the hardware gave NaN, as far as the device's name tells (CUPTI 12.0, 4.1 and 4.2; Nsight Compute's guide, 7.1).
[[nodiscard]] std::string why_no_value(std::string_view metric, std::string_view device);
GPUPROF_INLINE std::string why_no_value(std::string_view metric, std::string_view device) {
    std::string why = "the hardware returned no value for it";
    std::string_view const unit = metric.substr(0, metric.find("__"));
    bool const of_sm =
        unit == "sm" || unit == "smsp" || unit == "l1tex" || unit == "idc" || unit == "tpc" || unit == "gpc";
    if (hw::mig_profile_of(device) == hw::mig_profile::shared && !of_sm)
        why +=
            ": its unit, " + std::string{unit} + ", is one that this MIG instance shares with other compute instances";
    else if (hw::vgpu_profile_of(device) != hw::vgpu_profile::none)
        why += ": a virtual GPU has it only if its host lets it profile (enable_profiling)";
    return why;
}
} // namespace detail

GPUPROF_INLINE report::report(contents what) : held_{detail::shared<detail::indexed_contents>::make(std::move(what))} {}

// Not destroyed: a report may be read while the program ends.
GPUPROF_INLINE report::contents const& report::empty() noexcept {
    static contents const& none = *new contents{}; // NOLINT(bugprone-unhandled-exception-at-new): without memory for it
    return none;                                   // there is no report either
}

GPUPROF_INLINE std::string range_view::path() const {
    std::string text(contents_.get()->places[index_].path_size, '/');
    std::size_t end = text.size();
    for (std::size_t at = index_; at < whole().ranges.size(); at = whole().ranges[at].parent) {
        std::string const& name = whole().ranges[at].name;
        name.copy(text.data() + end - name.size(), name.size());
        end -= end > name.size() ? name.size() + 1 : name.size();
    }
    return text;
}

// Compared from the end, without making the path.
GPUPROF_INLINE bool range_view::has_path(std::string_view path) const noexcept {
    if (contents_.get()->places[index_].path_size != path.size()) return false;
    for (std::size_t at = index_;;) {
        std::string_view const name = whole().ranges[at].name;
        if (!path.ends_with(name)) return false;
        path.remove_suffix(name.size());
        at = whole().ranges[at].parent;
        if (at >= whole().ranges.size()) return path.empty();
        if (!path.ends_with('/')) return false;
        path.remove_suffix(1);
    }
}

GPUPROF_INLINE result<std::size_t> range_view::try_column(std::string_view metric) const {
    auto const& metrics = whole().metrics;
    for (std::size_t i = 0; i < metrics.size(); ++i)
        if (metrics[i].name == metric) return i;
    return unknown_name(metric, "this report has no metric of that name: it was not asked for", metrics);
}

GPUPROF_INLINE result<range_view> report::try_range(std::string_view path) const {
    std::size_t found = size();
    for (std::size_t i = 0; i < size(); ++i) {
        if (!at(i).has_path(path)) continue;
        if (found != size())
            return error{errc::invalid_argument, 0,
                         "several ranges have the path \"" + detail::printable_path(path) + '"',
                         "a scope's name has a '/'", "ask name by name: report.try_range({\"outer\", \"inner\"})"};
        found = i;
    }
    if (found != size()) return at(found);
    return no_range(path);
}

GPUPROF_INLINE result<range_view> report::try_range(std::initializer_list<std::string_view> names) const {
    std::size_t around = range::top;
    std::size_t level = 0;
    for (std::size_t i = 0; i < size() && level < names.size(); ++i) {
        range const& each = whole().ranges[i];
        if (each.parent != around || each.name != names.begin()[level]) continue;
        around = i;
        if (++level == names.size()) return at(i);
    }
    std::string path;
    for (std::string_view const each : names) path += (path.empty() ? "" : "/") + std::string{each};
    return no_range(path);
}

GPUPROF_INLINE error report::no_range(std::string_view path) const {
    error why{errc::not_collected, 0, "no range \"" + detail::printable_path(path) + '"', {}, {}};
    std::vector<std::string> paths; // none that is much longer
    for (std::size_t i = 0; i < size() && paths.size() < 1000; ++i)
        if (held_.get()->places[i].path_size <= path.size() + 64) paths.push_back(at(i).path());
    if (!complete()) {
        why.cause = completeness().problems.front().message();
    } else if (size() == 0) {
        why.cause = "the report has no ranges";
    } else {
        why.cause = "the report has";
        for (std::size_t i = 0; i < paths.size() && i < 8; ++i) why.cause += (i == 0 ? " \"" : ", \"") + paths[i] + '"';
        if (paths.empty()) why.cause += " no path as short";
    }
    if (std::size_t const others = completeness().other_threads; others != 0)
        why.cause +=
            "; scopes of other threads than the pass's are no ranges, and there were " + std::to_string(others);
    why.remedy = detail::perhaps(path, std::vector<std::string_view>{paths.begin(), paths.end()});
    return why;
}

#if GPUPROF_EXCEPTIONS
GPUPROF_INLINE range_view report::operator[](std::string_view path) const { return try_range(path).value(); }
GPUPROF_INLINE range_view report::operator[](std::initializer_list<std::string_view> names) const {
    return try_range(names).value();
}
#endif

GPUPROF_INLINE result<std::vector<double>> range_view::try_values(std::string_view metric) const {
    auto column = try_column(metric);
    if (!column) return std::move(column).error();
    std::size_t const width = whole().metrics.size();
    std::vector<double> list;
    for (std::size_t const row : range().rows) list.push_back(whole().values[row * width + *column]);
    return list;
}

// The note of the range's first row that has one.
GPUPROF_INLINE report_note const* range_view::note_of(std::size_t column) const noexcept {
    for (report_note const& each : whole().notes) {
        if (each.metric != column) continue;
        if (each.row == report_note::every_row) return &each;
        for (std::size_t const row : range().rows)
            if (row == each.row) return &each;
    }
    return nullptr;
}

GPUPROF_INLINE result<hw::provided::provided_value> range_view::try_provided(std::string_view metric) const {
    auto column = try_column(metric);
    if (!column) return std::move(column).error();
    if (report_note const* const note = note_of(*column)) {
        if (note->missing) return *note->missing;
        return note->value;
    }
    auto number = try_value(metric);
    if (!number) return std::move(number).error();
    return hw::provided::provided_value{number->value};
}

GPUPROF_INLINE result<std::optional<double>> range_view::try_deviation(std::string_view metric) const {
    auto const value = try_value(metric);
    if (!value) return value.error();
    std::size_t const width = whole().metrics.size();
    std::size_t const column = *try_column(metric);
    if (whole().deviations.size() != whole().values.size()) return std::optional<double>{};
    double square = 0;
    for (std::size_t const row : range().rows) {
        double const deviation = whole().deviations[row * width + column];
        square += deviation * deviation;
    }
    double const all = detail::square_root(square);
    bool const mean = whole().metrics[column].aggregation == aggregation::mean;
    return std::optional{mean ? all / static_cast<double>(range().rows.size()) : all};
}

GPUPROF_INLINE std::vector<activity::interval> range_view::times() const {
    std::vector<activity::interval> list;
    for (std::size_t const row : range().rows)
        if (row < whole().times.size()) list.push_back(whole().times[row]);
    return list;
}

GPUPROF_INLINE result<measured_value> range_view::try_value(std::string_view metric) const {
    auto column = try_column(metric);
    if (!column) return std::move(column).error();
    metric_info const& info = whole().metrics[*column];
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
        error why{errc::not_collected, 0, info.name + " in \"" + detail::printable_path(path()) + '"', {}, {}};
        if (report_note const* const note = note_of(*column); note != nullptr) {
            if (note->missing) return *note->missing;
            if (!note->value.number) {
                why.cause = "it is a text or a list, not a number";
                why.remedy = "ask for it by try_provided()";
                return why;
            }
        }
        if (!list.empty() && missing < list.size())
            why.what += ": " + std::to_string(missing) + " of " + std::to_string(list.size()) + " values";
        auto const& problems = whole().completeness.problems;
        // A problem that begins with the name of another metric is that one's.
        auto const of_another = [&](error const& problem) {
            for (metric_info const& each : whole().metrics)
                if (each.name != info.name && problem.what.starts_with(each.name)) return true;
            return false;
        };
        error const* general = nullptr;
        for (error const& problem : problems)
            if (general == nullptr && !of_another(problem)) general = &problem;
        if (general != nullptr) why.cause = general->message();
        else if (!list.empty() && detail::is_quotient(info))
            why.cause = "it is a quotient, and what it divides by was 0 (or a counter overflowed)";
        else why.cause = detail::why_no_value(info.name, whole().device);
        for (error const& problem : problems)
            if (problem.what.starts_with(info.name)) why.cause = problem.message();
        return why;
    }
    if (info.aggregation == aggregation::mean) combined /= static_cast<double>(list.size());
    return measured_value{combined, info.value_unit};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPORT_INL_HPP
