// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of CUPTI calls. Everything above calls CUPTI through one, filled from the
// machine's libcupti or by another implementation.
#ifndef GPUPROF_HW_ABI_CUPTI_HPP
#define GPUPROF_HW_ABI_CUPTI_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "cupti_activity.hpp"
#include "cupti_callback.hpp"
#include "cupti_event.hpp"
#include "cupti_host.hpp"
#include "cupti_metric.hpp"
#include "cupti_pm_sampling.hpp"
#include "cupti_pc_sampling.hpp"
#include "cupti_profiler.hpp"
#include "cupti_range.hpp"
#include "cupti_sass_metrics.hpp"
#include "cupti_target.hpp"
#include "openmp_tool.hpp"
#include "results.hpp"
#include "types.hpp"

// One row a call, X(member, exported symbol, (parameters)), as in driver.hpp. A member is the call's
// name without `cupti`.

// clang-format off
// Version, texts, time base and detaching.
#define GPUPROF_ABI_CUPTI_COMMON(X) \
    X(GetVersion, cuptiGetVersion, (std::uint32_t* version)) \
    X(GetResultString, cuptiGetResultString, (CUptiResult status, char const** text)) \
    X(GetErrorMessage, cuptiGetErrorMessage, (CUptiResult status, char const** text)) \
    X(GetTimestamp, cuptiGetTimestamp, (std::uint64_t* nanoseconds)) \
    X(Finalize, cuptiFinalize, ()) \
    X(DeviceGetChipName, cuptiDeviceGetChipName, (CUpti_Device_GetChipName_Params* params))

// Callbacks: one subscriber a process hears of calls of the driver and the runtime (CUPTI 12.0, 2.4).
#define GPUPROF_ABI_CUPTI_CALLBACK(X) \
    X(Subscribe, cuptiSubscribe, (CUpti_SubscriberHandle* subscriber, cupti_callback callback, void* userData)) \
    X(Unsubscribe, cuptiUnsubscribe, (CUpti_SubscriberHandle subscriber)) \
    X(EnableCallback, cuptiEnableCallback, \
      (std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId id)) \
    X(Subscribe_v2, cuptiSubscribe_v2, \
      (CUpti_SubscriberHandle* subscriber, cupti_callback callback, void* userData, CUpti_SubscriberParams* params)) \
    X(EnableDomain, cuptiEnableDomain, \
      (std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain)) \
    X(EnableAllDomains, cuptiEnableAllDomains, (std::uint32_t enable, CUpti_SubscriberHandle subscriber)) \
    X(GetCallbackState, cuptiGetCallbackState, \
      (std::uint32_t* enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId id)) \
    X(GetCallbackName, cuptiGetCallbackName, \
      (CUpti_CallbackDomain domain, std::uint32_t id, char const** name)) \
    X(SupportedDomains, cuptiSupportedDomains, (std::size_t* count, CUpti_CallbackDomain** domains))

// What a library that NVTX loads hands NVTX's table of functions to, so that CUPTI hears its calls; no header of CUPTI
// declares them (CUPTI 12.0, 2.4.4).
#define GPUPROF_ABI_CUPTI_NVTX(X) \
    X(NvtxInitialize, cuptiNvtxInitialize, (void* getExportTable)) \
    X(NvtxInitialize2, cuptiNvtxInitialize2, (void* getExportTable))

// Activity records of one subscriber, where several share CUPTI (13.2, the last five 13.3). A configuration chooses members of
// records; null: all.
#define GPUPROF_ABI_CUPTI_SUBSCRIBER(X) \
    X(ActivityEnable_v2, cuptiActivityEnable_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind, void* configuration)) \
    X(ActivityDisable_v2, cuptiActivityDisable_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind, void* configuration)) \
    X(ActivityEnableAndDump_v2, cuptiActivityEnableAndDump_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind, void* configuration)) \
    X(ActivityRegisterCallbacks_v2, cuptiActivityRegisterCallbacks_v2, \
      (CUpti_SubscriberHandle subscriber, cupti_buffer_request_v2 requested, cupti_buffer_complete_v2 completed)) \
    X(ActivityGetAttribute_v2, cuptiActivityGetAttribute_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ActivityAttribute attribute, std::size_t* valueSize, void* value)) \
    X(ActivitySetAttribute_v2, cuptiActivitySetAttribute_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ActivityAttribute attribute, std::size_t* valueSize, void* value)) \
    X(ActivityGetNextRecord_v2, cuptiActivityGetNextRecord_v2, \
      (CUpti_SubscriberHandle subscriber, std::uint8_t* buffer, std::size_t validBytes, CUpti_Activity** record)) \
    X(ActivityGetNumDroppedRecords_v2, cuptiActivityGetNumDroppedRecords_v2, \
      (CUpti_SubscriberHandle subscriber, CUcontext context, std::uint32_t streamId, std::size_t* dropped)) \
    X(ActivityPushExternalCorrelationId_v2, cuptiActivityPushExternalCorrelationId_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ExternalCorrelationKind kind, std::uint64_t id)) \
    X(ActivityPopExternalCorrelationId_v2, cuptiActivityPopExternalCorrelationId_v2, \
      (CUpti_SubscriberHandle subscriber, CUpti_ExternalCorrelationKind kind, std::uint64_t* lastId)) \
    X(GetTimestamp_v2, cuptiGetTimestamp_v2, (CUpti_SubscriberHandle subscriber, std::uint64_t* nanoseconds))
