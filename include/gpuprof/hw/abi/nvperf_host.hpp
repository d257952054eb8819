// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of libnvperf_host, the library beside CUPTI that plans and evaluates metrics without a
// GPU. The layouts are one in CUPTI 11.8 to 13.0.
#ifndef GPUPROF_HW_ABI_NVPERF_HOST_HPP
#define GPUPROF_HW_ABI_NVPERF_HOST_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "types.hpp"

// One row a call, X(member, exported symbol, (parameters)), as in driver.hpp.
// clang-format off
#define GPUPROF_ABI_NVPERF(X) \
    X(InitializeHost, NVPW_InitializeHost, (NVPW_InitializeHost_Params* params)) \
    X(CUDA_MetricsEvaluator_CalculateScratchBufferSize, NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, \
      (NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params* params)) \
    X(CUDA_MetricsEvaluator_Initialize, NVPW_CUDA_MetricsEvaluator_Initialize, \
      (NVPW_CUDA_MetricsEvaluator_Initialize_Params* params)) \
    X(MetricsEvaluator_Destroy, NVPW_MetricsEvaluator_Destroy, (NVPW_MetricsEvaluator_Destroy_Params* params)) \
    X(MetricsEvaluator_GetMetricNames, NVPW_MetricsEvaluator_GetMetricNames, \
      (NVPW_MetricsEvaluator_GetMetricNames_Params* params)) \
    X(MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, \
      (NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params* params)) \
    X(MetricsEvaluator_GetMetricRawDependencies, NVPW_MetricsEvaluator_GetMetricRawDependencies, \
      (NVPW_MetricsEvaluator_GetMetricRawDependencies_Params* params)) \
    X(MetricsEvaluator_SetDeviceAttributes, NVPW_MetricsEvaluator_SetDeviceAttributes, \
      (NVPW_MetricsEvaluator_SetDeviceAttributes_Params* params)) \
    X(MetricsEvaluator_EvaluateToGpuValues, NVPW_MetricsEvaluator_EvaluateToGpuValues, \
      (NVPW_MetricsEvaluator_EvaluateToGpuValues_Params* params)) \
    X(CUDA_RawMetricsConfig_Create_V2, NVPW_CUDA_RawMetricsConfig_Create_V2, \
      (NVPW_CUDA_RawMetricsConfig_Create_V2_Params* params)) \
    X(RawMetricsConfig_Destroy, NVPW_RawMetricsConfig_Destroy, (NVPW_RawMetricsConfig_Destroy_Params* params)) \
    X(RawMetricsConfig_BeginPassGroup, NVPW_RawMetricsConfig_BeginPassGroup, \
      (NVPW_RawMetricsConfig_BeginPassGroup_Params* params)) \
    X(RawMetricsConfig_AddMetrics, NVPW_RawMetricsConfig_AddMetrics, \
      (NVPW_RawMetricsConfig_AddMetrics_Params* params)) \
    X(RawMetricsConfig_EndPassGroup, NVPW_RawMetricsConfig_EndPassGroup, \
      (NVPW_RawMetricsConfig_EndPassGroup_Params* params)) \
    X(RawMetricsConfig_GenerateConfigImage, NVPW_RawMetricsConfig_GenerateConfigImage, \
      (NVPW_RawMetricsConfig_GenerateConfigImage_Params* params)) \
    X(RawMetricsConfig_GetConfigImage, NVPW_RawMetricsConfig_GetConfigImage, \
      (NVPW_RawMetricsConfig_GetConfigImage_Params* params)) \
    X(RawMetricsConfig_GetNumPasses, NVPW_RawMetricsConfig_GetNumPasses, \
      (NVPW_RawMetricsConfig_GetNumPasses_Params* params)) \
    X(CUDA_CounterDataBuilder_Create, NVPW_CUDA_CounterDataBuilder_Create, \
      (NVPW_CUDA_CounterDataBuilder_Create_Params* params)) \
    X(CounterDataBuilder_Destroy, NVPW_CounterDataBuilder_Destroy, (NVPW_CounterDataBuilder_Destroy_Params* params)) \
    X(CounterDataBuilder_AddMetrics, NVPW_CounterDataBuilder_AddMetrics, \
      (NVPW_CounterDataBuilder_AddMetrics_Params* params)) \
    X(CounterDataBuilder_GetCounterDataPrefix, NVPW_CounterDataBuilder_GetCounterDataPrefix, \
      (NVPW_CounterDataBuilder_GetCounterDataPrefix_Params* params)) \
    X(CounterData_GetNumRanges, NVPW_CounterData_GetNumRanges, (NVPW_CounterData_GetNumRanges_Params* params)) \
    X(Profiler_CounterData_GetRangeDescriptions, NVPW_Profiler_CounterData_GetRangeDescriptions, \
      (NVPW_Profiler_CounterData_GetRangeDescriptions_Params* params))
