// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory chart of one range: what went between the kernel, the caches and the memories.
#ifndef GPUPROF_EXPLAIN_MEMORY_CHART_HPP
#define GPUPROF_EXPLAIN_MEMORY_CHART_HPP

#include <vector>

#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "explanation.hpp"
#include "memory_chart_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// A unit of the chart, and how much it hit.
struct chart_node {
    chart_unit_row const* row = nullptr;
    row_value value{}; // in per cent; of units that have none it is empty
    row_value port{};
};

// What went from one unit to another.
struct chart_link {
    chart_link_row const* row = nullptr;
    row_value amount{};  // in the row's unit
    row_value of_peak{}; // in per cent; of links without a peak it is empty
};

// A value. What the device does not count has no number, and says why.
struct memory_chart {
    std::vector<chart_node> nodes{}; // of each chart_unit, in its order
    std::vector<chart_link> links{}; // of each row of memory_chart_metrics::links

    [[nodiscard]] chart_link const* find(chart_unit from, chart_unit to) const noexcept {
        for (chart_link const& each : links)
            if (each.row->from == from && each.row->to == to) return &each;
        return nullptr;
    }
};

// The chart of a range. The metrics are those of sections::memory_chart.
[[nodiscard]] memory_chart memory_chart_of(range_view const& range);

#if !GPUPROF_ENABLED
inline memory_chart memory_chart_of(range_view const&) { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "memory_chart.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_MEMORY_CHART_HPP
