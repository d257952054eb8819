// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metric_value.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "../counters/event_metric_table.hpp"
#include "../counters/event_table.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"
#include "event_device.hpp"
#include "event_group.hpp"
#include "event_sets.hpp"
#include "metric_query.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The events that metrics need, metric by metric; the status to refuse with.
struct metric_plan {
    event_table const* catalogue = nullptr;
    std::vector<chip_event const*> events;
    CUptiResult status = CUPTI_SUCCESS;
};

[[nodiscard]] static metric_plan plan_metrics(CUcontext context, std::span<CUpti_MetricID const> metrics) {
    auto const of = detail::of_context(context);
    metric_plan plan{of.catalogue, {}, of.status};
    for (CUpti_MetricID const metric : metrics) {
        if (plan.status != CUPTI_SUCCESS) return plan;
        auto const* const found = event_metric_table::of(*of.catalogue).find(metric);
        if (found == nullptr) plan.status = CUPTI_ERROR_INVALID_METRIC_ID;
        else plan.events.insert(plan.events.end(), found->events.begin(), found->events.end());
    }
    return plan;
}

// The counts of a metric's events, in its order, out of those given.
[[nodiscard]] static CUptiResult gather_counts(chip_metric const& metric, std::span<CUpti_EventID const> events,
                                               std::span<std::uint64_t const> values, std::vector<double>& counts) {
    if (values.size() < events.size()) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (chip_event const* const event : metric.events) {
        std::size_t i = 0;
        while (i < events.size() && events[i] != event->id) ++i;
        if (i == events.size()) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        if (values[i] >= cupti_event_invalid) return CUPTI_ERROR_INVALID_EVENT_VALUE; // or it is an overflow
        counts.push_back(static_cast<double>(values[i]));
    }
    return CUPTI_SUCCESS;
}

// A value in the metric's kind; CUPTI_ERROR_NOT_COMPATIBLE for one that it cannot hold.
[[nodiscard]] static CUptiResult put_metric_value(chip_metric const& metric, double value, CUpti_MetricValue& result) {
    bool const whole = value >= 0 && value < 18446744073709549568.0; // the last double below 2^64
    switch (metric.row->kind) {
        case CUPTI_METRIC_VALUE_KIND_DOUBLE: result.metricValueDouble = value; break;
        case CUPTI_METRIC_VALUE_KIND_PERCENT: result.metricValuePercent = value; break;
        case CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL:
            result.metricValueUtilizationLevel =
                static_cast<CUpti_MetricValueUtilizationLevel>(static_cast<int>(value));
            break;
        default:
            if (value != value) value = 0; // nothing, in no time
            else if (!whole) return CUPTI_ERROR_NOT_COMPATIBLE;
            result.metricValueUint64 = static_cast<std::uint64_t>(std::floor(value + 0.5));
    }
    return CUPTI_SUCCESS;
}

// The value of a property on a chip. `nanoseconds` is the kernel's time.
[[nodiscard]] static double metric_property(event_table const& catalogue, CUpti_MetricPropertyID property,
                                            std::uint64_t nanoseconds) {
    chip_model const& chip = catalogue.chip();
    double const sms = chip.count(hardware_unit::sm);
    switch (property) {
        case CUPTI_METRIC_PROPERTY_MULTIPROCESSOR_COUNT: return sms;
        case CUPTI_METRIC_PROPERTY_WARPS_PER_MULTIPROCESSOR: return static_cast<double>(chip.threads_per_sm) / 32;
        case CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME: return static_cast<double>(nanoseconds);
        case CUPTI_METRIC_PROPERTY_CLOCK_RATE: return chip.gpc_hz / 1000;
        case CUPTI_METRIC_PROPERTY_GLOBAL_MEMORY_BANDWIDTH: return static_cast<double>(detail::memory_bandwidth(chip));
        case CUPTI_METRIC_PROPERTY_FLOP_SP_PER_CYCLE: return 2 * sms * chip.lanes.fp32;
        case CUPTI_METRIC_PROPERTY_FLOP_DP_PER_CYCLE: return 2 * sms * chip.lanes.fp64;
        case CUPTI_METRIC_PROPERTY_FLOP_HP_PER_CYCLE: return 2 * sms * chip.lanes.fp16;
        default: return 0; // no metric here asks for another
    }
}

