// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's event API: identifiers, attributes and group sets. Unchanged from CUPTI 5.0 on
// but for values added at the end of enumerations.
#ifndef GPUPROF_HW_ABI_CUPTI_EVENT_HPP
#define GPUPROF_HW_ABI_CUPTI_EVENT_HPP

#include <cstdint>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUpti_EventID = std::uint32_t;
using CUpti_EventDomainID = std::uint32_t;
using CUpti_EventGroup = void*;

// Called after each repetition of a kernel in kernel replay mode.
using CUpti_KernelReplayUpdateFunc = void (*)(char const* kernelName, int numReplaysDone, void* customData);

// In place of a count: the counter wrapped; or it could not be read. Macros of CUPTI's own have the other spelling.
inline constexpr std::uint64_t cupti_event_overflow = 0xFFFFFFFFFFFFFFFF;
inline constexpr std::uint64_t cupti_event_invalid = 0xFFFFFFFFFFFFFFFE;

// What kind of product a device is.
enum CUpti_DeviceAttributeDeviceClass : unsigned int {
    CUPTI_DEVICE_ATTR_DEVICE_CLASS_TESLA = 0,
    CUPTI_DEVICE_ATTR_DEVICE_CLASS_QUADRO = 1,
    CUPTI_DEVICE_ATTR_DEVICE_CLASS_GEFORCE = 2,
    CUPTI_DEVICE_ATTR_DEVICE_CLASS_TEGRA = 3
};

// What cuptiDeviceGetAttribute tells; each value's type in the comment.
enum CUpti_DeviceAttribute : unsigned int {
    CUPTI_DEVICE_ATTR_MAX_EVENT_ID = 1,                                  // uint32_t
    CUPTI_DEVICE_ATTR_MAX_EVENT_DOMAIN_ID = 2,                           // uint32_t
    CUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH = 3,                       // uint64_t, kilobytes per second
    CUPTI_DEVICE_ATTR_INSTRUCTION_PER_CYCLE = 4,                         // uint32_t, theoretical maximum
    CUPTI_DEVICE_ATTR_INSTRUCTION_THROUGHPUT_SINGLE_PRECISION = 5,       // uint64_t, instructions per second
    CUPTI_DEVICE_ATTR_MAX_FRAME_BUFFERS = 6,                             // uint64_t
    CUPTI_DEVICE_ATTR_PCIE_LINK_RATE = 7,                                // uint64_t, megabits per second
    CUPTI_DEVICE_ATTR_PCIE_LINK_WIDTH = 8,                               // uint64_t
    CUPTI_DEVICE_ATTR_PCIE_GEN = 9,                                      // uint64_t
    CUPTI_DEVICE_ATTR_DEVICE_CLASS = 10,                                 // CUpti_DeviceAttributeDeviceClass
    CUPTI_DEVICE_ATTR_FLOP_SP_PER_CYCLE = 11,                            // uint64_t
    CUPTI_DEVICE_ATTR_FLOP_DP_PER_CYCLE = 12,                            // uint64_t
    CUPTI_DEVICE_ATTR_MAX_L2_UNITS = 13,                                 // uint64_t
    CUPTI_DEVICE_ATTR_MAX_SHARED_MEMORY_CACHE_CONFIG_PREFER_SHARED = 14, // uint64_t, bytes
    CUPTI_DEVICE_ATTR_MAX_SHARED_MEMORY_CACHE_CONFIG_PREFER_L1 = 15,     // uint64_t, bytes
    CUPTI_DEVICE_ATTR_MAX_SHARED_MEMORY_CACHE_CONFIG_PREFER_EQUAL = 16,  // uint64_t, bytes
    CUPTI_DEVICE_ATTR_FLOP_HP_PER_CYCLE = 17,                            // uint64_t
    CUPTI_DEVICE_ATTR_NVLINK_PRESENT = 18,                               // uint32_t
    CUPTI_DEVICE_ATTR_GPU_CPU_NVLINK_BW = 19,                            // uint64_t
    CUPTI_DEVICE_ATTR_NVSWITCH_PRESENT = 20,                             // uint32_t
    CUPTI_DEVICE_ATTR_FORCE_INT = 2147483647
};

