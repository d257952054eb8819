// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

#include <gpuprof/hw/activity/release.hpp>
#include "../gpu/gpu_state.hpp"
#include "activity_ids.hpp"
#include "activity_kinds.hpp"
#include "activity_records.hpp"
#include "activity_settings.hpp"
#include "cupti_state.hpp"
#include "last_error.hpp"
#include "openacc.hpp"
#include "openmp.hpp"
#include "release.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

static thread_local constinit CUptiResult last_error = CUPTI_SUCCESS;

void set_last_error(CUptiResult status) noexcept { last_error = status; }

CUptiResult get_last_error() { return std::exchange(last_error, CUPTI_SUCCESS); }

void set_release(activity::cuda_release release) noexcept { state().chosen_release = release; }

activity::cuda_release release_in_force(activity::cuda_release own) noexcept {
    auto const chosen = state().chosen_release.load(std::memory_order_relaxed);
    return chosen == activity::cuda_release{} ? own : chosen;
}

// A call through the table of a release: from then on records have its layouts.
template <activity::cuda_release Release, auto Call>
struct in_release;
template <activity::cuda_release Release, class... A, CUptiResult (*Call)(A...)>
struct in_release<Release, Call> {
    static CUptiResult call(A... arguments) {
        shared().activity.release = release_in_force(Release);
        return Call(arguments...);
    }
};

template <activity::cuda_release Release>
CUptiResult get_version_in(std::uint32_t* version) {
    if (version == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *version = version_of(release_in_force(Release));
    return CUPTI_SUCCESS;
}

// The calls by which a tool begins. They decide the layouts of the records that it reads.
template <activity::cuda_release Release>
static void add_activity_calls_of(cupti_table& calls) {
    using detail::with_last_error;
    calls.ActivityEnable = with_last_error<in_release<Release, activity_enable>::call>;
    calls.ActivityEnableContext = with_last_error<in_release<Release, activity_enable_context>::call>;
    calls.ActivityEnableAndDump = with_last_error<in_release<Release, activity_enable_and_dump>::call>;
    calls.ActivityRegisterCallbacks = with_last_error<in_release<Release, activity_register_callbacks>::call>;
    calls.ActivityConfigurePCSampling = with_last_error<in_release<Release, activity_configure_pc_sampling>::call>;
    calls.ActivitySetAttribute = with_last_error<in_release<Release, activity_set_attribute>::call>;
    calls.ActivityGetAttribute = with_last_error<in_release<Release, activity_get_attribute>::call>;
    calls.GetVersion = with_last_error<get_version_in<Release>>;
}

void add_activity_calls(cupti_table& calls) {
    using detail::with_last_error;
    add_activity_calls_of<release_of_table>(calls);
    calls.ActivityDisable = with_last_error<activity_disable>;
    calls.ActivityDisableContext = with_last_error<activity_disable_context>;
    calls.ActivityEnableDriverApi = with_last_error<activity_enable_driver_api>;
    calls.ActivityEnableRuntimeApi = with_last_error<activity_enable_runtime_api>;
    calls.ActivityGetNextRecord = with_last_error<activity_get_next_record>;
    calls.ActivityGetNumDroppedRecords = with_last_error<activity_get_num_dropped_records>;
    calls.ActivityFlushAll = with_last_error<activity_flush_all>;
    calls.ActivityFlushPeriod = with_last_error<activity_flush_period>;
    calls.ActivityRegisterTimestampCallback = with_last_error<activity_register_timestamp_callback>;
    calls.ActivityEnableLatencyTimestamps = with_last_error<activity_enable_latency_timestamps>;
    calls.ActivityEnableLaunchAttributes = with_last_error<activity_enable_launch_attributes>;
    calls.ActivityEnableAllocationSource = with_last_error<activity_enable_allocation_source>;
    calls.ActivityEnableDeviceGraph = with_last_error<activity_enable_device_graph>;
    calls.ActivityEnableHWTrace = with_last_error<activity_enable_hw_trace>;
    calls.ActivityEnableAllSyncRecords = with_last_error<activity_enable_all_sync_records>;
    calls.ActivityEnableCudaEventDeviceTimestamps = with_last_error<activity_enable_cuda_event_device_timestamps>;
    calls.ActivityConfigureUnifiedMemoryCounter = with_last_error<activity_configure_unified_memory_counter>;
    calls.ActivityPushExternalCorrelationId = with_last_error<activity_push_external_correlation_id>;
    calls.ActivityPopExternalCorrelationId = with_last_error<activity_pop_external_correlation_id>;
    calls.GetDeviceId = with_last_error<get_device_id>;
    calls.GetContextId = with_last_error<get_context_id>;
    calls.GetStreamId = with_last_error<get_stream_id>;
    calls.GetStreamIdEx = with_last_error<get_stream_id_ex>;
    calls.GetGraphId = with_last_error<get_graph_id>;
    calls.GetGraphExecId = with_last_error<get_graph_exec_id>;
    calls.GetGraphNodeId = with_last_error<get_graph_node_id>;
    calls.SetThreadIdType = with_last_error<set_thread_id_type>;
    calls.GetThreadIdType = with_last_error<get_thread_id_type>;
    calls.GetAutoBoostState = with_last_error<get_auto_boost_state>;
    calls.DeviceVirtualizationMode = with_last_error<device_virtualization_mode>;
    calls.DeviceSupported = with_last_error<device_supported>;
    calls.ComputeCapabilitySupported = with_last_error<compute_capability_supported>;
    calls.OpenACCInitialize = with_last_error<openacc_initialize>;
    calls.OpenMpInitialize_v2 = openmp_initialize; // its answer is no status
    calls.GetLastError = get_last_error;
    calls.GetTimestamp = with_last_error<get_timestamp>;
}

void add_legacy_activity_calls(cupti_table& calls) { add_activity_calls_of<release_of_legacy_table>(calls); }
void add_target_activity_calls(cupti_table& calls) { add_activity_calls_of<release_of_target_table>(calls); }

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