// Runtimes of directives. OpenACC's hands a library its three functions when it calls acc_register_library(); OpenMP's
// calls of `initialize` go on to CUPTI, whose answer is one as OMPT wants it: 0 for "hears nothing" (CUPTI 12.0, 2.3.4 and
// 1.1.19; cupti_openacc.h, cupti_openmp.h).
#define GPUPROF_ABI_CUPTI_DIRECTIVES(X) \
    X(OpenACCInitialize, cuptiOpenACCInitialize, (void* profRegister, void* profUnregister, void* profLookup)) \
    X(OpenMpInitialize_v2, cuptiOpenMpInitialize_v2, \
      (ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t* tool_data))

// Activity records: what is recorded, the buffers, the ids in records, what CUPTI supports (CUPTI 12.0, 2.3). Time in
// records is that of cuptiGetTimestamp.
#define GPUPROF_ABI_CUPTI_ACTIVITY(X) \
    X(ActivityEnable, cuptiActivityEnable, (CUpti_ActivityKind kind)) \
    X(ActivityDisable, cuptiActivityDisable, (CUpti_ActivityKind kind)) \
    X(ActivityEnableContext, cuptiActivityEnableContext, (CUcontext context, CUpti_ActivityKind kind)) \
    X(ActivityDisableContext, cuptiActivityDisableContext, (CUcontext context, CUpti_ActivityKind kind)) \
    X(ActivityEnableAndDump, cuptiActivityEnableAndDump, (CUpti_ActivityKind kind)) \
    X(ActivityEnableDriverApi, cuptiActivityEnableDriverApi, (CUpti_CallbackId id, std::uint8_t enable)) \
    X(ActivityEnableRuntimeApi, cuptiActivityEnableRuntimeApi, (CUpti_CallbackId id, std::uint8_t enable)) \
    X(ActivityRegisterCallbacks, cuptiActivityRegisterCallbacks, \
      (CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)) \
    X(ActivityGetNextRecord, cuptiActivityGetNextRecord, \
      (std::uint8_t* buffer, std::size_t validBytes, CUpti_Activity** record)) \
    X(ActivityGetNumDroppedRecords, cuptiActivityGetNumDroppedRecords, \
      (CUcontext context, std::uint32_t streamId, std::size_t* dropped)) \
    X(ActivityFlushAll, cuptiActivityFlushAll, (std::uint32_t flag)) \
    X(ActivityFlushPeriod, cuptiActivityFlushPeriod, (std::uint32_t milliseconds)) \
    X(ActivityGetAttribute, cuptiActivityGetAttribute, \
      (CUpti_ActivityAttribute attribute, std::size_t* valueSize, void* value)) \
    X(ActivitySetAttribute, cuptiActivitySetAttribute, \
      (CUpti_ActivityAttribute attribute, std::size_t* valueSize, void* value)) \
    X(ActivityRegisterTimestampCallback, cuptiActivityRegisterTimestampCallback, \
      (CUpti_TimestampCallbackFunc timestamp)) \
    X(ActivityEnableLatencyTimestamps, cuptiActivityEnableLatencyTimestamps, (std::uint8_t enable)) \
    X(ActivityEnableLaunchAttributes, cuptiActivityEnableLaunchAttributes, (std::uint8_t enable)) \
    X(ActivityEnableAllocationSource, cuptiActivityEnableAllocationSource, (std::uint8_t enable)) \
    X(ActivityEnableDeviceGraph, cuptiActivityEnableDeviceGraph, (std::uint8_t enable)) \
    X(ActivityEnableHWTrace, cuptiActivityEnableHWTrace, (std::uint8_t enable)) \
    X(ActivityEnableAllSyncRecords, cuptiActivityEnableAllSyncRecords, (std::uint8_t enable)) \
    X(ActivityEnableCudaEventDeviceTimestamps, cuptiActivityEnableCudaEventDeviceTimestamps, (std::uint8_t enable)) \
    X(ActivityConfigureUnifiedMemoryCounter, cuptiActivityConfigureUnifiedMemoryCounter, \
      (CUpti_ActivityUnifiedMemoryCounterConfig* settings, std::uint32_t count)) \
    X(ActivityConfigurePCSampling, cuptiActivityConfigurePCSampling, \
      (CUcontext context, CUpti_ActivityPCSamplingConfig* settings)) \
    X(ActivityPushExternalCorrelationId, cuptiActivityPushExternalCorrelationId, \
      (CUpti_ExternalCorrelationKind kind, std::uint64_t id)) \
    X(ActivityPopExternalCorrelationId, cuptiActivityPopExternalCorrelationId, \
      (CUpti_ExternalCorrelationKind kind, std::uint64_t* lastId)) \
    X(GetDeviceId, cuptiGetDeviceId, (CUcontext context, std::uint32_t* deviceId)) \
    X(GetContextId, cuptiGetContextId, (CUcontext context, std::uint32_t* contextId)) \
    X(GetStreamId, cuptiGetStreamId, (CUcontext context, CUstream stream, std::uint32_t* streamId)) \
    X(GetStreamIdEx, cuptiGetStreamIdEx, \
      (CUcontext context, CUstream stream, std::uint8_t perThreadStream, std::uint32_t* streamId)) \
    X(GetGraphId, cuptiGetGraphId, (CUgraph graph, std::uint32_t* graphId)) \
    X(GetGraphExecId, cuptiGetGraphExecId, (CUgraphExec graph, std::uint32_t* graphId)) \
    X(GetGraphNodeId, cuptiGetGraphNodeId, (CUgraphNode node, std::uint64_t* nodeId)) \
    X(SetThreadIdType, cuptiSetThreadIdType, (CUpti_ActivityThreadIdType type)) \
    X(GetThreadIdType, cuptiGetThreadIdType, (CUpti_ActivityThreadIdType* type)) \
    X(GetAutoBoostState, cuptiGetAutoBoostState, (CUcontext context, CUpti_ActivityAutoBoostState* state)) \
    X(DeviceVirtualizationMode, cuptiDeviceVirtualizationMode, \
      (CUdevice device, CUpti_DeviceVirtualizationMode* mode)) \
    X(DeviceSupported, cuptiDeviceSupported, (CUdevice device, int* supported)) \
    X(ComputeCapabilitySupported, cuptiComputeCapabilitySupported, \
      (int major_number, int minor_number, int* supported)) \
    X(GetLastError, cuptiGetLastError, ())

