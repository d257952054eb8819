// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/sim/embedded_metrics.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "chip/chips.hpp"
#include "counters/metric_table.hpp"
#include "embedded_device.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

result<std::vector<embedded_metric>> try_embedded_metrics(std::string_view chip) {
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

std::vector<std::string_view> embedded_chip_names() {
    std::vector<std::string_view> names;
    for (chip_model const* const model : embedded_chips) names.emplace_back(model->chip_name);
    return names;
}

} // namespace sim
GPUPROF_NAMESPACE_END
