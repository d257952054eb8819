// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's parameters for what every kind of profiling on a device needs: chip name, support, counter availability. Layouts are those of CUPTI 12.6 to 13.0, which later versions extend at the end and
// recognise by structSize.
#ifndef GPUPROF_HW_ABI_CUPTI_PROFILER_HPP
#define GPUPROF_HW_ABI_CUPTI_PROFILER_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// How far a device, or one aspect of it, supports profiling. DISABLED: the system switched it off.
enum CUpti_Profiler_Support_Level : unsigned int {
    CUPTI_PROFILER_CONFIGURATION_UNKNOWN = 0,
    CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED = 1,
    CUPTI_PROFILER_CONFIGURATION_DISABLED = 2,
    CUPTI_PROFILER_CONFIGURATION_SUPPORTED = 3,
    CUPTI_PROFILER_CONFIGURATION_LIMITED_SUPPORT = 4 // some metrics only; 13.x
};

// Which family of calls cuptiProfilerDeviceSupported is asked about.
enum CUpti_Profiler_API : unsigned int {
    CUPTI_PROFILER_RANGE_PROFILING = 0,
    CUPTI_PROFILER_PC_SAMPLING = 1,
    CUPTI_PROFILER_SASS_METRICS = 2,
    CUPTI_PROFILER_PM_SAMPLING = 3
};

// In: deviceIndex. Out: pChipName, CUPTI's own text ("GH100").
struct CUpti_Device_GetChipName_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Device_GetChipName_Params, pChipName);
    void* pPriv = nullptr;
    std::size_t deviceIndex = 0;
    char const* pChipName = nullptr;
};

// Not reference-counted: one DeInitialize undoes every Initialize.
struct CUpti_Profiler_Initialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_Initialize_Params, pPriv);
    void* pPriv = nullptr;
};

// See CUpti_Profiler_Initialize_Params.
struct CUpti_Profiler_DeInitialize_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_DeInitialize_Params, pPriv);
    void* pPriv = nullptr;
};

// In: cuDevice, api. Out: isSupported and each aspect it follows from.
struct CUpti_Profiler_DeviceSupported_Params {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Profiler_DeviceSupported_Params, api);
    void* pPriv = nullptr;
    CUdevice cuDevice = 0;
    CUpti_Profiler_Support_Level isSupported = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_Support_Level architecture = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_Support_Level sli = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_Support_Level vGpu = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_Support_Level confidentialCompute = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_Support_Level cmp = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_Support_Level wsl = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;
    CUpti_Profiler_API api = CUPTI_PROFILER_RANGE_PROFILING;
};

// In: ctx, null for the current one; pCounterAvailabilityImage, null to ask for the size in bytes.
struct CUpti_Profiler_GetCounterAvailability_Params {
    std::size_t structSize =
        GPUPROF_STRUCT_SIZE(CUpti_Profiler_GetCounterAvailability_Params, pCounterAvailabilityImage);
    void* pPriv = nullptr;
    CUcontext ctx = nullptr;
    std::size_t counterAvailabilityImageSize = 0;
    std::uint8_t* pCounterAvailabilityImage = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_PROFILER_HPP
