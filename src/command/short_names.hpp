// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the namespace gpuprof::metrics. CMake makes the list from include/gpuprof/metric/named_metrics.hpp.
#ifndef GPUPROF_SRC_COMMAND_SHORT_NAMES_HPP
#define GPUPROF_SRC_COMMAND_SHORT_NAMES_HPP

#include <string>
#include <string_view>

namespace gpuprof::command {

struct short_name {
    std::string_view name;   // "achieved_occupancy"
    std::string_view metric; // "sm__warps_active.avg.pct_of_peak_sustained_active"
};

inline constexpr short_name short_names[]{
#include "short_names.inc"
};

// What a short name stands for; another name as it is.
[[nodiscard]] inline std::string full_name(std::string_view name) {
    for (short_name const& each : short_names)
        if (each.name == name) return std::string{each.metric};
    return std::string{name};
}

// The short name that stands for a metric; the metric's own where there is none.
[[nodiscard]] inline std::string_view short_name_of(std::string_view metric) {
    for (short_name const& each : short_names)
        if (each.metric == metric) return each.name;
    return metric;
}

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_SHORT_NAMES_HPP