// Events: enumerate, group, collect. Capability 7.2 and earlier (CUPTI 5.0; CUPTI 12.0, 2.5). Values come through void*:
// in valueSize the room in bytes, out what was written.
#define GPUPROF_ABI_CUPTI_EVENT(X) \
    X(DeviceGetAttribute, cuptiDeviceGetAttribute, \
      (CUdevice device, CUpti_DeviceAttribute attribute, std::size_t* valueSize, void* value)) \
    X(DeviceGetTimestamp, cuptiDeviceGetTimestamp, (CUcontext context, std::uint64_t* nanoseconds)) \
    X(GetNumEventDomains, cuptiGetNumEventDomains, (std::uint32_t* count)) \
    X(EnumEventDomains, cuptiEnumEventDomains, (std::size_t* sizeBytes, CUpti_EventDomainID* domains)) \
    X(DeviceGetNumEventDomains, cuptiDeviceGetNumEventDomains, (CUdevice device, std::uint32_t* count)) \
    X(DeviceEnumEventDomains, cuptiDeviceEnumEventDomains, \
      (CUdevice device, std::size_t* sizeBytes, CUpti_EventDomainID* domains)) \
    X(DeviceGetEventDomainAttribute, cuptiDeviceGetEventDomainAttribute, \
      (CUdevice device, CUpti_EventDomainID domain, CUpti_EventDomainAttribute attribute, std::size_t* valueSize, \
       void* value)) \
    X(EventDomainGetAttribute, cuptiEventDomainGetAttribute, \
      (CUpti_EventDomainID domain, CUpti_EventDomainAttribute attribute, std::size_t* valueSize, void* value)) \
    X(EventDomainGetNumEvents, cuptiEventDomainGetNumEvents, (CUpti_EventDomainID domain, std::uint32_t* count)) \
    X(EventDomainEnumEvents, cuptiEventDomainEnumEvents, \
      (CUpti_EventDomainID domain, std::size_t* sizeBytes, CUpti_EventID* events)) \
    X(EventGetAttribute, cuptiEventGetAttribute, \
      (CUpti_EventID event, CUpti_EventAttribute attribute, std::size_t* valueSize, void* value)) \
    X(EventGetIdFromName, cuptiEventGetIdFromName, (CUdevice device, char const* name, CUpti_EventID* event)) \
    X(SetEventCollectionMode, cuptiSetEventCollectionMode, (CUcontext context, CUpti_EventCollectionMode mode)) \
    X(EventGroupCreate, cuptiEventGroupCreate, (CUcontext context, CUpti_EventGroup* group, std::uint32_t flags)) \
    X(EventGroupDestroy, cuptiEventGroupDestroy, (CUpti_EventGroup group)) \
    X(EventGroupGetAttribute, cuptiEventGroupGetAttribute, \
      (CUpti_EventGroup group, CUpti_EventGroupAttribute attribute, std::size_t* valueSize, void* value)) \
    X(EventGroupSetAttribute, cuptiEventGroupSetAttribute, \
      (CUpti_EventGroup group, CUpti_EventGroupAttribute attribute, std::size_t valueSize, void* value)) \
    X(EventGroupAddEvent, cuptiEventGroupAddEvent, (CUpti_EventGroup group, CUpti_EventID event)) \
    X(EventGroupRemoveEvent, cuptiEventGroupRemoveEvent, (CUpti_EventGroup group, CUpti_EventID event)) \
    X(EventGroupRemoveAllEvents, cuptiEventGroupRemoveAllEvents, (CUpti_EventGroup group)) \
    X(EventGroupResetAllEvents, cuptiEventGroupResetAllEvents, (CUpti_EventGroup group)) \
    X(EventGroupEnable, cuptiEventGroupEnable, (CUpti_EventGroup group)) \
    X(EventGroupDisable, cuptiEventGroupDisable, (CUpti_EventGroup group)) \
    X(EventGroupReadEvent, cuptiEventGroupReadEvent, \
      (CUpti_EventGroup group, CUpti_ReadEventFlags flags, CUpti_EventID event, std::size_t* valuesSizeBytes, \
       std::uint64_t* values)) \
    X(EventGroupReadAllEvents, cuptiEventGroupReadAllEvents, \
      (CUpti_EventGroup group, CUpti_ReadEventFlags flags, std::size_t* valuesSizeBytes, std::uint64_t* values, \
       std::size_t* eventsSizeBytes, CUpti_EventID* events, std::size_t* eventsRead)) \
    X(EventGroupSetsCreate, cuptiEventGroupSetsCreate, \
      (CUcontext context, std::size_t eventsSizeBytes, CUpti_EventID* events, CUpti_EventGroupSets** passes)) \
    X(EventGroupSetsDestroy, cuptiEventGroupSetsDestroy, (CUpti_EventGroupSets* passes)) \
    X(EventGroupSetEnable, cuptiEventGroupSetEnable, (CUpti_EventGroupSet* pass)) \
    X(EventGroupSetDisable, cuptiEventGroupSetDisable, (CUpti_EventGroupSet* pass)) \
    X(EnableKernelReplayMode, cuptiEnableKernelReplayMode, (CUcontext context)) \
    X(DisableKernelReplayMode, cuptiDisableKernelReplayMode, (CUcontext context)) \
    X(KernelReplaySubscribeUpdate, cuptiKernelReplaySubscribeUpdate, \
      (CUpti_KernelReplayUpdateFunc update, void* customData))

