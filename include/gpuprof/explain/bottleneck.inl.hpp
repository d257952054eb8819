// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of bottleneck.hpp.
#ifndef GPUPROF_EXPLAIN_BOTTLENECK_INL_HPP
#define GPUPROF_EXPLAIN_BOTTLENECK_INL_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bottleneck.hpp"
#include "evidence.hpp"
#include "measurable.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
using gpuprof::detail::joined;

[[nodiscard]] inline std::string peak_metric(std::string_view base) { return joined({base, of_peak}); }
[[nodiscard]] inline std::string stall_metric(std::string_view reason) { return joined({stalled, reason, ".sum"}); }

// What one unit did. @param warps resident, added up over cycles; none: not known, or none
// @param running the share of the range in which kernels ran, above 0
[[nodiscard]] inline unit_finding examine(unit_experiment const& of, evidence& values, std::optional<double> warps,
                                          double running) {
    unit_finding found;
    found.unit = of.unit;
    std::vector<std::string> peaks;
    for (std::string_view const base : of.speed_of_light) {
        if (base.empty()) continue;
        std::string const metric = peak_metric(base);
        if (auto const value = values.find(metric))
            found.speed_of_light =
                percent{found.speed_of_light && found.speed_of_light->value() > *value ? found.speed_of_light->value()
                                                                                       : *value};
        else peaks.push_back(metric);
    }
    if (found.speed_of_light) found.speed_of_light = percent{found.speed_of_light->value() / running};
    double stalled_warps = 0;
    std::vector<std::string> stalls;
    bool any = false;
    for (std::string_view const reason : of.waits) {
        if (reason.empty()) continue;
        std::string const metric = stall_metric(reason);
        if (auto const value = values.find(metric)) {
            stalled_warps += *value;
            any = true;
        } else {
            stalls.push_back(metric);
        }
    }
    // A chip need not have all of a list: one is enough.
    if (any && warps && *warps > 0) found.waiting = percent{100 * stalled_warps / *warps};
    if (!found.speed_of_light) found.missing = std::move(peaks);
    if (!found.waiting) {
        for (std::string& each : stalls)
            if (!any) found.missing.push_back(std::move(each));
        if (!warps) found.missing.emplace_back(resident_warps);
    }
    // Of two shares of the same time, no more than the less is common to both.
    if (found.speed_of_light) found.at_most = found.speed_of_light->value();
    if (found.waiting && found.waiting->value() < found.at_most) found.at_most = found.waiting->value();
    if (found.speed_of_light && found.waiting) {
        double const both = found.waiting->value() + found.speed_of_light->value() - 100;
        found.bottleneck = percent{both > 0 ? both : 0};
        found.at_most = found.bottleneck->value();
    }
    return found;
}
} // namespace detail

GPUPROF_INLINE std::vector<std::string> bottleneck_metric_names() {
    std::vector<std::string> names{std::string{detail::elapsed_cycles}, std::string{detail::active_cycles},
                                   std::string{detail::busiest_sm_active}, std::string{detail::busiest_sm_elapsed},
                                   std::string{detail::resident_warps}};
    for (unit_experiment const& each : unit_experiments)
        for (std::string_view const base : each.speed_of_light)
            if (!base.empty()) names.push_back(detail::peak_metric(base));
    for (std::string_view const reason : stall_reasons) names.push_back(detail::stall_metric(reason));
    return names;
}

GPUPROF_INLINE result<std::vector<metric_info>> try_bottleneck_metrics(device const& gpu) {
    return try_measurable(gpu, bottleneck_metric_names());
}

GPUPROF_INLINE bottleneck find_bottleneck(range_view const& of) {
    evidence values{of};
    bottleneck answer;
    answer.source = values.report().source();
    auto const warps = values.find(detail::resident_warps);
    auto const active = values.find(detail::active_cycles);
    answer.cycles = values.find(detail::elapsed_cycles);
    if (active && answer.cycles && *answer.cycles > 0) answer.active = percent{100 * *active / *answer.cycles};
    auto const busy = values.find(detail::busiest_sm_active);
    auto const whole = values.find(detail::busiest_sm_elapsed);
    if (busy && whole && *busy > 0 && *whole >= *busy) answer.running = percent{100 * *busy / *whole};
    double const running =
        answer.running ? answer.running->value() / 100 : 1; // not known: as if kernels ran all the time
    for (unit_experiment const& each : unit_experiments)
        answer.findings.push_back(detail::examine(each, values, warps, running));
    for (std::string_view const reason : stall_reasons)
        if (auto const stalled = values.find(detail::stall_metric(reason)); stalled && warps && *warps > 0)
            answer.stalls.push_back({reason, percent{100 * *stalled / *warps}});
    std::stable_sort(answer.stalls.begin(), answer.stalls.end(),
                     [](stall_share const& a, stall_share const& b) { return a.of_warps > b.of_warps; });
    answer.fidelity = values.least();

    if (warps && *warps <= 0) {
        answer.why = "no warp was resident in the range";
        return answer;
    }
    double highest = 0;
    for (unit_finding const& each : answer.findings)
        if (each.bottleneck && each.bottleneck->value() > highest) highest = each.bottleneck->value();
    double const floor = highest >= bottleneck::least ? highest : bottleneck::least;
    for (unit_finding const& each : answer.findings) // one that is not known might be the answer
        if (!each.bottleneck && each.at_most >= floor)
            answer.missing.insert(answer.missing.end(), each.missing.begin(), each.missing.end());
    if (!answer.missing.empty()) {
        std::sort(answer.missing.begin(), answer.missing.end());
        answer.missing.erase(std::unique(answer.missing.begin(), answer.missing.end()), answer.missing.end());
        answer.why = gpuprof::detail::joined(
            {std::to_string(answer.missing.size()), " metrics have no value, the first ", answer.missing.front()});
        return answer;
    }
    answer.kind = bottleneck_kind::latency;
    if (highest < bottleneck::least) return answer;
    answer.kind = bottleneck_kind::unit;
    for (unit_finding const& each : answer.findings)
        if (each.bottleneck && each.bottleneck->value() >= highest - bottleneck::alike &&
            each.bottleneck->value() >= bottleneck::least)
            answer.unit = each.unit;
    return answer;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_BOTTLENECK_INL_HPP
