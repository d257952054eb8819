// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI's activity calls (CUPTI 12.0, 2.3). Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_ACTIVITY_HPP
#define GPUPROF_HW_SIM_CUPTI_ACTIVITY_HPP

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "activity_ids.hpp"
#include "activity_kinds.hpp"
#include "activity_records.hpp"
#include "activity_settings.hpp"
#include "last_error.hpp"
#include "release.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The calls by which a tool begins: they say whose layouts it reads.
template <activity::cuda_release Release>
void add_activity_calls_of(cupti_table& calls) {
    using detail::in_release;
    using detail::remembered;
    calls.ActivityEnable = remembered<in_release<Release, activity_enable>::call>;
    calls.ActivityEnableContext = remembered<in_release<Release, activity_enable_context>::call>;
    calls.ActivityEnableAndDump = remembered<in_release<Release, activity_enable_and_dump>::call>;
    calls.ActivityRegisterCallbacks = remembered<in_release<Release, activity_register_callbacks>::call>;
    calls.ActivityConfigurePCSampling = remembered<in_release<Release, activity_configure_pc_sampling>::call>;
    calls.ActivitySetAttribute = remembered<in_release<Release, activity_set_attribute>::call>;
    calls.ActivityGetAttribute = remembered<in_release<Release, activity_get_attribute>::call>;
    calls.GetVersion = remembered<get_version_in<Release>>;
}

inline void add_activity_calls(cupti_table& calls) {
    using detail::remembered;
    add_activity_calls_of<release_of_table>(calls);
    calls.ActivityDisable = remembered<activity_disable>;
    calls.ActivityDisableContext = remembered<activity_disable_context>;
    calls.ActivityEnableDriverApi = remembered<activity_enable_driver_api>;
    calls.ActivityEnableRuntimeApi = remembered<activity_enable_runtime_api>;
    calls.ActivityGetNextRecord = remembered<activity_get_next_record>;
    calls.ActivityGetNumDroppedRecords = remembered<activity_get_num_dropped_records>;
    calls.ActivityFlushAll = remembered<activity_flush_all>;
    calls.ActivityFlushPeriod = remembered<activity_flush_period>;
    calls.ActivityRegisterTimestampCallback = remembered<activity_register_timestamp_callback>;
    calls.ActivityEnableLatencyTimestamps = remembered<activity_enable_latency_timestamps>;
    calls.ActivityEnableLaunchAttributes = remembered<activity_enable_launch_attributes>;
    calls.ActivityEnableAllocationSource = remembered<activity_enable_allocation_source>;
    calls.ActivityEnableDeviceGraph = remembered<activity_enable_device_graph>;
    calls.ActivityEnableHWTrace = remembered<activity_enable_hw_trace>;
    calls.ActivityEnableAllSyncRecords = remembered<activity_enable_all_sync_records>;
    calls.ActivityEnableCudaEventDeviceTimestamps = remembered<activity_enable_cuda_event_device_timestamps>;
    calls.ActivityConfigureUnifiedMemoryCounter = remembered<activity_configure_unified_memory_counter>;
    calls.ActivityPushExternalCorrelationId = remembered<activity_push_external_correlation_id>;
    calls.ActivityPopExternalCorrelationId = remembered<activity_pop_external_correlation_id>;
    calls.GetDeviceId = remembered<get_device_id>;
    calls.GetContextId = remembered<get_context_id>;
    calls.GetStreamId = remembered<get_stream_id>;
    calls.GetStreamIdEx = remembered<get_stream_id_ex>;
    calls.GetGraphId = remembered<get_graph_id>;
    calls.GetGraphExecId = remembered<get_graph_exec_id>;
    calls.GetGraphNodeId = remembered<get_graph_node_id>;
    calls.SetThreadIdType = remembered<set_thread_id_type>;
    calls.GetThreadIdType = remembered<get_thread_id_type>;
    calls.GetAutoBoostState = remembered<get_auto_boost_state>;
    calls.DeviceVirtualizationMode = remembered<device_virtualization_mode>;
    calls.DeviceSupported = remembered<device_supported>;
    calls.ComputeCapabilitySupported = remembered<compute_capability_supported>;
    calls.GetLastError = get_last_error;
    calls.GetTimestamp = remembered<get_timestamp>;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_ACTIVITY_HPP
