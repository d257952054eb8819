// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimension of a metric's values, in CUPTI's words.
#ifndef GPUPROF_SRC_SIM_COUNTERS_METRIC_DIMENSION_HPP
#define GPUPROF_SRC_SIM_COUNTERS_METRIC_DIMENSION_HPP

#include <string>
#include <string_view>

#include <gpuprof/detail/config.hpp>

#include "metric_row.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The dimension of a metric's sub-metric, as CUPTI 13.0 spells it; of the metric itself if
// `sub_metric` is empty. For a metric in "instruction", ".sum.per_second" is in
// "instruction/second", ".avg.per_cycle_active" in "instruction/gpc_cycle" and a share of a peak in
// "percent". Cycles over cycles of the same clock cancel.
[[nodiscard]] std::string dimension_of(metric_row const& row, std::string_view sub_metric);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_METRIC_DIMENSION_HPP