CUptiResult metric_create_event_group_sets(CUcontext context, std::size_t size, CUpti_MetricID* metrics,
                                           CUpti_EventGroupSets** passes) {
    auto const held = shared().registry.lock();
    if (auto const of = detail::of_context(context); of.status != CUPTI_SUCCESS) return of.status;
    if (metrics == nullptr || passes == nullptr || size < sizeof *metrics) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    auto const plan = plan_metrics(context, {metrics, size / sizeof *metrics});
    if (plan.status != CUPTI_SUCCESS) return plan.status;
    *passes = detail::make_sets(context, *plan.catalogue, detail::pack(*plan.catalogue, plan.events));
    return *passes == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

CUptiResult metric_get_required_event_group_sets(CUcontext context, CUpti_MetricID metric,
                                                 CUpti_EventGroupSets** sets) {
    auto const held = shared().registry.lock();
    auto const plan = plan_metrics(context, {&metric, 1});
    if (plan.status != CUPTI_SUCCESS) return plan.status;
    if (sets == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    *sets = nullptr;
    auto const passes = detail::pack(*plan.catalogue, plan.events);
    if (plan.events.size() < 2 || passes.size() != 1) return CUPTI_SUCCESS;
    *sets = detail::make_sets(context, *plan.catalogue, passes);
    return *sets == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

CUptiResult metric_get_value(CUdevice device, CUpti_MetricID metric, std::size_t events_size, CUpti_EventID* events,
                             std::size_t values_size, std::uint64_t* values, std::uint64_t nanoseconds,
                             CUpti_MetricValue* value) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (events == nullptr || values == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_metric_id(metric);
    if (found.metric == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    if (found.catalogue->id_base() != of.catalogue->id_base()) return CUPTI_ERROR_INVALID_OPERATION;
    std::vector<double> counts, facts;
    if (CUptiResult const refused = gather_counts(*found.metric, {events, events_size / sizeof *events},
                                                  {values, values_size / sizeof *values}, counts))
        return refused;
    for (auto const property : found.metric->properties())
        facts.push_back(metric_property(*of.catalogue, property, nanoseconds));
    return put_metric_value(*found.metric, found.metric->value(counts, facts), *value);
}

CUptiResult metric_get_value2(CUpti_MetricID metric, std::size_t events_size, CUpti_EventID* events,
                              std::size_t values_size, std::uint64_t* values, std::size_t properties_size,
                              CUpti_MetricPropertyID* properties, std::size_t property_values_size,
                              std::uint64_t* property_values, CUpti_MetricValue* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (events == nullptr || values == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_metric_id(metric);
    if (found.metric == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    std::vector<double> counts, facts;
    if (CUptiResult const refused = gather_counts(*found.metric, {events, events_size / sizeof *events},
                                                  {values, values_size / sizeof *values}, counts))
        return refused;
    auto const needed = found.metric->properties();
    if (!needed.empty() && (properties == nullptr || property_values == nullptr)) return CUPTI_ERROR_INVALID_PARAMETER;
    std::size_t const given = properties == nullptr ? 0 : properties_size / sizeof *properties;
    if (given != 0 && property_values_size / sizeof *property_values < given)
        return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (auto const property : needed) {
        std::size_t i = 0;
        while (i < given && properties[i] != property) ++i;
        if (i == given) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        facts.push_back(static_cast<double>(property_values[i]));
    }
    return put_metric_value(*found.metric, found.metric->value(counts, facts), *value);
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
