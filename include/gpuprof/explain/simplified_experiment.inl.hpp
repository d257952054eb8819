// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of simplified_experiment.hpp.
#ifndef GPUPROF_EXPLAIN_SIMPLIFIED_EXPERIMENT_INL_HPP
#define GPUPROF_EXPLAIN_SIMPLIFIED_EXPERIMENT_INL_HPP

#include <string>
#include <string_view>
#include <vector>

#include "measurable.hpp"
#include "simplified_experiment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE std::vector<std::string> metric_names(simplified_experiment const& of) {
    if (of.kind == experiment_kind::gpu_bottleneck) return bottleneck_metric_names();
    std::vector<std::string> names{std::string{detail::elapsed_cycles}, std::string{detail::busiest_sm_active},
                                   std::string{detail::busiest_sm_elapsed}};
    for (std::string_view const base : experiment_of(of.unit).speed_of_light)
        if (!base.empty()) names.push_back(detail::peak_metric(base));
    if (of.kind == experiment_kind::speed_of_light) return names;
    names.emplace_back(detail::resident_warps);
    for (std::string_view const reason : experiment_of(of.unit).waits)
        if (!reason.empty()) names.push_back(detail::stall_metric(reason));
    return names;
}

GPUPROF_INLINE result<std::vector<metric_info>> try_metrics(device const& gpu, simplified_experiment const& of) {
    return try_measurable(gpu, metric_names(of));
}

GPUPROF_INLINE result<simplified_value> try_value(simplified_experiment const& of, range_view const& range) {
    bottleneck const all = find_bottleneck(range);
    double const cycles = all.cycles ? *all.cycles : gpuprof::detail::quiet_nan;
    auto const missing = [&](std::string_view cause) {
        return error{errc::not_collected, 0, gpuprof::detail::joined({"no value of ", name(of)}), cause,
                     "enable what explain::try_metrics() gives for this experiment"};
    };
    if (of.kind == experiment_kind::gpu_bottleneck) {
        if (all.kind == bottleneck_kind::cannot_be_said) return missing(all.why);
        return simplified_value{static_cast<double>(all.unit ? static_cast<std::size_t>(*all.unit) : gpu_units),
                                cycles};
    }
    unit_finding const& unit = all.findings[static_cast<std::size_t>(of.unit)];
    auto const& value = of.kind == experiment_kind::speed_of_light ? unit.speed_of_light : unit.bottleneck;
    if (value) return simplified_value{value->value(), cycles};
    return missing(unit.missing.empty() ? std::string_view{all.why} : std::string_view{unit.missing.front()});
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SIMPLIFIED_EXPERIMENT_INL_HPP
