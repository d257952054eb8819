// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of bottleneck_table.hpp.
#ifndef GPUPROF_IO_BOTTLENECK_TABLE_INL_HPP
#define GPUPROF_IO_BOTTLENECK_TABLE_INL_HPP

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aligned.hpp"
#include "bottleneck_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
// Whole percents, as PerfKit gives them: "85 %", or "?" if unknown.
[[nodiscard]] inline std::string whole_percent(std::optional<percent> const& value) {
    if (!value) return "?";
    return std::to_string(static_cast<long long>(std::floor(value->value() + 0.5))) + " %";
}
// From which value on a unit is named, and how near the busiest one came to its peak.
[[nodiscard]] std::string meaning_of_latency(explain::bottleneck const& of);
GPUPROF_INLINE std::string meaning_of_latency(explain::bottleneck const& of) {
    using gpuprof::detail::joined;
    explain::unit_finding const* busiest = nullptr;
    for (explain::unit_finding const& each : of.findings)
        if (each.speed_of_light && (busiest == nullptr || *busiest->speed_of_light < *each.speed_of_light))
            busiest = &each;
    std::string text =
        joined({": no unit's bottleneck is ", whole_percent(percent{explain::bottleneck::least}), " or more"});
    if (busiest != nullptr)
        text = joined({text, "; the busiest, ", explain::name(busiest->unit), ", is at ",
                       whole_percent(busiest->speed_of_light), " of its speed of light"});
    return text;
}
} // namespace detail

GPUPROF_INLINE std::string table(explain::bottleneck const& of) {
    using gpuprof::detail::joined;
    std::string text =
        joined({"bottleneck: ", of.verdict(), of.why.empty() ? "" : ", because ", of.why,
                of.kind == explain::bottleneck_kind::latency ? detail::meaning_of_latency(of) : "", "\n"});
    std::vector<std::string> cells{"unit", "bottleneck", "speed of light", "warps waiting"};
    for (explain::unit_finding const& each : of.findings) {
        cells.emplace_back(explain::name(each.unit));
        cells.push_back(detail::whole_percent(each.bottleneck));
        cells.push_back(detail::whole_percent(each.speed_of_light));
        cells.push_back(detail::whole_percent(each.waiting));
    }
    if (!of.findings.empty()) text += detail::aligned(cells, "lrrr");
    std::string waits;
    for (std::size_t i = 0; i < of.stalls.size() && i < 3; ++i)
        waits = joined(
            {waits, waits.empty() ? "" : ", ", of.stalls[i].reason, " ", detail::whole_percent(of.stalls[i].of_warps)});
    if (!waits.empty()) text = joined({text, "warps waited longest for: ", waits, "\n"});
    if (of.active) text = joined({text, "SMs had a warp: ", detail::whole_percent(of.active), " of the time\n"});
    if (of.running) text = joined({text, "kernels ran: ", detail::whole_percent(of.running), " of the range\n"});
    if (!of.hint().empty()) text = joined({text, of.hint(), "\n"});
    if (of.source == device_source::embedded)
        text = joined({text, "embedded GPU: these values are ", name(of.fidelity), "\n"});
    return text;
}

GPUPROF_INLINE std::string unit_experiments_table() {
    using gpuprof::detail::joined;
    std::vector<std::string> cells{"unit", "speed of light: the highest of", "waiting: warps stalled for"};
    for (explain::unit_experiment const& each : explain::unit_experiments) {
        auto const list = [](auto const& names) {
            std::string text;
            for (std::string_view const metric : names)
                if (!metric.empty()) text = joined({text, text.empty() ? "" : ", ", metric});
            return text;
        };
        cells.emplace_back(each.name);
        cells.push_back(list(each.speed_of_light));
        cells.push_back(list(each.waits));
    }
    return detail::aligned(cells, "lll");
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_BOTTLENECK_TABLE_INL_HPP
