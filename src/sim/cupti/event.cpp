// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event.hpp"

#include "event_collect.hpp"
#include "event_device.hpp"
#include "event_group.hpp"
#include "event_mode.hpp"
#include "event_query.hpp"
#include "event_sets.hpp"
#include "metric_query.hpp"
#include "metric_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_event_calls(cupti_table& calls) noexcept {
    calls.DeviceGetAttribute = device_get_attribute;
    calls.DeviceGetTimestamp = device_get_timestamp;
    calls.GetNumEventDomains = get_num_event_domains;
    calls.EnumEventDomains = enum_event_domains;
    calls.DeviceGetNumEventDomains = device_get_num_event_domains;
    calls.DeviceEnumEventDomains = device_enum_event_domains;
    calls.DeviceGetEventDomainAttribute = device_get_event_domain_attribute;
    calls.EventDomainGetAttribute = event_domain_get_attribute;
    calls.EventDomainGetNumEvents = event_domain_get_num_events;
    calls.EventDomainEnumEvents = event_domain_enum_events;
    calls.EventGetAttribute = event_get_attribute;
    calls.EventGetIdFromName = event_get_id_from_name;
    calls.SetEventCollectionMode = set_event_collection_mode;
    calls.EventGroupCreate = event_group_create;
    calls.EventGroupDestroy = event_group_destroy;
    calls.EventGroupGetAttribute = event_group_get_attribute;
    calls.EventGroupSetAttribute = event_group_set_attribute;
    calls.EventGroupAddEvent = event_group_add_event;
    calls.EventGroupRemoveEvent = event_group_remove_event;
    calls.EventGroupRemoveAllEvents = event_group_remove_all_events;
    calls.EventGroupResetAllEvents = event_group_reset_all_events;
    calls.EventGroupEnable = event_group_enable;
    calls.EventGroupDisable = event_group_disable;
    calls.EventGroupReadEvent = event_group_read_event;
    calls.EventGroupReadAllEvents = event_group_read_all_events;
    calls.EventGroupSetsCreate = event_group_sets_create;
    calls.EventGroupSetsDestroy = event_group_sets_destroy;
    calls.EventGroupSetEnable = event_group_set_enable;
    calls.EventGroupSetDisable = event_group_set_disable;
    calls.EnableKernelReplayMode = enable_kernel_replay_mode;
    calls.DisableKernelReplayMode = disable_kernel_replay_mode;
    calls.KernelReplaySubscribeUpdate = kernel_replay_subscribe_update;
}

void add_metric_calls(cupti_table& calls) noexcept {
    calls.GetNumMetrics = get_num_metrics;
    calls.EnumMetrics = enum_metrics;
    calls.DeviceGetNumMetrics = device_get_num_metrics;
    calls.DeviceEnumMetrics = device_enum_metrics;
    calls.MetricGetAttribute = metric_get_attribute;
    calls.MetricGetIdFromName = metric_get_id_from_name;
    calls.MetricGetNumEvents = metric_get_num_events;
    calls.MetricEnumEvents = metric_enum_events;
    calls.MetricGetNumProperties = metric_get_num_properties;
    calls.MetricEnumProperties = metric_enum_properties;
    calls.MetricGetRequiredEventGroupSets = metric_get_required_event_group_sets;
    calls.MetricCreateEventGroupSets = metric_create_event_group_sets;
    calls.MetricGetValue = metric_get_value;
    calls.MetricGetValue2 = metric_get_value2;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
