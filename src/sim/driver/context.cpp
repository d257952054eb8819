// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "capture.hpp"
#include "checks.hpp"
#include "object_records.hpp"
#include "peer.hpp"
#include "resource_callbacks.hpp"
#include "state.hpp"
#include "wait_records.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUcontext detail::make_context(call& in, CUdevice device, unsigned flags) {
    state& all = in.driver;
    chip_model const& chip = *find_device(device);
    unsigned const slot = shared().registry.slot_of(static_cast<std::size_t>(device));
    CUcontext const handle = all.contexts.add(std::make_unique<context_state>(nullptr, device, chip, slot));
    context_state& context = *all.contexts.find(handle);
    context.handle = context.default_stream.context = handle;
    context.flags = flags;
    begin_checks(all, context);
    connect_context(all, context);
    context.id = ++all.context_count;
    context.default_stream.id = ++all.stream_count;
    shared().registry.attach(handle, device);
    record_context(in.records, context);
    record_stream(in.records, context, context.default_stream);
    return handle;
}

double detail::latest_work(state const& all, context_state const& context) {
    double latest = context.default_stream.ready;
    auto const look_at = [&](stream_state const& stream) {
        if (stream.context == context.handle) latest = (std::max)(latest, stream.ready);
    };
    for (auto const& mine : context.thread_streams) look_at(mine.second);
    all.streams.for_each(look_at);
    return latest;
}

// Waits for all of a context's work: the host's time moves to the end of the last of it.
static void wait_for_context(state const& all, context_state const& context) {
    shared().clock.wait_until(detail::latest_work(all, context));
}

// Waits for the context's work, then removes everything that lives in the context.
static void clear_context(state& all, CUcontext gone) {
    wait_for_context(all, *all.contexts.find(gone));
    auto const is_in_context = [=](auto const& object) { return object.context == gone; };
    all.functions.remove_if(is_in_context);
    all.modules.remove_if(is_in_context);
    all.streams.remove_if(is_in_context);
    all.events.remove_if(is_in_context);
    all.arrays.remove_if(is_in_context);
}

void detail::destroy_context(state& all, CUcontext gone) {
    if (all.contexts.find(gone) == nullptr) return;
    clear_context(all, gone);
    disconnect_context(all, *all.contexts.find(gone));
    all.contexts.remove(gone);
    shared().registry.detach(gone);
    shared().activity.switches.forget(gone);
    shared().activity_sampling.forget(gone);
}

CUresult ctx_create(CUcontext* context, unsigned flags, CUdevice device) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (context == nullptr || (flags & ~detail::context_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    CUcontext const created = detail::make_context(in, device, flags);
    if (!context_stack::mine().push(created)) {
        detail::destroy_context(in.driver, created);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *context = created;
    in.held.unlock();
    tell_resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, created);
    return CUDA_SUCCESS;
}

CUresult ctx_destroy(CUcontext context) {
    auto in = enter();
    if (!in.ready()) return in.status;
    context_state const* const found = in.driver.contexts.find(context);
    if (found == nullptr || in.driver.primaries[found->device].handle == context) return CUDA_ERROR_INVALID_CONTEXT;
    tell_context_destroyed(in, context);
    detail::destroy_context(in.driver, context);
    if (gpu_registry::current() == context) context_stack::mine().pop();
    return CUDA_SUCCESS;
}

CUresult ctx_push_current(CUcontext context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (in.driver.contexts.find(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return context_stack::mine().push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult ctx_pop_current(CUcontext* context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (gpu_registry::current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = gpu_registry::current();
    context_stack::mine().pop();
    return CUDA_SUCCESS;
}

CUresult ctx_set_current(CUcontext context) {
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

CUresult ctx_get_current(CUcontext* context) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *context = gpu_registry::current();
    return CUDA_SUCCESS;
}

CUresult ctx_get_device(CUdevice* device) {
    auto const in = enter_context();
    if (in.context == nullptr) return in.status; // a lost context still has a device
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = in.context->device;
    return CUDA_SUCCESS;
}

CUresult ctx_synchronize() {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = refuse_capture(in, capture_rule::no_capture)) return refused;
    std::uint64_t const began = shared().clock.now();
    wait_for_context(in.driver, *in.context);
    record_wait(in, {activity::synchronization_type::context_synchronize}, began);
    CUcontext const context = in.context->handle;
    in.held.unlock();
    tell_synchronized(CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED, context, nullptr);
    return CUDA_SUCCESS;
}

CUresult ctx_get_api_version(CUcontext context, unsigned* version) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (in.driver.contexts.find(context == nullptr ? gpu_registry::current() : context) == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; // as for contexts of cuCtxCreate_v2
    return CUDA_SUCCESS;
}

CUresult ctx_get_id(CUcontext context, unsigned long long* id) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    CUcontext const found = context == nullptr ? gpu_registry::current() : context;
    if (in.driver.contexts.find(found) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = reinterpret_cast<std::uintptr_t>(found);
    return CUDA_SUCCESS;
}

[[nodiscard]] static CUresult check_context_limit(context_state const& context, CUlimit limit) noexcept {
    if (limit > CU_LIMIT_PER_BLOCK_MEMORY_SIZE) return CUDA_ERROR_INVALID_VALUE;
    bool const is_stored = limit < context.limits.size() && limit != CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH;
    return is_stored ? CUDA_SUCCESS : CUDA_ERROR_UNSUPPORTED_LIMIT;
}

CUresult ctx_get_limit(std::size_t* value, CUlimit limit) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (CUresult const refused = check_context_limit(*in.context, limit)) return refused;
    *value = in.context->limits[limit];
    return CUDA_SUCCESS;
}

// A thread may have 512 KiB of local memory ("Technical specifications per compute capability" of the CUDA C++ programming
// guide), but not all of it is the stack's: an H200 takes this much and refuses 512 KiB. It rounds up to 16 bytes.
static constexpr std::size_t most_stack_bytes = 523'712;

CUresult ctx_set_limit(CUlimit limit, std::size_t value) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = check_context_limit(*in.context, limit)) return refused;
    bool const is_settled = limit == CU_LIMIT_MALLOC_HEAP_SIZE && in.context->heap != nullptr;
    if (is_settled && value != in.context->limits[limit]) return CUDA_ERROR_INVALID_VALUE;
    if (limit == CU_LIMIT_STACK_SIZE) {
        if (value > most_stack_bytes) return CUDA_ERROR_INVALID_VALUE;
        value = (value + 15) / 16 * 16;
    }
    in.context->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult ctx_get_stream_priority_range(int* least, int* greatest) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
