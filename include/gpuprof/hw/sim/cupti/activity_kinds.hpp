// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that say which activity the embedded GPU records. Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_ACTIVITY_KINDS_HPP
#define GPUPROF_HW_SIM_CUPTI_ACTIVITY_KINDS_HPP

#include <atomic>  // std::memory_order_relaxed, std::memory_order_acquire
#include <cstdint> // switches

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../counters/activity_log.hpp"
#include "../counters/activity_pc_sampling.hpp"
#include "../counters/driver_objects.hpp"
#include "../counters/gpu_registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// Kinds that the embedded GPU records: CONCURRENT_KERNEL, KERNEL, MEMCPY, MEMSET, DRIVER, SYNCHRONIZATION, CUDA_EVENT, STREAM,
// CONTEXT, DEVICE, EXTERNAL_CORRELATION, OVERHEAD, MEMORY, MEMORY2, MEMORY_POOL, JIT, GRAPH_TRACE, FUNCTION, ENVIRONMENT (the
// clocks, once for each device), PCIE (by cuptiActivityEnableAndDump); before CUDA 13.0 PC_SAMPLING; from 13.1 on HOST_LAUNCH and
// GRAPH_HOST_NODE.
// Kinds that can be enabled and never come: RUNTIME, NAME, MARKER, MARKER_DATA, PREEMPTION, MEMCPY2, the OpenACC and OpenMP
// kinds, INTERNAL_LAUNCH_API, NVLINK: nothing of the sort happens. This answers for the rest.
[[nodiscard]] inline CUptiResult refuse_kind(CUpti_ActivityKind kind, activity::cuda_release of) noexcept {
    if (kind == CUPTI_ACTIVITY_KIND_INVALID || record_size(kind, of) == 0) return CUPTI_ERROR_INVALID_KIND;
    switch (kind) {
        // Tools store their own values in these; or another kind switches them on.
        case CUPTI_ACTIVITY_KIND_EVENT:
        case CUPTI_ACTIVITY_KIND_METRIC:
        case CUPTI_ACTIVITY_KIND_EVENT_INSTANCE:
        case CUPTI_ACTIVITY_KIND_METRIC_INSTANCE:
        case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT:
        case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE:
        case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC:
        case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC_INSTANCE:
        case CUPTI_ACTIVITY_KIND_MODULE:
        case CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE:
        case CUPTI_ACTIVITY_KIND_CDP_KERNEL:
        case CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE: return CUPTI_ERROR_NOT_COMPATIBLE;
        // By source line and by sample: CUDA 13.0 has none of them any more, and of older ones the embedded GPU has samples.
        case CUPTI_ACTIVITY_KIND_PC_SAMPLING:
            return of >= activity::release(13, 0) ? CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED : CUPTI_SUCCESS;
        case CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR: // these come with samples
        case CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO:
            return of >= activity::release(13, 0) ? CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED
                                                  : CUPTI_ERROR_INVALID_KIND;
        case CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS:
        case CUPTI_ACTIVITY_KIND_BRANCH:
        case CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION:
        case CUPTI_ACTIVITY_KIND_SHARED_ACCESS:
        case CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION:
            return of >= activity::release(13, 0) ? CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED
                                                  : CUPTI_ERROR_NOT_SUPPORTED;
        case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: // managed memory is the host's and never moves
            return CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE;
        case CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS:
        case CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION:
        case CUPTI_ACTIVITY_KIND_COMPUTE_ENGINE_CTX_SWITCH:
        case CUPTI_ACTIVITY_KIND_GREEN_CONTEXT: return CUPTI_ERROR_NOT_SUPPORTED;
        default: return CUPTI_SUCCESS;
    }
}
[[nodiscard]] inline CUptiResult refuse_kind(CUpti_ActivityKind kind) noexcept {
    return refuse_kind(kind, activity_log::instance().release.load(std::memory_order_relaxed));
}

// Kernels are recorded in one of two ways.
[[nodiscard]] inline CUptiResult refuse_pair(CUpti_ActivityKind kind) {
    auto const& switches = activity_log::instance().switches;
    bool const serial = kind == CUPTI_ACTIVITY_KIND_KERNEL;
    bool const concurrent = kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    bool const other = (serial && switches.records_anywhere(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) ||
                       (concurrent && switches.records_anywhere(CUPTI_ACTIVITY_KIND_KERNEL));
    return other ? CUPTI_ERROR_NOT_COMPATIBLE : CUPTI_SUCCESS;
}

[[nodiscard]] inline CUptiResult refuse_context(CUcontext context) {
    bool const known = context != nullptr && gpu_registry::instance().device_of(context) != nullptr;
    return known ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_CONTEXT;
}

inline void dump(CUpti_ActivityKind kind) {
    if (auto const* const driver = objects_of_driver.load(std::memory_order_acquire)) driver->dump(kind);
}

} // namespace detail

inline CUptiResult activity_enable(CUpti_ActivityKind kind) {
    if (CUptiResult const refused = detail::refuse_kind(kind)) return refused;
    if (CUptiResult const refused = detail::refuse_pair(kind)) return refused;
    activity_log& log = activity_log::instance();
    if (kind == CUPTI_ACTIVITY_KIND_PC_SAMPLING) activity_pc_sampling::instance().enabled();
    log.switches.set(kind, true);
    log.apply_switches();
    if (kind == CUPTI_ACTIVITY_KIND_ENVIRONMENT) detail::dump(kind); // clocks never change: once is enough
    return CUPTI_SUCCESS;
}

inline CUptiResult activity_disable(CUpti_ActivityKind kind) {
    if (detail::refuse_kind(kind) == CUPTI_ERROR_INVALID_KIND) return CUPTI_ERROR_INVALID_KIND;
    activity_log& log = activity_log::instance();
    log.switches.set(kind, false);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

inline CUptiResult activity_enable_context(CUcontext context, CUpti_ActivityKind kind) {
    if (CUptiResult const refused = detail::refuse_context(context)) return refused;
    if (CUptiResult const refused = detail::refuse_kind(kind)) return refused;
    if (CUptiResult const refused = detail::refuse_pair(kind)) return refused;
    activity_log& log = activity_log::instance();
    log.switches.set(context, kind, true);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

inline CUptiResult activity_disable_context(CUcontext context, CUpti_ActivityKind kind) {
    if (CUptiResult const refused = detail::refuse_context(context)) return refused;
    if (detail::refuse_kind(kind) == CUPTI_ERROR_INVALID_KIND) return CUPTI_ERROR_INVALID_KIND;
    activity_log& log = activity_log::instance();
    log.switches.set(context, kind, false);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

// Of devices, contexts, streams and the bus, those that there are come as records at once. There are no NVLinks.
inline CUptiResult activity_enable_and_dump(CUpti_ActivityKind kind) {
    if (CUptiResult const refused = activity_enable(kind)) return refused;
    if (kind != CUPTI_ACTIVITY_KIND_ENVIRONMENT) detail::dump(kind);
    return CUPTI_SUCCESS;
}

// 0 and numbers beyond every call are CUPTI_ERROR_INVALID_PARAMETER.
inline CUptiResult activity_enable_driver_api(CUpti_CallbackId id, std::uint8_t enable) {
    if (id == 0 || id >= activity_switches::driver_call_limit) return CUPTI_ERROR_INVALID_PARAMETER;
    activity_log& log = activity_log::instance();
    log.switches.set_call(id, enable != 0);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

// The embedded GPU has no runtime, so there is nothing to record.
inline CUptiResult activity_enable_runtime_api(CUpti_CallbackId id, std::uint8_t) {
    return id == 0 ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_ACTIVITY_KINDS_HPP
