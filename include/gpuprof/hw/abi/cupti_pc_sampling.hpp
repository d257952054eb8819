// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PC sampling parameters: which instruction a sampled warp was at, and what it waited for. Layouts are those of CUPTI 12.6 to 13.5, which know a structure by its size.
#ifndef GPUPROF_HW_ABI_CUPTI_PC_SAMPLING_HPP
#define GPUPROF_HW_ABI_CUPTI_PC_SAMPLING_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "results.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// Room in bytes for the name of a stall reason.
inline constexpr std::size_t cupti_stall_reason_bytes = 128;

enum CUpti_PCSamplingCollectionMode : unsigned int {
    CUPTI_PC_SAMPLING_COLLECTION_MODE_INVALID = 0,
    CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS = 1,
    CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED = 2
};

enum CUpti_PCSamplingOutputDataFormat : unsigned int {
    CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_INVALID = 0,
    CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED = 1
};

enum CUpti_PCSamplingConfigurationAttributeType : unsigned int {
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_INVALID = 0,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD = 1,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON = 2,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE = 3,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE = 4,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE = 5,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL = 6,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT = 7,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER = 8,
    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN = 9
};

struct CUpti_PCSamplingStallReason {
    std::uint32_t pcSamplingStallReasonIndex = 0;
    std::uint32_t samples = 0;
};

// An instruction and the reasons it was sampled with. stallReason has room for all reasons asked for; functionName is
// CUPTI's.
struct CUpti_PCSamplingPCData {
    std::size_t size = sizeof(CUpti_PCSamplingPCData);
    std::uint64_t cubinCrc = 0;
    std::uint64_t pcOffset = 0;
    std::uint32_t functionIndex = 0;
    std::uint32_t pad = 0;
    char* functionName = nullptr;
    std::size_t stallReasonCount = 0;
    CUpti_PCSamplingStallReason* stallReason = nullptr;
    std::uint32_t correlationId = 0; // of the launch; serialised mode only
};

// In: collectNumPcs, pPcData. Out: all else.
struct CUpti_PCSamplingData {
    std::size_t size = sizeof(CUpti_PCSamplingData);
    std::size_t collectNumPcs = 0;
    std::uint64_t totalSamples = 0;
    std::uint64_t droppedSamples = 0;
    std::size_t totalNumPcs = 0;
    std::size_t remainingNumPcs = 0;
    std::uint64_t rangeId = 0;
    CUpti_PCSamplingPCData* pPcData = nullptr;
    std::uint64_t nonUsrKernelsTotalSamples = 0;
    std::uint8_t hardwareBufferFull = 0;
};

struct invalid_attribute {
    std::uint64_t data[3] = {};
};
struct stall_reason_attribute {
    std::size_t stallReasonCount;
    std::uint32_t* pStallReasonIndex;
};
union pc_sampling_attribute {
    invalid_attribute invalidData = {};
    std::uint32_t samplingPeriodData; // 5 to 31: 2 to that power cycles
    stall_reason_attribute stallReasonData;
    std::size_t scratchBufferSizeData;  // bytes
    std::size_t hardwareBufferSizeData; // bytes
    CUpti_PCSamplingCollectionMode collectionModeData;
    std::uint32_t enableStartStopControlData; // 0 or 1
    CUpti_PCSamplingOutputDataFormat outputDataFormatData;
    void* samplingDataBufferData;                    // a CUpti_PCSamplingData
    std::uint32_t workerThreadPeriodicSleepSpanData; // milliseconds
};
struct CUpti_PCSamplingConfigurationInfo {
    CUpti_PCSamplingConfigurationAttributeType attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_INVALID;
    CUptiResult attributeStatus = CUPTI_SUCCESS;
    pc_sampling_attribute attributeData = {};
};

// Of cuptiPCSamplingSetConfigurationAttribute and cuptiPCSamplingGetConfigurationAttribute.
struct CUpti_PCSamplingConfigurationInfoParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingConfigurationInfoParams, pPCSamplingConfigurationInfo);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numAttributes = 0;
    CUpti_PCSamplingConfigurationInfo* pPCSamplingConfigurationInfo = nullptr;
};

struct CUpti_PCSamplingGetDataParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingGetDataParams, pcSamplingData);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    void* pcSamplingData = nullptr; // a CUpti_PCSamplingData
};

struct CUpti_PCSamplingEnableParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingEnableParams, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_PCSamplingDisableParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingDisableParams, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_PCSamplingStartParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingStartParams, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_PCSamplingStopParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingStopParams, ctx);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
};

struct CUpti_PCSamplingGetNumStallReasonsParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingGetNumStallReasonsParams, numStallReasons);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t* numStallReasons = nullptr;
};

// In: numStallReasons; room for as many numbers, and for names of cupti_stall_reason_bytes each.
struct CUpti_PCSamplingGetStallReasonsParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_PCSamplingGetStallReasonsParams, stallReasons);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t numStallReasons = 0;
    std::uint32_t* stallReasonIndex = nullptr;
    char** stallReasons = nullptr;
};

// Out: lineNumber; fileName and dirName, which the caller frees with std::free.
struct CUpti_GetSassToSourceCorrelationParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_GetSassToSourceCorrelationParams, dirName);
    void const* cubin = nullptr;
    char const* functionName = nullptr;
    std::size_t cubinSize = 0;
    std::uint32_t lineNumber = 0;
    std::uint64_t pcOffset = 0;
    char* fileName = nullptr;
    char* dirName = nullptr;
};

struct CUpti_GetCubinCrcParams {
    std::size_t size = GPUPROF_STRUCT_SIZE(CUpti_GetCubinCrcParams, cubinCrc);
    std::size_t cubinSize = 0;
    void const* cubin = nullptr;
    std::uint64_t cubinCrc = 0;
};

// Asked by CUPTI for the number of a module that is loaded, in place of its own.
using CUpti_ComputeCrcCallbackFunc = void (*)(void const* cubin, std::size_t cubinSize, std::uint64_t* cubinCrc);

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_PC_SAMPLING_HPP
