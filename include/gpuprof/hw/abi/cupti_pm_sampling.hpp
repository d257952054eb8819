// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PM sampling parameters: counters of a device, read at intervals. Layouts are those
// of CUPTI 12.6 to 13.0, which later versions extend at the end and recognise by structSize.
#ifndef GPUPROF_HW_ABI_CUPTI_PM_SAMPLING_HPP
#define GPUPROF_HW_ABI_CUPTI_PM_SAMPLING_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "types.hpp"

struct CUpti_PmSampling_Object; // opaque; at global scope like CUPTI's own

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUpti_PmSampling_Object = ::CUpti_PmSampling_Object;

// What an interval is counted in: cycles of the system clock, or nanoseconds (not on Turing and GA100).
enum CUpti_PmSampling_TriggerMode : unsigned int {
    CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL = 0,
    CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL = 1,
    CUPTI_PM_SAMPLING_TRIGGER_MODE_COUNT = 2
};

// Why decoding stopped: the image is full, or the hardware's buffer is empty.
enum CUpti_PmSampling_DecodeStopReason : unsigned int {
    CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER = 0,
    CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL = 1,
    CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS = 2,
    CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNT = 3
};

// What a full hardware buffer loses: what comes, or what is there (not on Turing).
enum CUpti_PmSampling_HardwareBuffer_AppendMode : unsigned int {
    CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST = 0,
    CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST = 1
};

// The configuration image must outlive the object: CUPTI keeps the pointer.
struct CUpti_PmSampling_SetConfig_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_SetConfig_Params, hwBufferAppendMode);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
    std::size_t configSize = 0;
    std::uint8_t const* pConfig = nullptr;
    std::size_t hardwareBufferSize = 0;
    std::uint64_t samplingInterval = 0;
    CUpti_PmSampling_TriggerMode triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL;
    CUpti_PmSampling_HardwareBuffer_AppendMode hwBufferAppendMode =
        CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
};

// In: deviceIndex. Out: pPmSamplingObject, one a device at a time.
struct CUpti_PmSampling_Enable_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_Enable_Params, pPmSamplingObject);
    void* pPriv = nullptr;
    std::size_t deviceIndex = 0;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
};

// Destroys the object.
struct CUpti_PmSampling_Disable_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_Disable_Params, pPmSamplingObject);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
};

struct CUpti_PmSampling_Start_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_Start_Params, pPmSamplingObject);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
};

struct CUpti_PmSampling_Stop_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_Stop_Params, pPmSamplingObject);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
};

// Moves samples from the hardware's buffer to an image. Out: decodeStopReason; overflow, 1 if the buffer was full.
struct CUpti_PmSampling_DecodeData_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_DecodeData_Params, overflow);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
    std::uint8_t* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    CUpti_PmSampling_DecodeStopReason decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER;
    std::uint8_t overflow = 0;
};

// Asked without an image it gives the size, with one it fills it.
struct CUpti_PmSampling_GetCounterAvailability_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(CUpti_PmSampling_GetCounterAvailability_Params, pCounterAvailabilityImage);
    void* pPriv = nullptr;
    std::size_t deviceIndex = 0;
    std::size_t counterAvailabilityImageSize = 0;
    std::uint8_t* pCounterAvailabilityImage = nullptr;
};

// Out: counterDataSize.
struct CUpti_PmSampling_GetCounterDataSize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_GetCounterDataSize_Params, counterDataSize);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
    char const** pMetricNames = nullptr;
    std::size_t numMetrics = 0;
    std::uint32_t maxSamples = 0;
    std::size_t counterDataSize = 0;
};

struct CUpti_PmSampling_CounterDataImage_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_CounterDataImage_Initialize_Params, pCounterData);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
    std::size_t counterDataSize = 0;
    std::uint8_t* pCounterData = nullptr;
};

// Out: the room for samples, those that have begun, those that are complete.
struct CUpti_PmSampling_GetCounterDataInfo_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_GetCounterDataInfo_Params, numCompletedSamples);
    void* pPriv = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t numTotalSamples = 0;
    std::size_t numPopulatedSamples = 0;
    std::size_t numCompletedSamples = 0;
};

// Out: when a sample began and ended, in nanoseconds of cuptiGetTimestamp's clock.
struct CUpti_PmSampling_CounterData_GetSampleInfo_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_PmSampling_CounterData_GetSampleInfo_Params, endTimestamp);
    void* pPriv = nullptr;
    CUpti_PmSampling_Object* pPmSamplingObject = nullptr;
    std::uint8_t const* pCounterDataImage = nullptr;
    std::size_t counterDataImageSize = 0;
    std::size_t sampleIndex = 0;
    std::uint64_t startTimestamp = 0;
    std::uint64_t endTimestamp = 0;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_PM_SAMPLING_HPP
