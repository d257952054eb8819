// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the counters that a device has for frames, and opens the source that reads them.
#ifndef GPUPROF_FRAMES_FRAME_COUNTERS_HPP
#define GPUPROF_FRAMES_FRAME_COUNTERS_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../core/result.hpp"
#include "../detail/visited.hpp"
#include "../hw/counters/event/event_catalogue.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/counters/range/metric_host.hpp"
#include "../legacy/lookup.hpp"
#include "../metric/base_name.hpp"
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
// roll-up (".sum"). If f returns false, the list ends there (PerfKit: EnumCountersByContext, NVPM_WARNING_ENDED_EARLY).
// Returns how many were told. Errors: what CUPTI says when asked for its list, after f was called for the quantities.
template <class F>
[[nodiscard]] result<std::size_t> try_visit_frame_counters(device const& gpu, F&& f) {
    std::size_t count = 0;
    while (count < frame_quantities) {
        auto const which = static_cast<frame_quantity>(count++);
        if (!detail::visited(f, name(which), meaning(which))) return count;
    }
    if (detail::has_event_hardware(gpu)) {
        auto catalogue = hw::event_catalogue::try_open(gpu);
        if (!catalogue) return std::move(catalogue).error();
        auto listed = catalogue->try_events();
        if (!listed) return std::move(listed).error();
        for (auto const& event : *listed) {
            ++count;
            if (!detail::visited(f, std::string_view{event.name}, std::string_view{event.description})) break;
        }
        return count;
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
            ++count;
            if (!detail::visited(f, std::string_view{metric},
                                 properties ? std::string_view{properties->description} : std::string_view{}))
                return count;
        }
    }
    return count;
}

// What is known of a counter or quantity, whether it is enabled or not (PerfKit: GetCounterAttribute).
struct frame_counter_description {
    std::string name;
    std::string meaning; // CUPTI's words
    gpuprof::unit unit{};

    [[nodiscard]] frame_display display() const noexcept { return display_of(unit); }
};

// Describes the counter, or quantity, of that name on this device. Errors: unknown_metric; those of try_visit_frame_counters().
[[nodiscard]] inline result<frame_counter_description> try_describe_frame_counter(device const& gpu,
                                                                                  std::string_view name) {
    frame_counter_description found{std::string{name}, {}, {}};
    std::string_view const base = base_name(name);
    std::optional<frame_quantity> quantity;
    for (std::size_t i = 0; i < frame_quantities; ++i)
        if (gpuprof::name(static_cast<frame_quantity>(i)) == name) quantity = static_cast<frame_quantity>(i);
    if (quantity) {
        found.meaning = meaning(*quantity);
        found.unit = unit_of(*quantity);
        return found;
    }
    bool listed = false;
    auto const told = try_visit_frame_counters(gpu, [&](std::string_view each, std::string_view means) {
        listed = each == base;
        if (listed) found.meaning = means;
        return !listed;
    });
    if (!told) return told.error();
    if (!listed)
        return error{errc::unknown_metric, 0, name, "this device has no counter of that name for frames",
                     "see try_visit_frame_counters()"};
    auto counter = detail::try_frame_counter(gpu, name);
    if (!counter && name == base)
        counter = detail::try_frame_counter(gpu, detail::joined({base, ".sum"})); // no roll-up yet
    if (!counter) return counter.error();
    found.unit = counter->value_unit;
    return found;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_COUNTERS_HPP