// Metrics derived from events (CUPTI 5.0; CUPTI 12.0, 2.6).
#define GPUPROF_ABI_CUPTI_METRIC(X) \
    X(GetNumMetrics, cuptiGetNumMetrics, (std::uint32_t* count)) \
    X(EnumMetrics, cuptiEnumMetrics, (std::size_t* sizeBytes, CUpti_MetricID* metrics)) \
    X(DeviceGetNumMetrics, cuptiDeviceGetNumMetrics, (CUdevice device, std::uint32_t* count)) \
    X(DeviceEnumMetrics, cuptiDeviceEnumMetrics, \
      (CUdevice device, std::size_t* sizeBytes, CUpti_MetricID* metrics)) \
    X(MetricGetAttribute, cuptiMetricGetAttribute, \
      (CUpti_MetricID metric, CUpti_MetricAttribute attribute, std::size_t* valueSize, void* value)) \
    X(MetricGetIdFromName, cuptiMetricGetIdFromName, (CUdevice device, char const* name, CUpti_MetricID* metric)) \
    X(MetricGetNumEvents, cuptiMetricGetNumEvents, (CUpti_MetricID metric, std::uint32_t* count)) \
    X(MetricEnumEvents, cuptiMetricEnumEvents, \
      (CUpti_MetricID metric, std::size_t* sizeBytes, CUpti_EventID* events)) \
    X(MetricGetNumProperties, cuptiMetricGetNumProperties, (CUpti_MetricID metric, std::uint32_t* count)) \
    X(MetricEnumProperties, cuptiMetricEnumProperties, \
      (CUpti_MetricID metric, std::size_t* sizeBytes, CUpti_MetricPropertyID* properties)) \
    X(MetricGetRequiredEventGroupSets, cuptiMetricGetRequiredEventGroupSets, \
      (CUcontext context, CUpti_MetricID metric, CUpti_EventGroupSets** sets)) \
    X(MetricCreateEventGroupSets, cuptiMetricCreateEventGroupSets, \
      (CUcontext context, std::size_t metricsSizeBytes, CUpti_MetricID* metrics, CUpti_EventGroupSets** passes)) \
    X(MetricGetValue, cuptiMetricGetValue, \
      (CUdevice device, CUpti_MetricID metric, std::size_t eventsSizeBytes, CUpti_EventID* events, \
       std::size_t valuesSizeBytes, std::uint64_t* values, std::uint64_t nanoseconds, CUpti_MetricValue* value)) \
    X(MetricGetValue2, cuptiMetricGetValue2, \
      (CUpti_MetricID metric, std::size_t eventsSizeBytes, CUpti_EventID* events, std::size_t valuesSizeBytes, \
       std::uint64_t* values, std::size_t propertiesSizeBytes, CUpti_MetricPropertyID* properties, \
       std::size_t propertyValuesSizeBytes, std::uint64_t* propertyValues, CUpti_MetricValue* value))

