// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a metric's base name ends.
#ifndef GPUPROF_METRIC_BASE_NAME_HPP
#define GPUPROF_METRIC_BASE_NAME_HPP

#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// A metric's name without roll-up and sub-metric: "sm__inst_executed" of "sm__inst_executed.sum.per_second". Dots before the
// unit's "__" belong to the base: "SM_A.TriageCompute.sm__warps_active" of "SM_A.TriageCompute.sm__warps_active.avg". What
// follows the base starts with its dot. Any text is fine.
[[nodiscard]] constexpr std::string_view base_name(std::string_view metric) noexcept {
    std::size_t first_dot = metric.size();
    std::size_t unit_end = metric.size();
    // Written out: string_view::find is slow when constant-evaluated.
    for (std::size_t i = 0; i < metric.size(); ++i) {
        char const c = metric[i];
        if (c == '_' && unit_end == metric.size() && i + 1 < metric.size() && metric[i + 1] == '_') unit_end = i;
        if (c != '.') continue;
        if (unit_end < metric.size()) return metric.substr(0, i);
        if (first_dot == metric.size()) first_dot = i;
    }
    return metric.substr(0, unit_end < metric.size() ? metric.size() : first_dot);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_BASE_NAME_HPP
