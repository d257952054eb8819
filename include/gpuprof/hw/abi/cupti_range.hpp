// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's range profiler parameters: collect counters over ranges of a context. Layouts
// are those of CUPTI 12.6 to 13.0, which later versions extend at the end and recognise by structSize.
#ifndef GPUPROF_HW_ABI_CUPTI_RANGE_HPP
#define GPUPROF_HW_ABI_CUPTI_RANGE_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "types.hpp"

struct CUpti_RangeProfiler_Object; // opaque; at global scope like CUPTI's own

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUpti_RangeProfiler_Object = ::CUpti_RangeProfiler_Object;

// Who bounds a range: every kernel launch, or push and pop (CUPTI 12.0, 2.7.2).
enum CUpti_ProfilerRange : unsigned int {
    CUPTI_Range_INVALID = 0,
    CUPTI_AutoRange = 1,
    CUPTI_UserRange = 2,
    CUPTI_Range_COUNT = 3
};

// Who repeats the work for the next pass: the whole application, CUPTI kernel by kernel, or the caller.
enum CUpti_ProfilerReplayMode : unsigned int {
    CUPTI_Replay_INVALID = 0,
    CUPTI_ApplicationReplay = 1,
    CUPTI_KernelReplay = 2,
    CUPTI_UserReplay = 3,
    CUPTI_Replay_COUNT = 4
};

// Both images must outlive the session. numNestingLevels and minNestingLevel are at least 1; passIndex and
// targetNestingLevel matter for application replay only.
struct CUpti_RangeProfiler_SetConfig_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
    std::size_t configSize = 0;
    std::uint8_t const* pConfig = nullptr;
    std::size_t counterDataImageSize = 0;
    std::uint8_t* pCounterDataImage = nullptr;
    CUpti_ProfilerRange range = CUPTI_Range_INVALID;
    CUpti_ProfilerReplayMode replayMode = CUPTI_Replay_INVALID;
    std::size_t maxRangesPerPass = 0;
    std::uint16_t numNestingLevels = 0;
    std::uint16_t minNestingLevel = 0;
    std::size_t passIndex = 0;
    std::uint16_t targetNestingLevel = 0;
};

// In: ctx. Out: pRangeProfilerObject, one a context at a time.
struct CUpti_RangeProfiler_Enable_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
};

// Destroys the object.
struct CUpti_RangeProfiler_Disable_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
};

// Begins a pass.
struct CUpti_RangeProfiler_Start_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_Start_Params, pRangeProfilerObject);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
};

// Ends a pass. Out: the next pass and nesting level, and whether none is left.
struct CUpti_RangeProfiler_Stop_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
    std::size_t passIndex = 0;
    std::size_t targetNestingLevel = 0;
    std::uint8_t isAllPassSubmitted = 0;
};

// In: pRangeName, copied; user ranges only.
struct CUpti_RangeProfiler_PushRange_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_PushRange_Params, pRangeName);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
    char const* pRangeName = nullptr;
};

// Closes the innermost range.
struct CUpti_RangeProfiler_PopRange_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_PopRange_Params, pRangeProfilerObject);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
};

// Out: ranges lost for want of room in the passes decoded.
struct CUpti_RangeProfiler_DecodeData_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
    std::size_t numOfRangeDropped = 0;
};

// In: names, room wanted (maxNumRangeTreeNodes >= maxNumOfRanges). Out: bytes.
struct CUpti_RangeProfiler_GetCounterDataSize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
    char const** pMetricNames = nullptr;
    std::size_t numMetrics = 0;
    std::size_t maxNumOfRanges = 0;
    std::uint32_t maxNumRangeTreeNodes = 0;
    std::size_t counterDataSize = 0;
};

// Makes pCounterData, counterDataSize bytes, an empty image.
struct CUpti_RangeProfiler_CounterDataImage_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, pCounterData);
    void* pPriv = nullptr;
    CUpti_RangeProfiler_Object* pRangeProfilerObject = nullptr;
    std::size_t counterDataSize = 0;
    std::uint8_t* pCounterData = nullptr;
};

// Out: ranges in the image.
struct CUpti_RangeProfiler_GetCounterDataInfo_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_GetCounterDataInfo_Params, numTotalRanges);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t numTotalRanges = 0;
};

// In: image, rangeIndex, rangeDelimiter. Out: rangeName.
struct CUpti_RangeProfiler_CounterData_GetRangeInfo_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params, rangeName);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t rangeIndex = 0;
    char const* rangeDelimiter = nullptr;
    char const* rangeName = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_RANGE_HPP
