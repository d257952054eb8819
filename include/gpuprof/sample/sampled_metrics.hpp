// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says which metrics can be sampled, and CUPTI's names for them.
#ifndef GPUPROF_SAMPLE_SAMPLED_METRICS_HPP
#define GPUPROF_SAMPLE_SAMPLED_METRICS_HPP

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../metric/info.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Removes a prefix: "pmsampling:sm__inst_executed.sum" and "sm__inst_executed.sum" are the same
// metric here (guide 5.1).
[[nodiscard]] inline std::string_view without_sampling_prefix(std::string_view name) noexcept {
    constexpr std::string_view prefix = "pmsampling:";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// The name by which the hardware samples a metric. Errors: unknown_metric with the reason if no
// hardware samples it. hw::pm_planner says whether this chip does.
[[nodiscard]] inline result<std::string> name_in_samples(metric_info const& asked) {
    std::string_view const name = without_sampling_prefix(asked.name);
    auto const refused = [&](std::string_view cause, std::string_view remedy) {
        return error{errc::unknown_metric, 0, joined({asked.name, " cannot be sampled"}), cause, remedy};
    };
    if (name.starts_with("breakdown:"))
        return refused("a throughput is made of other metrics on each chip",
                       "give breakdown_on<chip::gh100, \"...\">, or what try_breakdown() returns for the device");
    if (asked.source == metric_source::sass || name.find("__sass_") != name.npos)
        return refused("it is counted by patching the program, not by the hardware",
                       "ask for a counter of the hardware, or profile ranges (gpuprof::profiler)");
    if (asked.kind == metric_kind::group)
        return refused("it stands for several metrics", "ask for the metrics one by one");
    if (asked.source != metric_source::hardware && asked.source != metric_source::pm_sampling)
        return refused("it is known without counters, or of ranges alone", "ask gpuprof::profiler for it");
    return std::string{name};
}

[[nodiscard]] inline result<std::vector<std::string>> names_in_samples(std::span<metric_info const> metrics) {
    std::vector<std::string> names;
    for (metric_info const& each : metrics) {
        auto name = name_in_samples(each);
        if (!name) return std::move(name).error();
        names.push_back(*std::move(name));
    }
    if (names.empty())
        return error{errc::invalid_argument, 0, "no metric was asked for", "the list of metrics is empty",
                     "name at least one metric"};
    return names;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLED_METRICS_HPP
