// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether more or less of a metric is better.
#ifndef GPUPROF_METRIC_DIRECTION_HPP
#define GPUPROF_METRIC_DIRECTION_HPP

#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// 1 where more of a metric is better, -1 for fewer, 0 where nobody knows. Judged by the name.
[[nodiscard]] inline int direction_of(std::string_view metric) noexcept {
    auto const has = [metric](std::string_view part) { return metric.find(part) != metric.npos; };
    if (has("hit_rate") || has("throughput") || has("uniform") || has("pct_of_peak") || has("per_second") ||
        has("bytes_per_sector"))
        return 1;
    if (has("lookup_hit") || has("launch__") || has("device__")) return 0;
    for (std::string_view const less : {"bytes", "sectors", "requests", "wavefronts", "conflicts", "time", "cycles",
                                        "divergent", "inst_", "latency", "local", "accesses"})
        if (has(less)) return -1;
    return 0;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_DIRECTION_HPP
