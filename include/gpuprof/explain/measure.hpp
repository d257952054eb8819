// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call: why a function's kernels take as long as they do.
#ifndef GPUPROF_EXPLAIN_MEASURE_HPP
#define GPUPROF_EXPLAIN_MEASURE_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../measure/profiler.hpp"
#include "explanation.hpp"
#include "measurable.hpp"
#include "sections.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Runs `work`, has the hardware replay each of its kernels as often as the set needs passes, and explains each of them. A
// metric that the device lacks is no error: rows and rules say that they have no value.
//
//     auto why = gpuprof::explain::measure(gpu, gpuprof::explain::set::basic, [&] { launch(); });
//     for (auto const& finding : why.findings()) std::cout << finding;
//
// Errors: why it could not be measured (permission, busy, ...); unknown_metric if the device has none of the metrics. What
// `work` throws passes through.
// @param rules those of rules.hpp, if none are given. @param options of the profiler; with range_mode::user_range, what is
// explained is the whole of `work`
// Cost: `work` once; each kernel as often as the report's completeness().passes_needed says (H200: docs/explain.md).
template <class Work>
[[nodiscard]] result<explanation> try_measure([[maybe_unused]] device const& gpu, [[maybe_unused]] set const& sections,
                                              Work&& work, [[maybe_unused]] profiler_options const& options,
                                              [[maybe_unused]] std::span<rule const> rules = {}) {
#if !GPUPROF_ENABLED
    work();
    return explanation{};
#else
    auto metrics = try_measurable(gpu, metric_names_of(sections, rules), options.ranges);
    if (!metrics) return std::move(metrics).error();
    auto made = profiler::try_create(gpu, options, std::span<metric_info const>{*metrics});
    if (!made) return std::move(made).error();
    for (pass const& each : made->passes()) {
        static_cast<void>(each);
        if (options.ranges == range_mode::auto_range) {
            work();
        } else {
            scope whole{*made, "work"};
            work();
        }
    }
    auto report = made->try_report();
    if (!report) return std::move(report).error();
    return explanation{*std::move(report), sections, rules};
#endif
}

// The same, kernel by kernel.
template <class Work>
[[nodiscard]] result<explanation> try_measure(device const& gpu, set const& sections, Work&& work) {
    profiler_options options;
    options.ranges = range_mode::auto_range;
    options.replay = replay_mode::kernel;
    return try_measure(gpu, sections, static_cast<Work&&>(work), options);
}

#if GPUPROF_EXCEPTIONS
// try_measure(), throwing.
template <class Work>
[[nodiscard]] explanation measure(device const& gpu, set const& sections, Work&& work) {
    return try_measure(gpu, sections, static_cast<Work&&>(work)).value();
}
template <class Work>
[[nodiscard]] explanation measure(device const& gpu, set const& sections, Work&& work, profiler_options const& options,
                                  std::span<rule const> rules = {}) {
    return try_measure(gpu, sections, static_cast<Work&&>(work), options, rules).value();
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEASURE_HPP