// What every kind of profiling on a device needs.
#define GPUPROF_ABI_CUPTI_PROFILER(X) \
    X(ProfilerInitialize, cuptiProfilerInitialize, (CUpti_Profiler_Initialize_Params* params)) \
    X(ProfilerDeInitialize, cuptiProfilerDeInitialize, (CUpti_Profiler_DeInitialize_Params* params)) \
    X(ProfilerDeviceSupported, cuptiProfilerDeviceSupported, (CUpti_Profiler_DeviceSupported_Params* params)) \
    X(ProfilerGetCounterAvailability, cuptiProfilerGetCounterAvailability, \
      (CUpti_Profiler_GetCounterAvailability_Params* params))

// Profiler host: enumerate, configure, evaluate. CUPTI 12.6 and later.
#define GPUPROF_ABI_CUPTI_HOST(X) \
    X(ProfilerHostInitialize, cuptiProfilerHostInitialize, (CUpti_Profiler_Host_Initialize_Params* params)) \
    X(ProfilerHostDeinitialize, cuptiProfilerHostDeinitialize, (CUpti_Profiler_Host_Deinitialize_Params* params)) \
    X(ProfilerHostGetSupportedChips, cuptiProfilerHostGetSupportedChips, \
      (CUpti_Profiler_Host_GetSupportedChips_Params* params)) \
    X(ProfilerHostGetBaseMetrics, cuptiProfilerHostGetBaseMetrics, \
      (CUpti_Profiler_Host_GetBaseMetrics_Params* params)) \
    X(ProfilerHostGetSubMetrics, cuptiProfilerHostGetSubMetrics, \
      (CUpti_Profiler_Host_GetSubMetrics_Params* params)) \
    X(ProfilerHostGetMetricProperties, cuptiProfilerHostGetMetricProperties, \
      (CUpti_Profiler_Host_GetMetricProperties_Params* params)) \
    X(ProfilerHostGetRangeName, cuptiProfilerHostGetRangeName, (CUpti_Profiler_Host_GetRangeName_Params* params)) \
    X(ProfilerHostEvaluateToGpuValues, cuptiProfilerHostEvaluateToGpuValues, \
      (CUpti_Profiler_Host_EvaluateToGpuValues_Params* params)) \
    X(ProfilerHostConfigAddMetrics, cuptiProfilerHostConfigAddMetrics, \
      (CUpti_Profiler_Host_ConfigAddMetrics_Params* params)) \
    X(ProfilerHostGetConfigImageSize, cuptiProfilerHostGetConfigImageSize, \
      (CUpti_Profiler_Host_GetConfigImageSize_Params* params)) \
    X(ProfilerHostGetConfigImage, cuptiProfilerHostGetConfigImage, \
      (CUpti_Profiler_Host_GetConfigImage_Params* params)) \
    X(ProfilerHostGetNumOfPasses, cuptiProfilerHostGetNumOfPasses, \
      (CUpti_Profiler_Host_GetNumOfPasses_Params* params)) \
    X(ProfilerHostGetMaxNumHardwareMetricsPerPass, cuptiProfilerHostGetMaxNumHardwareMetricsPerPass, \
      (CUpti_Profiler_Host_GetMaxNumHardwareMetricsPerPass_Params* params))

