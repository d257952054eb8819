// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiler host parameters: enumerate metrics, configure, evaluate; no device is touched. Layouts are those of CUPTI 12.6 to 13.0; later versions extend them at the end, told by structSize.
#ifndef GPUPROF_HW_ABI_CUPTI_HOST_HPP
#define GPUPROF_HW_ABI_CUPTI_HOST_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "types.hpp"

struct CUpti_Profiler_Host_Object; // opaque; at global scope like CUPTI's own

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUpti_Profiler_Host_Object = ::CUpti_Profiler_Host_Object;

// The kind of a base metric.
enum CUpti_MetricType : unsigned int {
    CUPTI_METRIC_TYPE_COUNTER = 0,
    CUPTI_METRIC_TYPE_RATIO = 1,
    CUPTI_METRIC_TYPE_THROUGHPUT = 2,
    CUPTI_METRIC_TYPE__COUNT = 3
};

// What a configuration is for.
enum CUpti_ProfilerType : unsigned int {
    CUPTI_PROFILER_TYPE_RANGE_PROFILER = 0,
    CUPTI_PROFILER_TYPE_PM_SAMPLING = 1,
    CUPTI_PROFILER_TYPE_PROFILER_INVALID = 2
};

// In: profilerType, pChipName, pCounterAvailabilityImage (null plans for a chip that is not there). Out: pHostObject.
struct CUpti_Profiler_Host_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_Initialize_Params, pHostObject);
    void* pPriv = nullptr;
    CUpti_ProfilerType profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    char const* pChipName = nullptr;
    std::uint8_t const* pCounterAvailabilityImage = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
};

// Destroys pHostObject and every text it handed out.
struct CUpti_Profiler_Host_Deinitialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_Deinitialize_Params, pHostObject);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
};

// Out: the chips this CUPTI knows.
struct CUpti_Profiler_Host_GetSupportedChips_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetSupportedChips_Params, ppChipNames);
    void* pPriv = nullptr;
    std::size_t numChips = 0;
    char const* const* ppChipNames = nullptr;
};

// In: metricType. Out: names without roll-up; they live as long as pHostObject.
struct CUpti_Profiler_Host_GetBaseMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetBaseMetrics_Params, numMetrics);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    CUpti_MetricType metricType = CUPTI_METRIC_TYPE_COUNTER;
    char const** ppMetricNames = nullptr;
    std::size_t numMetrics = 0;
};

// In: metricType, pMetricName. Out: what may follow the name, roll-up and sub-metric.
struct CUpti_Profiler_Host_GetSubMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetSubMetrics_Params, ppSubMetrics);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    CUpti_MetricType metricType = CUPTI_METRIC_TYPE_COUNTER;
    char const* pMetricName = nullptr;
    std::size_t numOfSubmetrics = 0;
    char const** ppSubMetrics = nullptr;
};

// In: pMetricName. Out: description, hardware unit, dimension of the values, kind.
struct CUpti_Profiler_Host_GetMetricProperties_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetMetricProperties_Params, metricType);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    char const* pMetricName = nullptr;
    char const* pDescription = nullptr;
    char const* pHwUnit = nullptr;
    char const* pDimUnit = nullptr;
    CUpti_MetricType metricType = CUPTI_METRIC_TYPE_COUNTER;
};

// In: image, rangeIndex, delimiter (null means "/"). Out: pRangeName, which the caller frees with std::free.
struct CUpti_Profiler_Host_GetRangeName_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetRangeName_Params, pRangeName);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t rangeIndex = 0;
    char const* delimiter = nullptr;
    char const* pRangeName = nullptr;
};

// In: image, rangeIndex, names. Out: one double a name, in the order of the names.
struct CUpti_Profiler_Host_EvaluateToGpuValues_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t rangeIndex = 0;
    char const** ppMetricNames = nullptr;
    std::size_t numMetrics = 0;
    double* pMetricValues = nullptr;
};

// In: evaluable names, with roll-up.
struct CUpti_Profiler_Host_ConfigAddMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    char const** ppMetricNames = nullptr;
    std::size_t numMetrics = 0;
};

// Out: bytes.
struct CUpti_Profiler_Host_GetConfigImageSize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    std::size_t configImageSize = 0;
};

// Fills pConfigImage, configImageSize bytes.
struct CUpti_Profiler_Host_GetConfigImage_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);
    void* pPriv = nullptr;
    CUpti_Profiler_Host_Object* pHostObject = nullptr;
    std::size_t configImageSize = 0;
    std::uint8_t* pConfigImage = nullptr;
};

// In: an image from GetConfigImage. Out: passes, for one nesting level.
struct CUpti_Profiler_Host_GetNumOfPasses_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses);
    void* pPriv = nullptr;
    std::size_t configImageSize = 0;
    std::uint8_t* pConfigImage = nullptr;
    std::size_t numOfPasses = 0;
};

// In: chip and availability. Out: how many hardware metrics one pass can hold at most.
struct CUpti_Profiler_Host_GetMaxNumHardwareMetricsPerPass_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(CUpti_Profiler_Host_GetMaxNumHardwareMetricsPerPass_Params, maxMetricsPerPass);
    void* pPriv = nullptr;
    CUpti_ProfilerType profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    char const* pChipName = nullptr;
    std::uint8_t* pCounterAvailabilityImage = nullptr;
    std::size_t maxMetricsPerPass = 0;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_HOST_HPP