// NAME is text; the instance counts are uint32_t: what one pass profiles, and what the device has.
enum CUpti_EventDomainAttribute : unsigned int {
    CUPTI_EVENT_DOMAIN_ATTR_NAME = 0,
    CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT = 1,
    CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT = 3,
    CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD = 4, // CUpti_EventCollectionMethod
    CUPTI_EVENT_DOMAIN_ATTR_FORCE_INT = 2147483647
};

// Where the events of a domain are counted.
enum CUpti_EventCollectionMethod : unsigned int {
    CUPTI_EVENT_COLLECTION_METHOD_PM = 0,
    CUPTI_EVENT_COLLECTION_METHOD_SM = 1,
    CUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED = 2,
    CUPTI_EVENT_COLLECTION_METHOD_NVLINK_TC = 3,
    CUPTI_EVENT_COLLECTION_METHOD_FORCE_INT = 2147483647
};

// Only PROFILE_ALL_DOMAIN_INSTANCES, USER_DATA and PROFILING_SCOPE can be set.
enum CUpti_EventGroupAttribute : unsigned int {
    CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID = 0,              // CUpti_EventDomainID
    CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES = 1, // uint32_t, 0 or 1
    CUPTI_EVENT_GROUP_ATTR_USER_DATA = 2,                    // void*
    CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS = 3,                   // uint32_t
    CUPTI_EVENT_GROUP_ATTR_EVENTS = 4,                       // CUpti_EventID[]
    CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT = 5,               // uint32_t
    CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE = 6,              // CUpti_EventProfilingScope
    CUPTI_EVENT_GROUP_ATTR_FORCE_INT = 2147483647
};

// Whether an event counts the work of one context or of the whole device.
enum CUpti_EventProfilingScope : unsigned int {
    CUPTI_EVENT_PROFILING_SCOPE_CONTEXT = 0,
    CUPTI_EVENT_PROFILING_SCOPE_DEVICE = 1,
    CUPTI_EVENT_PROFILING_SCOPE_BOTH = 2,
    CUPTI_EVENT_PROFILING_SCOPE_FORCE_INT = 2147483647
};

// Texts, but for CATEGORY and PROFILING_SCOPE.
enum CUpti_EventAttribute : unsigned int {
    CUPTI_EVENT_ATTR_NAME = 0,
    CUPTI_EVENT_ATTR_SHORT_DESCRIPTION = 1,
    CUPTI_EVENT_ATTR_LONG_DESCRIPTION = 2,
    CUPTI_EVENT_ATTR_CATEGORY = 3, // CUpti_EventCategory
    CUPTI_EVENT_ATTR_PROFILING_SCOPE = 5,
    CUPTI_EVENT_ATTR_FORCE_INT = 2147483647
};

// Whether enabled counters run all the time or only while a kernel does, which is then serialised.
enum CUpti_EventCollectionMode : unsigned int {
    CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS = 0,
    CUPTI_EVENT_COLLECTION_MODE_KERNEL = 1,
    CUPTI_EVENT_COLLECTION_MODE_FORCE_INT = 2147483647
};

enum CUpti_EventCategory : unsigned int {
    CUPTI_EVENT_CATEGORY_INSTRUCTION = 0,
    CUPTI_EVENT_CATEGORY_MEMORY = 1,
    CUPTI_EVENT_CATEGORY_CACHE = 2,
    CUPTI_EVENT_CATEGORY_PROFILE_TRIGGER = 3,
    CUPTI_EVENT_CATEGORY_SYSTEM = 4,
    CUPTI_EVENT_CATEGORY_FORCE_INT = 2147483647
};

enum CUpti_ReadEventFlags : unsigned int {
    CUPTI_EVENT_READ_FLAG_NONE = 0,
    CUPTI_EVENT_READ_FLAG_FORCE_INT = 2147483647
};

// Groups that are enabled together: one pass.
struct CUpti_EventGroupSet {
    std::uint32_t numEventGroups = 0;
    CUpti_EventGroup* eventGroups = nullptr;
};

// The passes; allocated and freed by CUPTI.
struct CUpti_EventGroupSets {
    std::uint32_t numSets = 0;
    CUpti_EventGroupSet* sets = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_EVENT_HPP
