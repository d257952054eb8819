// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the vocabulary knows of a legacy metric on a device of event hardware.
#ifndef GPUPROF_HW_COUNTERS_EVENT_KNOWN_LEGACY_METRIC_HPP
#define GPUPROF_HW_COUNTERS_EVENT_KNOWN_LEGACY_METRIC_HPP

#include <string_view>

#include "../../../legacy/capability_family.hpp"
#include "../../../core/compute_capability.hpp"
#include "../../../legacy/lookup.hpp"
#include "../../../legacy/legacy_metric.hpp"
#include "event_plan.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The formula gpuprof has for the name there, and the step from CUPTI's unit to gpuprof's.
[[nodiscard]] inline known_metric known_legacy_metric(compute_capability of, std::string_view name) {
    auto const family = family_of(of);
    legacy_metric_row const* const row = family ? legacy::metrics_of(*family).find(name) : nullptr;
    if (row == nullptr) return {};
    known_metric known{row->formula, 1, row->wider, row->metric->of_one_instance(), {}};
    if (!is_among(row->only, of)) known.missing = legacy::detail::who_of_family_has(*family, row->only, of);
    for (int i = row->metric->of.power_of_ten; i < row->metric->cupti.power_of_ten; ++i) known.from_cupti *= 10;
    for (int i = row->metric->cupti.power_of_ten; i < row->metric->of.power_of_ten; ++i) known.from_cupti /= 10;
    return known;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_KNOWN_LEGACY_METRIC_HPP
