// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's profiling parameters before the range profiler: sessions, passes and ranges of a context. The
// layouts are one in CUPTI 11.8 to 13.0.
#ifndef GPUPROF_HW_ABI_CUPTI_TARGET_HPP
#define GPUPROF_HW_ABI_CUPTI_TARGET_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "cupti_range.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// The room of a counter data image. maxNumRangeTreeNodes >= maxNumRanges; names count their final NUL.
struct CUpti_Profiler_CounterDataImageOptions {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImageOptions, maxRangeNameLength);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataPrefix = nullptr;
    std::size_t counterDataPrefixSize = 0;
    std::uint32_t maxNumRanges = 0;
    std::uint32_t maxNumRangeTreeNodes = 0;
    std::uint32_t maxRangeNameLength = 0;
};

// In: pOptions. Out: counterDataImageSize in bytes.
struct CUpti_Profiler_CounterDataImage_CalculateSize_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImage_CalculateSize_Params, counterDataImageSize);
    void* pPriv = nullptr;
    std::size_t sizeofCounterDataImageOptions =
        GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImageOptions, maxRangeNameLength);
    CUpti_Profiler_CounterDataImageOptions const* pOptions = nullptr;
    std::size_t counterDataImageSize = 0;
};

// Makes an empty image.
struct CUpti_Profiler_CounterDataImage_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImage_Initialize_Params, pCounterDataImage);
    void* pPriv = nullptr;
    std::size_t sizeofCounterDataImageOptions =
        GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImageOptions, maxRangeNameLength);
    CUpti_Profiler_CounterDataImageOptions const* pOptions = nullptr;
    std::size_t counterDataImageSize = 0;
    std::uint8_t* pCounterDataImage = nullptr;
};

struct CUpti_Profiler_CounterDataImage_CalculateScratchBufferSize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImage_CalculateScratchBufferSize_Params,
                                                 counterDataScratchBufferSize);
    void* pPriv = nullptr;
    std::size_t counterDataImageSize = 0;
    std::uint8_t* pCounterDataImage = nullptr;
    std::size_t counterDataScratchBufferSize = 0;
};

struct CUpti_Profiler_CounterDataImage_InitializeScratchBuffer_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(CUpti_Profiler_CounterDataImage_InitializeScratchBuffer_Params, pCounterDataScratchBuffer);
    void* pPriv = nullptr;
    std::size_t counterDataImageSize = 0;
    std::uint8_t* pCounterDataImage = nullptr;
    std::size_t counterDataScratchBufferSize = 0;
    std::uint8_t* pCounterDataScratchBuffer = nullptr;
};

// Images must outlive the session. maxLaunchesPerPass >= maxRangesPerPass.
struct CUpti_Profiler_BeginSession_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_BeginSession_Params, maxLaunchesPerPass);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t counterDataImageSize = 0;
    std::uint8_t* pCounterDataImage = nullptr;
    std::size_t counterDataScratchBufferSize = 0;
    std::uint8_t* pCounterDataScratchBuffer = nullptr;
    std::uint8_t bDumpCounterDataInFile = 0;
    char const* pCounterDataFilePath = nullptr;
    CUpti_ProfilerRange range = CUPTI_Range_INVALID;
    CUpti_ProfilerReplayMode replayMode = CUPTI_Replay_INVALID;
    std::size_t maxRangesPerPass = 0;
    std::size_t maxLaunchesPerPass = 0;
};

struct CUpti_Profiler_EndSession_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_EndSession_Params, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

// The configuration must outlive the session. Levels are at least 1; passIndex and targetNestingLevel are what the last EndPass gave.
struct CUpti_Profiler_SetConfig_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_SetConfig_Params, targetNestingLevel);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::uint8_t const* pConfig = nullptr;
    std::size_t configSize = 0;
    std::uint16_t minNestingLevel = 0;
    std::uint16_t numNestingLevels = 0;
    std::size_t passIndex = 0;
    std::uint16_t targetNestingLevel = 0;
};

struct CUpti_Profiler_UnsetConfig_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_UnsetConfig_Params, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_Profiler_BeginPass_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_BeginPass_Params, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

// Out: the next pass and nesting level, and whether none is left.
struct CUpti_Profiler_EndPass_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_EndPass_Params, allPassesSubmitted);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::uint16_t targetNestingLevel = 0;
    std::size_t passIndex = 0;
    std::uint8_t allPassesSubmitted = 0;
};

struct CUpti_Profiler_EnableProfiling_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_EnableProfiling_Params, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_Profiler_DisableProfiling_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_DisableProfiling_Params, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_Profiler_IsPassCollected_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_IsPassCollected_Params, allPassesCollected);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numRangesDropped = 0;
    std::size_t numTraceBytesDropped = 0;
    std::uint8_t onePassCollected = 0;
    std::uint8_t allPassesCollected = 0;
};

// Decodes. Out: what was lost for want of room.
struct CUpti_Profiler_FlushCounterData_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_FlushCounterData_Params, numTraceBytesDropped);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numRangesDropped = 0;
    std::size_t numTraceBytesDropped = 0;
};

// rangeNameLength may be 0: then CUPTI counts.
struct CUpti_Profiler_PushRange_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_PushRange_Params, rangeNameLength);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    char const* pRangeName = nullptr;
    std::size_t rangeNameLength = 0;
};

struct CUpti_Profiler_PopRange_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_PopRange_Params, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_TARGET_HPP