// clang-format on

// Opaque; at global scope like the library's own.
struct NVPA_RawMetricsConfig;
struct NVPA_CounterDataBuilder;
struct NVPW_MetricsEvaluator;

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using NVPA_RawMetricsConfig = ::NVPA_RawMetricsConfig;
using NVPA_CounterDataBuilder = ::NVPA_CounterDataBuilder;
using NVPW_MetricsEvaluator = ::NVPW_MetricsEvaluator;

// What counters are planned for; ranges are the profiler.
enum NVPA_ActivityKind : unsigned int { NVPA_ACTIVITY_KIND_INVALID = 0, NVPA_ACTIVITY_KIND_PROFILER = 1 };

struct NVPW_InitializeHost_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_InitializeHost_Params, pPriv);
    void* pPriv = nullptr;
};

// One raw counter. keepInstances: nonzero, for the evaluator needs each unit.
struct NVPA_RawMetricRequest {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPA_RawMetricRequest, keepInstances);
    void* pPriv = nullptr;
    char const* pMetricName = nullptr;
    std::uint8_t isolated = 0;
    std::uint8_t keepInstances = 0;
};

struct NVPW_RawMetricsConfig_Destroy_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_Destroy_Params, pRawMetricsConfig);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
};

struct NVPW_RawMetricsConfig_SetCounterAvailability_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_SetCounterAvailability_Params, pCounterAvailabilityImage);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
};

struct NVPW_RawMetricsConfig_BeginPassGroup_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_BeginPassGroup_Params, maxPassCount);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
    std::size_t maxPassCount = 0;
};

struct NVPW_RawMetricsConfig_EndPassGroup_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_EndPassGroup_Params, pRawMetricsConfig);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
};

struct NVPW_RawMetricsConfig_AddMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_AddMetrics_Params, numMetricRequests);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
    NVPA_RawMetricRequest const* pRawMetricRequests = nullptr;
    std::size_t numMetricRequests = 0;
};

struct NVPW_RawMetricsConfig_GenerateConfigImage_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_GenerateConfigImage_Params, mergeAllPassGroups);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
    std::uint8_t mergeAllPassGroups = 0;
};

// Asked twice: without a buffer for the size.
struct NVPW_RawMetricsConfig_GetConfigImage_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_GetConfigImage_Params, bytesCopied);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig const* pRawMetricsConfig = nullptr;
    std::size_t bytesAllocated = 0;
    std::uint8_t* pBuffer = nullptr;
    std::size_t bytesCopied = 0;
};

// Passes = pipelined + isolated times nesting levels.
struct NVPW_RawMetricsConfig_GetNumPasses_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_GetNumPasses_Params, numIsolatedPasses);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig const* pRawMetricsConfig = nullptr;
    std::size_t numPipelinedPasses = 0;
    std::size_t numIsolatedPasses = 0;
};

struct NVPW_RawMetricsConfig_GetNumPasses_V2_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_RawMetricsConfig_GetNumPasses_V2_Params, numPasses);
    void* pPriv = nullptr;
    NVPA_RawMetricsConfig const* pRawMetricsConfig = nullptr;
    std::size_t numPasses = 0;
};

// One metric in numbers: base, kind, roll-up, submetric.
struct NVPW_MetricEvalRequest {
    std::size_t metricIndex = 0;
    std::uint8_t metricType = 0;
    std::uint8_t rollupOp = 0;
    std::uint16_t submetric = 0;
};

struct NVPW_MetricsEvaluator_Destroy_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_Destroy_Params, pMetricsEvaluator);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
};

struct NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest_Params,
                                                 metricEvalRequestStructSize);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    char const* pMetricName = nullptr;
    NVPW_MetricEvalRequest* pMetricEvalRequest = nullptr;
    std::size_t metricEvalRequestStructSize = GPUPROF_STRUCT_SIZE(NVPW_MetricEvalRequest, submetric);
};

// Asked twice: for counts with null lists, then for names, which the evaluator owns.
struct NVPW_MetricsEvaluator_GetMetricRawDependencies_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_GetMetricRawDependencies_Params, numOptionalRawDependencies);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    NVPW_MetricEvalRequest const* pMetricEvalRequests = nullptr;
    std::size_t numMetricEvalRequests = 0;
    std::size_t metricEvalRequestStructSize = GPUPROF_STRUCT_SIZE(NVPW_MetricEvalRequest, submetric);
    std::size_t metricEvalRequestStrideSize = sizeof(NVPW_MetricEvalRequest);
    char const** ppRawDependencies = nullptr;
    std::size_t numRawDependencies = 0;
    char const** ppOptionalRawDependencies = nullptr;
    std::size_t numOptionalRawDependencies = 0;
};

