// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of roofline.hpp.
#ifndef GPUPROF_EXPLAIN_ROOFLINE_INL_HPP
#define GPUPROF_EXPLAIN_ROOFLINE_INL_HPP

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit.hpp"
#include "chip_of.hpp"
#include "roofline.hpp"
#include "value_sum.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
inline constexpr unit operations_per_second = unit_of(dimension::operation) / unit_of(dimension::second);
inline constexpr unit bandwidth_unit = unit_of(dimension::byte) / unit_of(dimension::second);

// A value over the time of the range.
[[nodiscard]] inline row_value per_second(row_value of, range_view const& range) {
    row_value const time = value_of(section_row{{}, roofline_metrics::duration}, range);
    of.how = std::max(of.how, time.how);
    if (!of.number) return of;
    if (time.number && *time.number > 0) {
        of.number = *of.number * 1e9 / *time.number;
    } else {
        of.number.reset();
        of.missing =
            time.missing.value_or(error{errc::not_collected, 0, roofline_metrics::duration, "the range took no time"});
    }
    return of;
}
// What a unit does at most: `each` per cycle of a clock, or what was measured.
[[nodiscard]] inline row_value peak_of(std::string_view id, char const* metric, double each, char const* clock,
                                       range_view const& range, std::span<measured_peak const> peaks, bool& measured) {
    row_value made;
    for (measured_peak const& peak : peaks)
        if (peak.id == id) {
            measured = true;
            made.number = peak.per_second;
            return made;
        }
    add(made, value_of(section_row{{}, metric}, range), each);
    row_value const frequency = value_of(section_row{{}, clock}, range);
    made.how = std::max(made.how, frequency.how);
    if (!made.number) return made;
    if (frequency.number) {
        *made.number *= *frequency.number;
    } else {
        made.number.reset();
        made.missing = frequency.missing;
    }
    return made;
}
// Where the range's point is under this roof.
inline void place(roof& of, roofline const& whole) {
    if (whole.has_point() && of.traffic.number && *of.traffic.number > 0)
        of.intensity = *whole.achieved.number / *of.traffic.number;
    if (!whole.peak.number || !of.bandwidth.number || *of.bandwidth.number <= 0) return;
    of.ridge = *whole.peak.number / *of.bandwidth.number;
    if (!of.intensity) return;
    of.side = *of.intensity < *of.ridge ? roof_side::memory : roof_side::compute;
    of.attainable = std::min(*whole.peak.number, *of.bandwidth.number * *of.intensity);
    if (*of.attainable > 0) of.reached = *whole.achieved.number / *of.attainable;
}
} // namespace detail

GPUPROF_INLINE roofline roofline_of(roofline_work const& work, range_view const& range,
                                    std::span<measured_peak const> peaks) {
    roofline made;
    made.label = range.path();
    made.work = &work;
    for (roofline_term const& each : work.counted)
        if (each.metric != nullptr)
            detail::add(made.achieved, value_of(section_row{{}, each.metric}, range), each.operations);
    made.achieved = detail::per_second(std::move(made.achieved), range);
    made.achieved.value_unit = detail::operations_per_second;
    made.peak = detail::peak_of(work.id, work.peak.metric, work.peak.operations, roofline_metrics::sm_clock, range,
                                peaks, made.measured);
    made.peak.value_unit = detail::operations_per_second;
    compute_capability const chip = detail::capability_of(range.report());
    for (roofline_level const& level : roofline_metrics::levels) {
        if (!level.is_for(chip)) continue;
        roof one;
        one.level = &level;
        one.bandwidth = detail::peak_of(level.id, level.peak, level.bytes, level.clock, range, peaks, one.measured);
        one.bandwidth.value_unit = detail::bandwidth_unit;
        detail::add(one.traffic, value_of(section_row{{}, level.traffic}, range), level.bytes);
        one.traffic = detail::per_second(std::move(one.traffic), range);
        one.traffic.value_unit = detail::bandwidth_unit;
        detail::place(one, made);
        made.roofs.push_back(std::move(one));
    }
    return made;
}

GPUPROF_INLINE std::vector<roofline> rooflines_of(range_view const& range, std::span<measured_peak const> peaks) {
    std::vector<roofline> made;
    for (roofline_work const& work : roofline_metrics::works) {
        roofline one = roofline_of(work, range, peaks);
        if (one.has_point()) made.push_back(std::move(one));
    }
    if (made.empty())
        for (std::string_view const id : {"single", "double"})
            made.push_back(roofline_of(*find_work(id), range, peaks));
    return made;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_ROOFLINE_INL_HPP
