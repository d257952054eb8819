// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metric_dimension.hpp"

#include <string>
#include <string_view>

#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The clock that a unit counts its cycles with.
[[nodiscard]] static constexpr std::string_view cycle_of(hardware_unit unit) noexcept {
    switch (unit) {
        case hardware_unit::gpu: return "sys_cycle";
        case hardware_unit::lts: return "fbp_cycle";
        case hardware_unit::dram: return "dram_cycle";
        case hardware_unit::pcie: return "pcie_cycle";
        default: return "gpc_cycle";
    }
}

std::string dimension_of(metric_row const& row, std::string_view sub_metric) {
    std::string dimension = row.dimension;
    if (sub_metric.find("pct") != std::string_view::npos) return "percent";
    if (sub_metric.ends_with(".per_second")) return dimension + "/second";
    if (sub_metric.ends_with(".peak_sustained") || sub_metric.find(".per_cycle_") != std::string_view::npos) {
        std::string_view const cycle = cycle_of(row.unit);
        if (dimension.starts_with(cycle)) return dimension.substr(cycle.size()); // products begin with their cycles
        if (dimension.ends_with(cycle)) return dimension.substr(0, dimension.size() - cycle.size());
        return dimension.append("/").append(cycle);
    }
    return dimension;
}

} // namespace sim
GPUPROF_NAMESPACE_END