// Range profiler: collect on a context. CUPTI 12.6 and later.
#define GPUPROF_ABI_CUPTI_RANGE(X) \
    X(RangeProfilerEnable, cuptiRangeProfilerEnable, (CUpti_RangeProfiler_Enable_Params* params)) \
    X(RangeProfilerDisable, cuptiRangeProfilerDisable, (CUpti_RangeProfiler_Disable_Params* params)) \
    X(RangeProfilerSetConfig, cuptiRangeProfilerSetConfig, (CUpti_RangeProfiler_SetConfig_Params* params)) \
    X(RangeProfilerStart, cuptiRangeProfilerStart, (CUpti_RangeProfiler_Start_Params* params)) \
    X(RangeProfilerStop, cuptiRangeProfilerStop, (CUpti_RangeProfiler_Stop_Params* params)) \
    X(RangeProfilerPushRange, cuptiRangeProfilerPushRange, (CUpti_RangeProfiler_PushRange_Params* params)) \
    X(RangeProfilerPopRange, cuptiRangeProfilerPopRange, (CUpti_RangeProfiler_PopRange_Params* params)) \
    X(RangeProfilerDecodeData, cuptiRangeProfilerDecodeData, (CUpti_RangeProfiler_DecodeData_Params* params)) \
    X(RangeProfilerGetCounterDataSize, cuptiRangeProfilerGetCounterDataSize, \
      (CUpti_RangeProfiler_GetCounterDataSize_Params* params)) \
    X(RangeProfilerCounterDataImageInitialize, cuptiRangeProfilerCounterDataImageInitialize, \
      (CUpti_RangeProfiler_CounterDataImage_Initialize_Params* params)) \
    X(RangeProfilerGetCounterDataInfo, cuptiRangeProfilerGetCounterDataInfo, \
      (CUpti_RangeProfiler_GetCounterDataInfo_Params* params)) \
    X(RangeProfilerCounterDataGetRangeInfo, cuptiRangeProfilerCounterDataGetRangeInfo, \
      (CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* params))

