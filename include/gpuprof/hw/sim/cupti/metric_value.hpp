// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's calls that plan and evaluate metrics for the embedded GPU. Layer: hw/sim. Answers are those of the metric API's
// reference (CUPTI 5.0).
#ifndef GPUPROF_HW_SIM_CUPTI_METRIC_VALUE_HPP
#define GPUPROF_HW_SIM_CUPTI_METRIC_VALUE_HPP

#include <cmath>   // std::floor
#include <cstddef> // std::size_t
#include <cstdint> // values
#include <span>    // what the caller has
#include <vector>  // values

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "answer.hpp"
#include "event_device.hpp"
#include "event_sets.hpp"
#include "metric_query.hpp"
#include "../counters/event_metric_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

// The events that metrics need, metric by metric; the status to refuse with.
struct metric_plan {
    event_table const* catalogue = nullptr;
    std::vector<chip_event const*> events;
    CUptiResult status = CUPTI_SUCCESS;
};
[[nodiscard]] inline metric_plan plan(CUcontext context, std::span<CUpti_MetricID const> metrics) {
    auto const of = of_context(context);
    metric_plan made{of.catalogue, {}, of.status};
    for (CUpti_MetricID const each : metrics) {
        if (made.status != CUPTI_SUCCESS) return made;
        auto const* const found = event_metric_table::of(*of.catalogue).find(each);
        if (found == nullptr) made.status = CUPTI_ERROR_INVALID_METRIC_ID;
        else made.events.insert(made.events.end(), found->events.begin(), found->events.end());
    }
    return made;
}

// The counts of a metric's events, in its order, out of those given.
[[nodiscard]] inline CUptiResult gather(chip_metric const& metric, std::span<CUpti_EventID const> events,
                                        std::span<std::uint64_t const> values, std::vector<double>& into) {
    if (values.size() < events.size()) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (chip_event const* const each : metric.events) {
        std::size_t i = 0;
        while (i < events.size() && events[i] != each->id) ++i;
        if (i == events.size()) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        if (values[i] >= cupti_event_invalid) return CUPTI_ERROR_INVALID_EVENT_VALUE; // or it is an overflow
        into.push_back(static_cast<double>(values[i]));
    }
    return CUPTI_SUCCESS;
}

// A value in the metric's kind; CUPTI_ERROR_NOT_COMPATIBLE for one that it cannot hold.
[[nodiscard]] inline CUptiResult put_value(chip_metric const& metric, double value, CUpti_MetricValue& into) {
    bool const whole = value >= 0 && value < 18446744073709549568.0; // the last double below 2^64
    switch (metric.row->kind) {
        case CUPTI_METRIC_VALUE_KIND_DOUBLE: into.metricValueDouble = value; break;
        case CUPTI_METRIC_VALUE_KIND_PERCENT: into.metricValuePercent = value; break;
        case CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL:
            into.metricValueUtilizationLevel = static_cast<CUpti_MetricValueUtilizationLevel>(static_cast<int>(value));
            break;
        default:
            if (value != value) value = 0; // nothing, in no time
            else if (!whole) return CUPTI_ERROR_NOT_COMPATIBLE;
            into.metricValueUint64 = static_cast<std::uint64_t>(std::floor(value + 0.5));
    }
    return CUPTI_SUCCESS;
}

// What a property is on a chip; the kernel's time is not the chip's.
[[nodiscard]] inline double property_of(event_table const& catalogue, CUpti_MetricPropertyID property,
                                        std::uint64_t nanoseconds) {
    chip_model const& chip = catalogue.chip();
    double const sms = chip.count(hardware_unit::sm);
    switch (property) {
        case CUPTI_METRIC_PROPERTY_MULTIPROCESSOR_COUNT: return sms;
        case CUPTI_METRIC_PROPERTY_WARPS_PER_MULTIPROCESSOR: return static_cast<double>(chip.threads_per_sm) / 32;
        case CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME: return static_cast<double>(nanoseconds);
        case CUPTI_METRIC_PROPERTY_CLOCK_RATE: return chip.gpc_hz / 1000;
        case CUPTI_METRIC_PROPERTY_GLOBAL_MEMORY_BANDWIDTH: return static_cast<double>(memory_bandwidth(chip));
        case CUPTI_METRIC_PROPERTY_FLOP_SP_PER_CYCLE: return 2 * sms * chip.lanes.fp32;
        case CUPTI_METRIC_PROPERTY_FLOP_DP_PER_CYCLE: return 2 * sms * chip.lanes.fp64;
        case CUPTI_METRIC_PROPERTY_FLOP_HP_PER_CYCLE: return 2 * sms * chip.lanes.fp16;
        default: return 0; // no metric here asks for another
    }
}

} // namespace detail

