// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's SASS metric parameters: what each instruction of a kernel counted, by patching its code. Layouts are those of CUPTI 12.6 to 13.5.
#ifndef GPUPROF_HW_ABI_CUPTI_SASS_METRICS_HPP
#define GPUPROF_HW_ABI_CUPTI_SASS_METRICS_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// What one value is of: the GPU, an SM, or a sub-partition.
enum CUpti_SassMetrics_OutputGranularity : unsigned int {
    CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU = 0,
    CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_SM = 1,
    CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_SMSP = 2,
    CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_INVALID = 3
};

// The texts are CUPTI's, and stay.
struct CUpti_SassMetrics_MetricDetails {
    std::uint64_t metricId = 0;
    char const* pMetricName = nullptr;
    char const* pMetricDescription = nullptr;
};

struct CUpti_SassMetrics_GetNumOfMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetrics_GetNumOfMetrics_Params, numOfMetrics);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    std::size_t numOfMetrics = 0; // out
};

struct CUpti_SassMetrics_GetMetrics_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetrics_GetMetrics_Params, pMetricsList);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    std::size_t numOfMetrics = 0;
    CUpti_SassMetrics_MetricDetails* pMetricsList = nullptr; // out; the caller's room
};

struct CUpti_SassMetrics_GetProperties_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetrics_GetProperties_Params, metric);
    void* pPriv = nullptr;
    char const* pChipName = nullptr;
    char const* pMetricName = nullptr;
    CUpti_SassMetrics_MetricDetails metric; // out
};

struct CUpti_SassMetrics_Config {
    std::uint64_t metricId = 0;
    std::uint8_t outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
};

struct CUpti_SassMetricsSetConfig_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetricsSetConfig_Params, deviceIndex);
    void* pPriv = nullptr;
    std::size_t numOfMetricConfig = 0;
    CUpti_SassMetrics_Config* pConfigs = nullptr;
    std::uint32_t deviceIndex = 0;
};

struct CUpti_SassMetricsUnsetConfig_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetricsUnsetConfig_Params, deviceIndex);
    void* pPriv = nullptr;
    std::uint32_t deviceIndex = 0;
};

// enableLazyPatching: each function when it is first launched, not all that are loaded now.
struct CUpti_SassMetricsEnable_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetricsEnable_Params, enableLazyPatching);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::uint8_t enableLazyPatching = 0;
};

struct CUpti_SassMetricsDisable_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetricsDisable_Params, numOfDroppedRecords);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numOfDroppedRecords = 0; // out: records that nobody flushed, times instances
};

struct CUpti_SassMetricsGetDataProperties_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetricsGetDataProperties_Params, numOfInstances);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numOfPatchedInstructionRecords = 0; // out: one for each metric of each instruction
    std::size_t numOfInstances = 0;                 // out
};

struct CUpti_SassMetrics_InstanceValue {
    std::uint64_t metricId = 0;
    std::uint64_t value = 0;
};

// functionName is for the caller to std::free; pInstanceValues is the caller's room.
struct CUpti_SassMetrics_Data {
    std::size_t structSize = sizeof(CUpti_SassMetrics_Data);
    void* pPriv = nullptr;
    std::uint32_t cubinCrc = 0;
    std::uint32_t functionIndex = 0;
    char const* functionName = nullptr;
    std::uint32_t pcOffset = 0;
    CUpti_SassMetrics_InstanceValue* pInstanceValues = nullptr;
};

// CUPTI's size of it ends before its last member.
struct CUpti_SassMetricsFlushData_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_SassMetricsFlushData_Params, numOfInstances);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numOfPatchedInstructionRecords = 0;
    std::size_t numOfInstances = 0;
    CUpti_SassMetrics_Data* pMetricsData = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_SASS_METRICS_HPP
