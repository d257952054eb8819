// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_chart.hpp.
#ifndef GPUPROF_EXPLAIN_MEMORY_CHART_INL_HPP
#define GPUPROF_EXPLAIN_MEMORY_CHART_INL_HPP

#include <utility>

#include "memory_chart.hpp"
#include "value_sum.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE memory_chart memory_chart_of(range_view const& range) {
    memory_chart made;
    auto const read = [&](char const* metric) {
        return metric == nullptr ? row_value{} : value_of(section_row{{}, metric}, range);
    };
    for (chart_unit_row const& row : memory_chart_metrics::units)
        made.nodes.push_back({&row, read(row.value), read(row.port)});
    for (chart_link_row const& row : memory_chart_metrics::links) {
        chart_link link;
        link.row = &row;
        for (char const* const metric : row.metrics)
            if (metric != nullptr) detail::add(link.amount, read(metric), row.each);
        link.amount.value_unit = row.unit;
        link.of_peak = read(row.of_peak);
        made.links.push_back(std::move(link));
    }
    return made;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEMORY_CHART_INL_HPP
