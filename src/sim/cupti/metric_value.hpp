// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that plan and evaluate metrics for the embedded GPU. Answers are those of the metric
// API's reference (CUPTI 5.0).
#ifndef GPUPROF_SRC_SIM_CUPTI_METRIC_VALUE_HPP
#define GPUPROF_SRC_SIM_CUPTI_METRIC_VALUE_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

CUptiResult metric_create_event_group_sets(CUcontext context, std::size_t size, CUpti_MetricID* metrics,
                                           CUpti_EventGroupSets** passes);

// Several events that fit into one pass belong together; null for a metric of one event, and for
// one that no pass holds.
CUptiResult metric_get_required_event_group_sets(CUcontext context, CUpti_MetricID metric, CUpti_EventGroupSets** sets);

// A metric of another chip than the device's is CUPTI_ERROR_INVALID_OPERATION.
CUptiResult metric_get_value(CUdevice device, CUpti_MetricID metric, std::size_t events_size, CUpti_EventID* events,
                             std::size_t values_size, std::uint64_t* values, std::uint64_t nanoseconds,
                             CUpti_MetricValue* value);

// A property that is missing is CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT, like an event. Property
// arrays may be null for a metric that needs none.
CUptiResult metric_get_value2(CUpti_MetricID metric, std::size_t events_size, CUpti_EventID* events,
                              std::size_t values_size, std::uint64_t* values, std::size_t properties_size,
                              CUpti_MetricPropertyID* properties, std::size_t property_values_size,
                              std::uint64_t* property_values, CUpti_MetricValue* value);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_METRIC_VALUE_HPP