// Ranges before the range profiler: sessions, passes and ranges of a context. In every CUPTI up to 13.5 (CUPTI 12.0, 2.7).
#define GPUPROF_ABI_CUPTI_TARGET(X) \
    X(ProfilerCounterDataImageCalculateSize, cuptiProfilerCounterDataImageCalculateSize, \
      (CUpti_Profiler_CounterDataImage_CalculateSize_Params* params)) \
    X(ProfilerCounterDataImageInitialize, cuptiProfilerCounterDataImageInitialize, \
      (CUpti_Profiler_CounterDataImage_Initialize_Params* params)) \
    X(ProfilerCounterDataImageCalculateScratchBufferSize, cuptiProfilerCounterDataImageCalculateScratchBufferSize, \
      (CUpti_Profiler_CounterDataImage_CalculateScratchBufferSize_Params* params)) \
    X(ProfilerCounterDataImageInitializeScratchBuffer, cuptiProfilerCounterDataImageInitializeScratchBuffer, \
      (CUpti_Profiler_CounterDataImage_InitializeScratchBuffer_Params* params)) \
    X(ProfilerBeginSession, cuptiProfilerBeginSession, (CUpti_Profiler_BeginSession_Params* params)) \
    X(ProfilerEndSession, cuptiProfilerEndSession, (CUpti_Profiler_EndSession_Params* params)) \
    X(ProfilerSetConfig, cuptiProfilerSetConfig, (CUpti_Profiler_SetConfig_Params* params)) \
    X(ProfilerUnsetConfig, cuptiProfilerUnsetConfig, (CUpti_Profiler_UnsetConfig_Params* params)) \
    X(ProfilerBeginPass, cuptiProfilerBeginPass, (CUpti_Profiler_BeginPass_Params* params)) \
    X(ProfilerEndPass, cuptiProfilerEndPass, (CUpti_Profiler_EndPass_Params* params)) \
    X(ProfilerEnableProfiling, cuptiProfilerEnableProfiling, (CUpti_Profiler_EnableProfiling_Params* params)) \
    X(ProfilerDisableProfiling, cuptiProfilerDisableProfiling, (CUpti_Profiler_DisableProfiling_Params* params)) \
    X(ProfilerPushRange, cuptiProfilerPushRange, (CUpti_Profiler_PushRange_Params* params)) \
    X(ProfilerPopRange, cuptiProfilerPopRange, (CUpti_Profiler_PopRange_Params* params)) \
    X(ProfilerFlushCounterData, cuptiProfilerFlushCounterData, (CUpti_Profiler_FlushCounterData_Params* params))

// PM sampling: counters of a device read at intervals. CUPTI 12.6 and later.
#define GPUPROF_ABI_CUPTI_PM_SAMPLING(X) \
    X(PmSamplingGetCounterAvailability, cuptiPmSamplingGetCounterAvailability, \
      (CUpti_PmSampling_GetCounterAvailability_Params* params)) \
    X(PmSamplingEnable, cuptiPmSamplingEnable, (CUpti_PmSampling_Enable_Params* params)) \
    X(PmSamplingDisable, cuptiPmSamplingDisable, (CUpti_PmSampling_Disable_Params* params)) \
    X(PmSamplingSetConfig, cuptiPmSamplingSetConfig, (CUpti_PmSampling_SetConfig_Params* params)) \
    X(PmSamplingStart, cuptiPmSamplingStart, (CUpti_PmSampling_Start_Params* params)) \
    X(PmSamplingStop, cuptiPmSamplingStop, (CUpti_PmSampling_Stop_Params* params)) \
    X(PmSamplingDecodeData, cuptiPmSamplingDecodeData, (CUpti_PmSampling_DecodeData_Params* params)) \
    X(PmSamplingGetCounterDataSize, cuptiPmSamplingGetCounterDataSize, \
      (CUpti_PmSampling_GetCounterDataSize_Params* params)) \
    X(PmSamplingCounterDataImageInitialize, cuptiPmSamplingCounterDataImageInitialize, \
      (CUpti_PmSampling_CounterDataImage_Initialize_Params* params)) \
    X(PmSamplingGetCounterDataInfo, cuptiPmSamplingGetCounterDataInfo, \
      (CUpti_PmSampling_GetCounterDataInfo_Params* params)) \
    X(PmSamplingCounterDataGetSampleInfo, cuptiPmSamplingCounterDataGetSampleInfo, \
      (CUpti_PmSampling_CounterData_GetSampleInfo_Params* params))

// SASS metrics: what each instruction counted, by patched code. CUPTI 12.6 and later (12.0 has none).
#define GPUPROF_ABI_CUPTI_SASS_METRICS(X) \
    X(SassMetricsGetNumOfMetrics, cuptiSassMetricsGetNumOfMetrics, \
      (CUpti_SassMetrics_GetNumOfMetrics_Params* params)) \
    X(SassMetricsGetMetrics, cuptiSassMetricsGetMetrics, (CUpti_SassMetrics_GetMetrics_Params* params)) \
    X(SassMetricsGetProperties, cuptiSassMetricsGetProperties, (CUpti_SassMetrics_GetProperties_Params* params)) \
    X(SassMetricsSetConfig, cuptiSassMetricsSetConfig, (CUpti_SassMetricsSetConfig_Params* params)) \
    X(SassMetricsUnsetConfig, cuptiSassMetricsUnsetConfig, (CUpti_SassMetricsUnsetConfig_Params* params)) \
    X(SassMetricsEnable, cuptiSassMetricsEnable, (CUpti_SassMetricsEnable_Params* params)) \
    X(SassMetricsDisable, cuptiSassMetricsDisable, (CUpti_SassMetricsDisable_Params* params)) \
    X(SassMetricsGetDataProperties, cuptiSassMetricsGetDataProperties, \
      (CUpti_SassMetricsGetDataProperties_Params* params)) \
    X(SassMetricsFlushData, cuptiSassMetricsFlushData, (CUpti_SassMetricsFlushData_Params* params))

