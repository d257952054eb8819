// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of occupancy_curves.hpp.
#ifndef GPUPROF_EXPLAIN_OCCUPANCY_CURVES_INL_HPP
#define GPUPROF_EXPLAIN_OCCUPANCY_CURVES_INL_HPP

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "explanation.hpp"
#include "occupancy_curves.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
[[nodiscard]] inline std::optional<double> number_in(range_view const& range, std::string_view metric) {
    return value_of(section_row{{}, metric}, range).number;
}

// Reads a metric with instances. @param warps_of_key whether an instance is by warps and its number an amount; else it is by
// warps of a block
inline void read_curve(occupancy_curve& curve, range_view const& range, std::string_view metric, bool warps_of_key,
                       std::optional<double> amount) {
    auto const provided = range.try_provided(metric);
    if (!provided) {
        curve.missing = provided.error();
        return;
    }
    for (auto const& each : provided->instances) {
        double const key = std::strtod(each.key.c_str(), nullptr);
        curve.points.push_back(warps_of_key ? occupancy_point{each.number, key}
                                            : occupancy_point{32 * key, each.number});
    }
    std::sort(curve.points.begin(), curve.points.end(), [](occupancy_point const& a, occupancy_point const& b) {
        return a.amount < b.amount || (!(b.amount < a.amount) && a.warps > b.warps);
    });
    curve.steps = warps_of_key;
    if (curve.points.empty()) curve.missing = error{errc::not_collected, 0, metric, "it has no instances"};
    if (amount && provided->number) curve.launch = occupancy_point{*amount, *provided->number};
}
} // namespace detail

GPUPROF_INLINE occupancy_curves occupancy_curves_of(range_view const& range) {
    occupancy_curves made;
    made.most_warps = detail::number_in(range, "sm__warps_active.avg.peak_sustained");
    if (auto const achieved = detail::number_in(range, "sm__warps_active.avg.pct_of_peak_sustained_active"))
        made.achieved = percent{*achieved};
    detail::read_curve(made.block_size, range, "launch__occupancy_per_block_size", false,
                       detail::number_in(range, "launch__block_size"));
    detail::read_curve(made.registers, range, "launch__occupancy_per_register_count", true,
                       detail::number_in(range, "launch__registers_per_thread"));
    auto const fixed = detail::number_in(range, "launch__shared_mem_per_block_static");
    auto const dynamic = detail::number_in(range, "launch__shared_mem_per_block_dynamic");
    std::optional<double> bytes;
    if (fixed && dynamic) bytes = *fixed + *dynamic;
    detail::read_curve(made.shared_memory, range, "launch__occupancy_per_shared_mem_size", true, bytes);
    for (occupancy_curve const* const each : {&made.block_size, &made.registers, &made.shared_memory})
        if (!made.warps && each->launch) made.warps = each->launch->warps;
    if (made.warps && made.most_warps && *made.most_warps > 0)
        made.theoretical = percent{100 * *made.warps / *made.most_warps};
    return made;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_OCCUPANCY_CURVES_INL_HPP