inline CUptiResult metric_create_event_group_sets(CUcontext context, std::size_t size, CUpti_MetricID* metrics,
                                                  CUpti_EventGroupSets** passes) {
    auto const held = gpu_registry::instance().lock();
    if (auto const of = detail::of_context(context); of.status != CUPTI_SUCCESS) return of.status;
    if (metrics == nullptr || passes == nullptr || size < sizeof *metrics) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    auto const made = detail::plan(context, {metrics, size / sizeof *metrics});
    if (made.status != CUPTI_SUCCESS) return made.status;
    *passes = detail::make_sets(context, *made.catalogue, detail::pack(*made.catalogue, made.events));
    return *passes == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

// Several events that fit into one pass belong together; null for a metric of one event, and for one that no pass holds.
inline CUptiResult metric_get_required_event_group_sets(CUcontext context, CUpti_MetricID metric,
                                                        CUpti_EventGroupSets** sets) {
    auto const held = gpu_registry::instance().lock();
    auto const made = detail::plan(context, {&metric, 1});
    if (made.status != CUPTI_SUCCESS) return made.status;
    if (sets == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    *sets = nullptr;
    auto const passes = detail::pack(*made.catalogue, made.events);
    if (made.events.size() < 2 || passes.size() != 1) return CUPTI_SUCCESS;
    *sets = detail::make_sets(context, *made.catalogue, passes);
    return *sets == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

// A metric of another chip than the device's is CUPTI_ERROR_INVALID_OPERATION.
inline CUptiResult metric_get_value(CUdevice device, CUpti_MetricID metric, std::size_t events_size,
                                    CUpti_EventID* events, std::size_t values_size, std::uint64_t* values,
                                    std::uint64_t nanoseconds, CUpti_MetricValue* value) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (events == nullptr || values == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_metric_id(metric);
    if (found.metric == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    if (found.catalogue->id_base() != of.catalogue->id_base()) return CUPTI_ERROR_INVALID_OPERATION;
    std::vector<double> counts, facts;
    if (CUptiResult const refused = detail::gather(*found.metric, {events, events_size / sizeof *events},
                                                   {values, values_size / sizeof *values}, counts))
        return refused;
    for (auto const each : found.metric->properties())
        facts.push_back(detail::property_of(*of.catalogue, each, nanoseconds));
    return detail::put_value(*found.metric, found.metric->value(counts, facts), *value);
}

// A property that is missing is CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT, like an event. Property arrays may be null for
// a metric that needs none.
inline CUptiResult metric_get_value2(CUpti_MetricID metric, std::size_t events_size, CUpti_EventID* events,
                                     std::size_t values_size, std::uint64_t* values, std::size_t properties_size,
                                     CUpti_MetricPropertyID* properties, std::size_t property_values_size,
                                     std::uint64_t* property_values, CUpti_MetricValue* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (events == nullptr || values == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_metric_id(metric);
    if (found.metric == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    std::vector<double> counts, facts;
    if (CUptiResult const refused = detail::gather(*found.metric, {events, events_size / sizeof *events},
                                                   {values, values_size / sizeof *values}, counts))
        return refused;
    auto const needed = found.metric->properties();
    if (!needed.empty() && (properties == nullptr || property_values == nullptr)) return CUPTI_ERROR_INVALID_PARAMETER;
    std::size_t const given = properties == nullptr ? 0 : properties_size / sizeof *properties;
    if (given != 0 && property_values_size / sizeof *property_values < given)
        return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (auto const each : needed) {
        std::size_t i = 0;
        while (i < given && properties[i] != each) ++i;
        if (i == given) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        facts.push_back(static_cast<double>(property_values[i]));
    }
    return detail::put_value(*found.metric, found.metric->value(counts, facts), *value);
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_METRIC_VALUE_HPP