// PC sampling: capability 7.0 and later (CUPTI 12.0, 2.10).
#define GPUPROF_ABI_CUPTI_PC_SAMPLING(X) \
    X(PCSamplingEnable, cuptiPCSamplingEnable, (CUpti_PCSamplingEnableParams* params)) \
    X(PCSamplingDisable, cuptiPCSamplingDisable, (CUpti_PCSamplingDisableParams* params)) \
    X(PCSamplingStart, cuptiPCSamplingStart, (CUpti_PCSamplingStartParams* params)) \
    X(PCSamplingStop, cuptiPCSamplingStop, (CUpti_PCSamplingStopParams* params)) \
    X(PCSamplingGetData, cuptiPCSamplingGetData, (CUpti_PCSamplingGetDataParams* params)) \
    X(PCSamplingSetConfigurationAttribute, cuptiPCSamplingSetConfigurationAttribute, \
      (CUpti_PCSamplingConfigurationInfoParams* params)) \
    X(PCSamplingGetConfigurationAttribute, cuptiPCSamplingGetConfigurationAttribute, \
      (CUpti_PCSamplingConfigurationInfoParams* params)) \
    X(PCSamplingGetNumStallReasons, cuptiPCSamplingGetNumStallReasons, \
      (CUpti_PCSamplingGetNumStallReasonsParams* params)) \
    X(PCSamplingGetStallReasons, cuptiPCSamplingGetStallReasons, (CUpti_PCSamplingGetStallReasonsParams* params)) \
    X(GetSassToSourceCorrelation, cuptiGetSassToSourceCorrelation, \
      (CUpti_GetSassToSourceCorrelationParams* params)) \
    X(GetCubinCrc, cuptiGetCubinCrc, (CUpti_GetCubinCrcParams* params)) \
    X(RegisterComputeCrcCallback, cuptiRegisterComputeCrcCallback, (CUpti_ComputeCrcCallbackFunc compute))

#define GPUPROF_ABI_CUPTI(X) \
    GPUPROF_ABI_CUPTI_COMMON(X) \
    GPUPROF_ABI_CUPTI_CALLBACK(X) \
    GPUPROF_ABI_CUPTI_NVTX(X) \
    GPUPROF_ABI_CUPTI_DIRECTIVES(X) \
    GPUPROF_ABI_CUPTI_ACTIVITY(X) \
    GPUPROF_ABI_CUPTI_SUBSCRIBER(X) \
    GPUPROF_ABI_CUPTI_EVENT(X) \
    GPUPROF_ABI_CUPTI_METRIC(X) \
    GPUPROF_ABI_CUPTI_PROFILER(X) \
    GPUPROF_ABI_CUPTI_HOST(X) \
    GPUPROF_ABI_CUPTI_RANGE(X) \
    GPUPROF_ABI_CUPTI_TARGET(X) \
    GPUPROF_ABI_CUPTI_PM_SAMPLING(X) \
    GPUPROF_ABI_CUPTI_PC_SAMPLING(X) \
    GPUPROF_ABI_CUPTI_SASS_METRICS(X)
// clang-format on

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// One pointer a CUPTI call, null where the library lacks it: test before calling. Calls, their errors and their
// thread-safety are CUPTI's own; the table itself is plain data, safe to read from every thread once filled.
struct cupti_table {
#define GPUPROF_ABI_MEMBER(member, symbol, parameters) CUptiResult(*member) parameters = nullptr;
    GPUPROF_ABI_CUPTI(GPUPROF_ABI_MEMBER)
#undef GPUPROF_ABI_MEMBER
};

// Calls f(symbol, member) for every row: the exported name and a reference to the pointer, constant if the table is.
template <class Table, class F>
    requires requires(Table& table) { table.ProfilerInitialize; }
constexpr void for_each_symbol(Table& table, F&& f) {
#define GPUPROF_ABI_VISIT(member, symbol, parameters) f(#symbol, table.member);
    GPUPROF_ABI_CUPTI(GPUPROF_ABI_VISIT)
#undef GPUPROF_ABI_VISIT
}

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_HPP
