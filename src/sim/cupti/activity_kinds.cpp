// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_kinds.hpp"

#include <atomic>

#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// The status to refuse a kind with, or success. The embedded GPU records CONCURRENT_KERNEL, KERNEL,
// MEMCPY, MEMCPY2 (between devices), MEMSET, DRIVER, SYNCHRONIZATION, CUDA_EVENT, STREAM, CONTEXT, DEVICE,
// EXTERNAL_CORRELATION, OVERHEAD, MEMORY, MEMORY2, MEMORY_POOL, JIT, GRAPH_TRACE, FUNCTION,
// ENVIRONMENT (the clocks, once for each device), PCIE (by cuptiActivityEnableAndDump); before CUDA
// 13.0 PC_SAMPLING; from 13.1 on HOST_LAUNCH and GRAPH_HOST_NODE; with CONCURRENT_KERNEL, on chips
// before capability 7.0, CDP_KERNEL; the OpenACC kinds and OPENMP, once a
// runtime is heard. Kinds that can be enabled and never come: RUNTIME, NAME, MARKER, MARKER_DATA,
// PREEMPTION, INTERNAL_LAUNCH_API, NVLINK: nothing of the sort happens.
[[nodiscard]] static CUptiResult refuse_kind(CUpti_ActivityKind kind, activity::cuda_release of) noexcept {
    if (kind == CUPTI_ACTIVITY_KIND_INVALID || record_size(kind, of) == 0) return CUPTI_ERROR_INVALID_KIND;
    switch (kind) {
        // Tools store their own values in these, or another kind switches them on.
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
        // By source line and by sample: CUDA 13.0 has none of them any more, and of older ones the
        // embedded GPU has samples.
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

[[nodiscard]] static CUptiResult refuse_kind(CUpti_ActivityKind kind) noexcept {
    return refuse_kind(kind, shared().activity.release.load(std::memory_order_relaxed));
}

// Kernels are recorded in one of two ways.
[[nodiscard]] static CUptiResult refuse_pair(CUpti_ActivityKind kind) {
    auto const& switches = shared().activity.switches;
    bool const serial = kind == CUPTI_ACTIVITY_KIND_KERNEL;
    bool const concurrent = kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    bool const conflicts = (serial && switches.records_anywhere(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) ||
                           (concurrent && switches.records_anywhere(CUPTI_ACTIVITY_KIND_KERNEL));
    return conflicts ? CUPTI_ERROR_NOT_COMPATIBLE : CUPTI_SUCCESS;
}

namespace detail {

CUptiResult refuse_context(CUcontext context) {
    bool const known = context != nullptr && shared().registry.device_of(context) != nullptr;
    return known ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_CONTEXT;
}

} // namespace detail

static void dump_objects(CUpti_ActivityKind kind) {
    if (auto const* const driver = shared().objects_of_driver.load(std::memory_order_acquire)) driver->dump(kind);
}

CUptiResult activity_enable(CUpti_ActivityKind kind) {
    if (CUptiResult const refused = refuse_kind(kind)) return refused;
    if (CUptiResult const refused = refuse_pair(kind)) return refused;
    activity_log& log = shared().activity;
    if (kind == CUPTI_ACTIVITY_KIND_PC_SAMPLING) shared().activity_sampling.enabled();
    log.switches.set(kind, true);
    log.apply_switches();
    if (kind == CUPTI_ACTIVITY_KIND_ENVIRONMENT) dump_objects(kind); // clocks never change: once is enough
    return CUPTI_SUCCESS;
}

CUptiResult activity_disable(CUpti_ActivityKind kind) {
    if (refuse_kind(kind) == CUPTI_ERROR_INVALID_KIND) return CUPTI_ERROR_INVALID_KIND;
    activity_log& log = shared().activity;
    log.switches.set(kind, false);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_context(CUcontext context, CUpti_ActivityKind kind) {
    if (CUptiResult const refused = detail::refuse_context(context)) return refused;
    if (CUptiResult const refused = refuse_kind(kind)) return refused;
    if (CUptiResult const refused = refuse_pair(kind)) return refused;
    activity_log& log = shared().activity;
    log.switches.set(context, kind, true);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

CUptiResult activity_disable_context(CUcontext context, CUpti_ActivityKind kind) {
    if (CUptiResult const refused = detail::refuse_context(context)) return refused;
    if (refuse_kind(kind) == CUPTI_ERROR_INVALID_KIND) return CUPTI_ERROR_INVALID_KIND;
    activity_log& log = shared().activity;
    log.switches.set(context, kind, false);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_and_dump(CUpti_ActivityKind kind) {
    if (CUptiResult const refused = activity_enable(kind)) return refused;
    if (kind != CUPTI_ACTIVITY_KIND_ENVIRONMENT) dump_objects(kind);
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_driver_api(CUpti_CallbackId id, std::uint8_t enable) {
    if (id == 0 || id >= activity_switches::driver_call_limit) return CUPTI_ERROR_INVALID_PARAMETER;
    activity_log& log = shared().activity;
    log.switches.set_call(id, enable != 0);
    log.apply_switches();
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_runtime_api(CUpti_CallbackId id, std::uint8_t) {
    return id == 0 ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