struct NVPW_MetricsEvaluator_EvaluateToGpuValues_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_EvaluateToGpuValues_Params, pMetricValues);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    NVPW_MetricEvalRequest const* pMetricEvalRequests = nullptr;
    std::size_t numMetricEvalRequests = 0;
    std::size_t metricEvalRequestStructSize = GPUPROF_STRUCT_SIZE(NVPW_MetricEvalRequest, submetric);
    std::size_t metricEvalRequestStrideSize = sizeof(NVPW_MetricEvalRequest);
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t rangeIndex = 0;
    std::uint8_t isolated = 0;
    double* pMetricValues = nullptr;
};

struct NVPW_MetricsEvaluator_SetDeviceAttributes_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_SetDeviceAttributes_Params, counterDataImageSize);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
};

struct NVPW_CounterDataBuilder_Destroy_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CounterDataBuilder_Destroy_Params, pCounterDataBuilder);
    void* pPriv = nullptr;
    NVPA_CounterDataBuilder* pCounterDataBuilder = nullptr;
};

struct NVPW_CounterDataBuilder_AddMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CounterDataBuilder_AddMetrics_Params, numMetricRequests);
    void* pPriv = nullptr;
    NVPA_CounterDataBuilder* pCounterDataBuilder = nullptr;
    NVPA_RawMetricRequest const* pRawMetricRequests = nullptr;
    std::size_t numMetricRequests = 0;
};

// Asked twice: without a buffer for the size.
struct NVPW_CounterDataBuilder_GetCounterDataPrefix_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CounterDataBuilder_GetCounterDataPrefix_Params, bytesCopied);
    void* pPriv = nullptr;
    NVPA_CounterDataBuilder* pCounterDataBuilder = nullptr;
    std::size_t bytesAllocated = 0;
    std::uint8_t* pBuffer = nullptr;
    std::size_t bytesCopied = 0;
};

struct NVPW_CUDA_RawMetricsConfig_Create_V2_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CUDA_RawMetricsConfig_Create_V2_Params, pRawMetricsConfig);
    void* pPriv = nullptr;
    NVPA_ActivityKind activityKind = NVPA_ACTIVITY_KIND_PROFILER;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    NVPA_RawMetricsConfig* pRawMetricsConfig = nullptr;
};

struct NVPW_CUDA_CounterDataBuilder_Create_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CUDA_CounterDataBuilder_Create_Params, pCounterDataBuilder);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    NVPA_CounterDataBuilder* pCounterDataBuilder = nullptr;
};

struct NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize_Params, scratchBufferSize);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    std::size_t scratchBufferSize = 0;
};

// The scratch buffer must outlive the evaluator. A counter data image of the device may be null.
struct NVPW_CUDA_MetricsEvaluator_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CUDA_MetricsEvaluator_Initialize_Params, pMetricsEvaluator);
    void* pPriv = nullptr;
    std::uint8_t* pScratchBuffer = nullptr;
    std::size_t scratchBufferSize = 0;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
};

// The names of the metrics of one kind, as one text: name i begins at pMetricNameBeginIndices[i]. The evaluator owns both.
struct NVPW_MetricsEvaluator_GetMetricNames_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_MetricsEvaluator_GetMetricNames_Params, numMetrics);
    void* pPriv = nullptr;
    NVPW_MetricsEvaluator* pMetricsEvaluator = nullptr;
    std::uint8_t metricType = 0;
    char const* pMetricNames = nullptr;
    std::size_t const* pMetricNameBeginIndices = nullptr;
    std::size_t numMetrics = 0;
};

struct NVPW_CounterData_GetNumRanges_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_CounterData_GetNumRanges_Params, numRanges);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t numRanges = 0;
};

// Asked twice: with a null list for the count. The names of the range and of those around it, outermost first; they
// lie in the image.
struct NVPW_Profiler_CounterData_GetRangeDescriptions_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(NVPW_Profiler_CounterData_GetRangeDescriptions_Params, ppDescriptions);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t rangeIndex = 0;
    std::size_t numDescriptions = 0;
    char const** ppDescriptions = nullptr;
};

// Pointers to the calls, each of which returns 0 for success; null where the library lacks one.
struct nvperf_table {
#define GPUPROF_ABI_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
    GPUPROF_ABI_NVPERF(GPUPROF_ABI_MEMBER)
#undef GPUPROF_ABI_MEMBER
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_NVPERF_HOST_HPP
