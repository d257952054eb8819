// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures what expectations need.
#ifndef GPUPROF_JUDGE_OBSERVE_FOR_HPP
#define GPUPROF_JUDGE_OBSERVE_FOR_HPP

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/recorder.hpp"
#include "../metric/info.hpp"
#include "expectations.hpp"
#include "observe.hpp"

#if GPUPROF_ENABLED
#include "../hw/counters/registry.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN

namespace judge {
// The metrics of all of them, each once; one that always exists where none is needed.
[[nodiscard]] inline result<std::vector<metric_info>> metrics_of(std::initializer_list<expectation> all) {
    std::vector<metric_info> list;
    auto const add = [&list](std::string_view name) -> result<void> {
        for (metric_info const& each : list)
            if (each.name == name) return {};
        auto metric = try_metric(name);
        if (!metric) return std::move(metric).error();
        list.push_back(*std::move(metric));
        return {};
    };
    for (expectation const& each : all)
        for (std::string_view const name : each.metrics)
            if (!name.empty())
                if (auto added = add(name); !added) return std::move(added).error();
    if (list.empty())
        if (auto added = add("launch__grid_size"); !added) return std::move(added).error();
    return list;
}
} // namespace judge

// Runs `work` under the metrics of these expectations, as observe does.
//
//     auto m = gpuprof::observe_for(gpu, {expect::coalesced_global_loads(), expect::launch_count(1)}, [&] { launch(); });
//     GPUPROF_EXPECT(m, expect::coalesced_global_loads());
//     GPUPROF_EXPECT(m, expect::launch_count(1));
template <class F>
[[nodiscard]] observation observe_for(judge::device_or_error gpu, std::initializer_list<expectation> all, F&& work) {
    auto metrics = judge::metrics_of(all);
    if (!metrics) return observation{std::move(metrics).error()};
#if GPUPROF_ENABLED
    for (expectation const& each : all) {
        std::string const name{each.where_known};
        if (!gpu || name.empty()) continue;
        bool const is_recorded = (*gpu).machine().recorded != nullptr; // a recording plans nothing
        if (is_recorded ? hw::program_recorder->has_metric(*gpu, name)
                        : hw::try_plan_counters(*gpu, {&name, 1}).has_value())
            if (auto known = try_metric(name)) metrics->push_back(*std::move(known));
    }
#endif
    return judge::observed_over(
        gpu, repetitions{}, static_cast<F&&>(work), [&](device const& on, profiler_options const& options) {
            return detail::profiler_of<F>::type::try_create(on, options, std::span<metric_info const>{*metrics});
        });
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_OBSERVE_FOR_HPP
