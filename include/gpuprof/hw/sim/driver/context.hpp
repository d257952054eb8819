// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of the embedded GPU's driver: own ones, the current one of each thread, limits. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_CONTEXT_HPP
#define GPUPROF_HW_SIM_DRIVER_CONTEXT_HPP

#include <algorithm> // std::max
#include <cstddef>   // std::size_t
#include <cstdint>   // std::uint64_t, std::uintptr_t
#include <memory>    // std::make_unique

#include "checks.hpp"
#include "../counters/activity_pc_sampling.hpp"
#include "capture.hpp"
#include "happenings.hpp"
#include "state.hpp"
#include "wait_records.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {

[[nodiscard]] inline CUcontext make_context(call& in, CUdevice device, unsigned flags) {
    state& all = in.driver;
    chip_model const& chip = *find_device(device);
    CUcontext const made = all.contexts.add(std::make_unique<context_state>(nullptr, device, chip));
    context_state& context = *all.contexts.find(made);
    context.handle = context.default_stream.context = made;
    context.flags = flags;
    begin_checks(all, context);
    context.id = ++all.context_count;
    context.default_stream.id = ++all.stream_count;
    gpu_registry::instance().attach(made, device);
    record_context(in.records, context);
    record_stream(in.records, context, context.default_stream);
    return made;
}

// Waiting for all of a context's work: the host's time moves to when the last of it ends.
inline void wait_for_context(state const& all, context_state const& context) {
    auto const wait = [&](stream_state const& stream) {
        if (stream.context == context.handle) host_clock::wait_until(stream.ready);
    };
    wait(context.default_stream);
    for (auto const& mine : context.thread_streams) wait(mine.second);
    all.streams.for_each(wait);
}

// Everything that lives in a context goes with it, once it is done.
inline void clear_context(state& all, CUcontext gone) {
    wait_for_context(all, *all.contexts.find(gone));
    auto const in_it = [=](auto const& object) { return object.context == gone; };
    all.functions.remove_if(in_it);
    all.modules.remove_if(in_it);
    all.streams.remove_if(in_it);
    all.events.remove_if(in_it);
    all.arrays.remove_if(in_it);
}

inline void destroy_context(state& all, CUcontext gone) {
    if (all.contexts.find(gone) == nullptr) return;
    clear_context(all, gone);
    all.contexts.remove(gone);
    gpu_registry::instance().detach(gone);
    activity_log::instance().switches.forget(gone);
    activity_pc_sampling::instance().forget(gone);
}

inline constexpr unsigned context_flags = 0xff; // all of CUctx_flags

} // namespace detail

// It becomes current.
inline CUresult ctx_create(CUcontext* context, unsigned flags, CUdevice device) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (context == nullptr || (flags & ~detail::context_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    CUcontext const made = detail::make_context(in, device, flags);
    if (!context_stack::mine().push(made)) {
        detail::destroy_context(in.driver, made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *context = made;
    in.held.unlock();
    tell_resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, made);
    return CUDA_SUCCESS;
}

// Not for a primary context. Threads to which it is current keep it so, and are told with every call.
inline CUresult ctx_destroy(CUcontext context) {
    auto in = enter();
    if (!in.ready()) return in.status;
    context_state const* const found = in.driver.contexts.find(context);
    if (found == nullptr || in.driver.primaries[found->device].handle == context) return CUDA_ERROR_INVALID_CONTEXT;
    tell_context_destroyed(in, context);
    detail::destroy_context(in.driver, context);
    if (gpu_registry::current() == context) context_stack::mine().pop();
    return CUDA_SUCCESS;
}

inline CUresult ctx_push_current(CUcontext context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (in.driver.contexts.find(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return context_stack::mine().push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

inline CUresult ctx_pop_current(CUcontext* context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (gpu_registry::current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = gpu_registry::current();
    context_stack::mine().pop();
    return CUDA_SUCCESS;
}

inline CUresult ctx_set_current(CUcontext context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (context == nullptr) {
        context_stack::mine().pop();
        return CUDA_SUCCESS;
    }
    if (in.driver.contexts.find(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    gpu_registry::set_current(context);
    return CUDA_SUCCESS;
}

inline CUresult ctx_get_current(CUcontext* context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *context = gpu_registry::current();
    return CUDA_SUCCESS;
}

inline CUresult ctx_get_device(CUdevice* device) {
    auto const in = enter_context();
    if (in.context == nullptr) return in.status; // a lost context still has a device
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = in.context->device;
    return CUDA_SUCCESS;
}

inline CUresult ctx_synchronize() {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::no_capture)) return refused;
    std::uint64_t const began = host_clock::now();
    detail::wait_for_context(in.driver, *in.context);
    record_wait(in, {activity::synchronization_type::context_synchronize}, began);
    CUcontext const context = in.context->handle;
    in.held.unlock();
    tell_synchronized(CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED, context, nullptr);
    return CUDA_SUCCESS;
}

// Of the current context if `context` is null.
inline CUresult ctx_get_api_version(CUcontext context, unsigned* version) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (in.driver.contexts.find(context == nullptr ? gpu_registry::current() : context) == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; // that of cuCtxCreate_v2
    return CUDA_SUCCESS;
}

// A context's address: unique while it lives, as the driver promises.
inline CUresult ctx_get_id(CUcontext context, unsigned long long* id) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    CUcontext const asked = context == nullptr ? gpu_registry::current() : context;
    if (in.driver.contexts.find(asked) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = reinterpret_cast<std::uintptr_t>(asked);
    return CUDA_SUCCESS;
}

namespace detail {
[[nodiscard]] inline CUresult check_limit(context_state const& context, CUlimit limit) noexcept {
    if (limit > CU_LIMIT_PER_BLOCK_MEMORY_SIZE) return CUDA_ERROR_INVALID_VALUE;
    bool const kept = limit < context.limits.size() && limit != CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH;
    return kept ? CUDA_SUCCESS : CUDA_ERROR_UNSUPPORTED_LIMIT;
}
} // namespace detail

// A stack larger than 256 KiB a thread has to be asked for. The size of the heap is settled when a kernel first uses it. The
// other limits are kept and change nothing.
inline CUresult ctx_get_limit(std::size_t* value, CUlimit limit) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (CUresult const refused = detail::check_limit(*in.context, limit)) return refused;
    *value = in.context->limits[limit];
    return CUDA_SUCCESS;
}

inline CUresult ctx_set_limit(CUlimit limit, std::size_t value) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = detail::check_limit(*in.context, limit)) return refused;
    bool const is_settled = limit == CU_LIMIT_MALLOC_HEAP_SIZE && in.context->heap != nullptr;
    if (is_settled && value != in.context->limits[limit]) return CUDA_ERROR_INVALID_VALUE;
    in.context->limits[limit] = value;
    return CUDA_SUCCESS;
}

inline constexpr int greatest_priority = -5; // 0 is the least; it decides nothing here

inline CUresult ctx_get_stream_priority_range(int* least, int* greatest) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_CONTEXT_HPP
