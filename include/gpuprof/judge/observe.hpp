// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call for a test: counters over a function, as an observation.
#ifndef GPUPROF_JUDGE_OBSERVE_HPP
#define GPUPROF_JUDGE_OBSERVE_HPP

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../core/result.hpp"
#include "../detail/fixed_string.hpp"
#include "../measure/measure.hpp"
#include "../measure/scope.hpp"
#include "../metric/metric.hpp"
#include "observation.hpp"

GPUPROF_NAMESPACE_BEGIN

// How often the work is measured in each pass. Values are the median; failures show the spread.
struct repetitions {
    std::size_t count = 1;
};

namespace judge {
// @param create makes the profiler: options to result<profiler>
template <class F, class Create>
[[nodiscard]] observation observed_over(device const& gpu, repetitions times, F&& work, Create&& create) {
    auto made = create(gpuprof::detail::options_for(gpu, times.count));
    if (!made) return observation{std::move(made).error()};
    for (pass const& each : made->passes()) {
        static_cast<void>(each);
        for (std::size_t i = 0; i < times.count; ++i) {
            scope whole{*made, "observed"};
            work();
        }
    }
    auto report = made->try_report();
    if (!report) return observation{std::move(report).error()};
    observation const seen{report->try_range("observed")};
    return times.count > 1 ? seen.median() : seen;
}
} // namespace judge

// Runs `work` as often as the metrics need passes, and the repetitions in each, as the range "observed"; on hardware once
// more before, without counters, since a first launch loads the kernel's module, which would be counted. Whatever keeps
// values from being had is in the observation, and makes checks inconclusive; nothing throws but `work`.
//
//     auto m = gpuprof::observe(gpu, [&] { launch(); }, metrics::global_load_sectors, metrics::global_load_requests);
//     GPUPROF_CHECK(m.ratio(0, 1) <= 4.0);
//
// @pre `work` does the same every time; it returns with its launches submitted
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] observation observe(device const& gpu, repetitions times, F&& work, Metrics... metrics) {
    return judge::observed_over(gpu, times, static_cast<F&&>(work), [&](profiler_options const& options) {
        return detail::profiler_of<F>::type::try_create(gpu, options, metrics...);
    });
}
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0 && !std::same_as<std::remove_cvref_t<F>, repetitions>)
[[nodiscard]] observation observe(device const& gpu, F&& work, Metrics... metrics) {
    return observe(gpu, repetitions{}, static_cast<F&&>(work), metrics...);
}

// By name: observe<"l1tex__t_sectors.sum", "l1tex__t_requests.sum">(gpu, work).
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] observation observe(device const& gpu, F&& work) {
    return observe(gpu, repetitions{}, static_cast<F&&>(work), metric<Names>...);
}
template <fixed_string... Names, class F>
    requires(sizeof...(Names) > 0)
[[nodiscard]] observation observe(device const& gpu, repetitions times, F&& work) {
    return observe(gpu, times, static_cast<F&&>(work), metric<Names>...);
}

// Where the device itself may be missing: observe(gpuprof::try_open_device(), ...) is inconclusive without one.
template <class F, metric_like... Metrics>
    requires(sizeof...(Metrics) > 0)
[[nodiscard]] observation observe(result<device> const& gpu, F&& work, Metrics... metrics) {
    if (!gpu) return observation{gpu.error()};
    return observe(*gpu, repetitions{}, static_cast<F&&>(work), metrics...);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_OBSERVE_HPP
