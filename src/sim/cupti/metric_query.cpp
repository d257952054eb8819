// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metric_query.hpp"

#include <string_view>
#include <vector>

#include "../counters/event_metric_table.hpp"
#include "../counters/event_table.hpp"
#include "answer.hpp"
#include "event_query.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

found_metric find_metric_id(CUpti_MetricID id) {
    for (auto const* const catalogue : all_catalogues())
        if (auto const* const metric = event_metric_table::of(*catalogue).find(id)) return {catalogue, metric};
    return {};
}

} // namespace detail

[[nodiscard]] static std::vector<CUpti_MetricID> metric_ids(event_table const& catalogue) {
    std::vector<CUpti_MetricID> ids;
    for (chip_metric const& metric : event_metric_table::of(catalogue).metrics()) ids.push_back(metric.id);
    return ids;
}

CUptiResult get_num_metrics(std::uint32_t* count) {
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *count = 0;
    for (auto const* const catalogue : detail::all_catalogues())
        *count += static_cast<std::uint32_t>(event_metric_table::of(*catalogue).metrics().size());
    return CUPTI_SUCCESS;
}

CUptiResult enum_metrics(std::size_t* size, CUpti_MetricID* metrics) {
    if (size == nullptr || metrics == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::vector<CUpti_MetricID> ids;
    for (auto const* const catalogue : detail::all_catalogues())
        for (auto const id : metric_ids(*catalogue)) ids.push_back(id);
    return detail::put_all(ids, size, metrics);
}

CUptiResult device_get_num_metrics(CUdevice device, std::uint32_t* count) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *count = static_cast<std::uint32_t>(event_metric_table::of(*of.catalogue).metrics().size());
    return CUPTI_SUCCESS;
}

CUptiResult device_enum_metrics(CUdevice device, std::size_t* size, CUpti_MetricID* metrics) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (size == nullptr || metrics == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    return detail::put_all(metric_ids(*of.catalogue), size, metrics);
}

CUptiResult metric_get_attribute(CUpti_MetricID metric, CUpti_MetricAttribute attribute, std::size_t* size,
                                 void* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = detail::find_metric_id(metric).metric;
    if (found == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    switch (attribute) {
        case CUPTI_METRIC_ATTR_NAME: return detail::put_text(found->row->name, size, value);
        case CUPTI_METRIC_ATTR_SHORT_DESCRIPTION:
        case CUPTI_METRIC_ATTR_LONG_DESCRIPTION: return detail::put_text(found->row->meaning, size, value);
        case CUPTI_METRIC_ATTR_CATEGORY: return detail::put(found->row->category, size, value);
        case CUPTI_METRIC_ATTR_VALUE_KIND: return detail::put(found->row->kind, size, value);
        case CUPTI_METRIC_ATTR_EVALUATION_MODE: return detail::put(found->mode, size, value);
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

CUptiResult metric_get_id_from_name(CUdevice device, char const* name, CUpti_MetricID* metric) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (name == nullptr || metric == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = event_metric_table::of(*of.catalogue).find(std::string_view{name});
    if (found == nullptr) return CUPTI_ERROR_INVALID_METRIC_NAME;
    *metric = found->id;
    return CUPTI_SUCCESS;
}

CUptiResult metric_get_num_events(CUpti_MetricID metric, std::uint32_t* count) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = detail::find_metric_id(metric).metric;
    if (found == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    *count = static_cast<std::uint32_t>(found->events.size());
    return CUPTI_SUCCESS;
}

CUptiResult metric_enum_events(CUpti_MetricID metric, std::size_t* size, CUpti_EventID* events) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || events == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = detail::find_metric_id(metric).metric;
    if (found == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    std::vector<CUpti_EventID> ids;
    for (chip_event const* const event : found->events) ids.push_back(event->id);
    return detail::put_all(ids, size, events);
}

CUptiResult metric_get_num_properties(CUpti_MetricID metric, std::uint32_t* count) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = detail::find_metric_id(metric).metric;
    if (found == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    *count = static_cast<std::uint32_t>(found->properties().size());
    return CUPTI_SUCCESS;
}

CUptiResult metric_enum_properties(CUpti_MetricID metric, std::size_t* size, CUpti_MetricPropertyID* properties) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || properties == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = detail::find_metric_id(metric).metric;
    if (found == nullptr) return CUPTI_ERROR_INVALID_METRIC_ID;
    return detail::put_all(found->properties(), size, properties);
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
