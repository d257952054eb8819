// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics that a program is measured for: a list, or those of a set of sections.
#ifndef GPUPROF_INJECTION_MEASURED_METRICS_HPP
#define GPUPROF_INJECTION_MEASURED_METRICS_HPP

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/core/result.hpp>
#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/measurable.hpp>
#include <gpuprof/hw/counters/replay_modes.hpp>
#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/ranks/straggler.hpp>

namespace gpuprof::injection {

// @param names empty: those of the sections that the device has, and of one rank of several those that tell which is slower.
// Errors: unknown_metric.
[[nodiscard]] inline result<std::vector<metric_info>> try_metrics_of(std::vector<std::string> const& names,
                                                                     explain::set const& sections, device const& gpu,
                                                                     range_mode ranges) {
    if (names.empty()) {
        std::vector<std::string> all = explain::metric_names_of(sections);
        if (platform::trusted_variable("GPUPROF_RANK").empty()) return explain::try_measurable(gpu, all, ranges);
        auto also = ranks::try_straggler_metrics();
        if (!also) return also;
        for (metric_info& each : *also)
            if (std::ranges::find(all, each.name) == all.end()) all.push_back(std::move(each.name));
        return explain::try_measurable(gpu, all, ranges);
    }
    std::vector<metric_info> list;
    for (std::string const& name : names) {
        auto known = try_metric(name);
        if (!known) return std::move(known).error();
        list.push_back(*std::move(known));
    }
    return result<std::vector<metric_info>>{std::move(list)};
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_MEASURED_METRICS_HPP
