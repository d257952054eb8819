// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of embedded_metrics.hpp. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_EMBEDDED_METRICS_INL_HPP
#define GPUPROF_HW_SIM_EMBEDDED_METRICS_INL_HPP

#include <string>      // texts
#include <string_view> // names
#include <vector>      // the list

#include "chip/chips.hpp"
#include "counters/metric_rows.hpp"
#include "embedded_metrics.hpp"
#include "open.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

GPUPROF_INLINE result<std::vector<embedded_metric>> try_embedded_metrics(std::string_view chip) {
    chip_model const* const found = chip.empty() ? &gh100 : find_embedded_chip(chip);
    if (found == nullptr) return detail::no_such_chip(chip);
    std::string const name = found->chip_name;
    if (!found->has_range_profiling())
        return error{errc::unavailable, 0, name + " has no metrics of the range profiler", "it counts events",
                     "list those with event_catalogue"};
    std::vector<embedded_metric> list;
    for (metric_row const& row : metric_rows)
        if (row.is_on(*found)) list.push_back({row.name, row.kind, row.how, static_cast<char const*>(row.description)});
    return list;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_EMBEDDED_METRICS_INL_HPP
