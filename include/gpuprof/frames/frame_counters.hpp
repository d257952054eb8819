// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the counters that a device has for frames, and opens the source that reads them.
#ifndef GPUPROF_FRAMES_FRAME_COUNTERS_HPP
#define GPUPROF_FRAMES_FRAME_COUNTERS_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../core/result.hpp"
#include "../hw/counters/event/event_catalogue.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/counters/range/metric_host.hpp"
#include "../legacy/lookup.hpp"
#include "../metric/info.hpp"
#include "frame_event_source.hpp"
#include "frame_options.hpp"
#include "frame_pm_source.hpp"
#include "frame_series.hpp"
#include "frame_source.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Below 7.5 counters are events; from 7.5 on they are sampled.
[[nodiscard]] inline bool has_event_hardware(device const& gpu) noexcept {
    return gpu.capability() < compute_capability{7, 5};
}

// The counter of that name on this device. Errors: unknown_metric.
[[nodiscard]] inline result<metric_info> try_frame_counter(device const& gpu, std::string_view name) {
    if (!has_event_hardware(gpu)) return try_metric(name);
    event_descriptor const* const known = legacy::find_event(name);
    unit const in = known != nullptr ? known->of : unit_of(dimension::event);
    return metric_info{metric_ref{name, in, aggregation::sum, metric_kind::counter, metric_source::hardware}};
}

// Errors: those of the sources.
[[nodiscard]] inline result<any_frame_source> try_open_frame_source(device const& gpu,
                                                                    std::span<metric_info const> counters,
                                                                    frame_options const& options, double frame_us) {
    if (has_event_hardware(gpu)) {
        auto events = frame_event_source::try_open(gpu, counters);
        if (!events) return std::move(events).error();
        return any_frame_source{*std::move(events)};
    }
    sampling_interval const interval =
        options.interval.length != 0 ? options.interval : interval_for(frame_us, gpu.source());
    auto samples = frame_pm_source::try_open(gpu, counters, interval, options.budget_us > 0, options.buffer_bytes);
    if (!samples) return std::move(samples).error();
    return any_frame_source{*std::move(samples)};
}

} // namespace detail

// Calls f(name, meaning) for everything that frames can have a value of on this device: first
// quantities that need no counter, then events, or base names of metrics, to which you append a
// roll-up (".sum"). Returns their number. PerfKit: EnumCountersByContext. Errors: what CUPTI says
// when asked for its list, after f was called for the quantities.
template <class F>
[[nodiscard]] result<std::size_t> try_visit_frame_counters(device const& gpu, F&& f) {
    std::size_t count = 0;
    for (; count < frame_quantities; ++count) {
        auto const which = static_cast<frame_quantity>(count);
        f(name(which), meaning(which));
    }
    if (detail::has_event_hardware(gpu)) {
        auto catalogue = hw::event_catalogue::try_open(gpu);
        if (!catalogue) return std::move(catalogue).error();
        auto listed = catalogue->try_events();
        if (!listed) return std::move(listed).error();
        for (auto const& event : *listed) f(std::string_view{event.name}, std::string_view{event.description});
        return count + listed->size();
    }
    auto host =
        hw::metric_host::try_open(gpu.cupti(), gpu.chip(), {}, gpu.source(), abi::CUPTI_PROFILER_TYPE_PM_SAMPLING);
    if (!host) return std::move(host).error();
    for (auto const type :
         {abi::CUPTI_METRIC_TYPE_COUNTER, abi::CUPTI_METRIC_TYPE_RATIO, abi::CUPTI_METRIC_TYPE_THROUGHPUT}) {
        auto names = host->try_base_metrics(type);
        if (!names) return std::move(names).error();
        for (std::string const& metric : *names) {
            auto const properties = host->try_properties(metric);
            f(std::string_view{metric}, properties ? std::string_view{properties->description} : std::string_view{});
        }
        count += names->size();
    }
    return count;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_COUNTERS_HPP
