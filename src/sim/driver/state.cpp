// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.hpp"

#include <cstddef>
#include <thread>

#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "object_records.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

context_stack& context_stack::mine() noexcept {
    thread_local context_stack stack;
    return stack;
}

bool context_stack::push(CUcontext context) noexcept {
    if (depth == depth_limit) return false;
    below[depth++] = gpu_registry::current();
    gpu_registry::set_current(context);
    return true;
}

void context_stack::pop() noexcept { gpu_registry::set_current(depth > 0 ? below[--depth] : nullptr); }

void call::refresh(CUcontext handle) {
    context = driver.contexts.find(handle);
    status = context == nullptr ? CUDA_ERROR_CONTEXT_IS_DESTROYED : context->lost;
}

call enter() {
    auto& all = process_state();
    call begun{{}, std::unique_lock{all.mutex}, all};
    if (!all.initialized) begun.status = CUDA_ERROR_NOT_INITIALIZED;
    return begun;
}

call enter_context() {
    call begun = enter();
    if (!begun.ready()) return begun;
    CUcontext const current = gpu_registry::current();
    if (current == nullptr) begun.status = CUDA_ERROR_INVALID_CONTEXT;
    else begun.refresh(current);
    return begun;
}

chip_model const* find_device(CUdevice device) {
    return device < 0 ? nullptr : shared().registry.device(static_cast<std::size_t>(device));
}

stream_state* find_stream(call& in, CUstream handle) {
    auto const number = reinterpret_cast<std::uintptr_t>(handle);
    if (number <= 1) return &in.context->default_stream;
    if (number == 2) {
        auto& mine = in.context->thread_streams[std::this_thread::get_id()];
        mine.context = in.context->handle;
        if (mine.id == 0) {
            mine.id = ++in.driver.stream_count;
            record_stream(in.records, *in.context, mine);
        }
        return &mine;
    }
    stream_state* const found = in.driver.streams.find(handle);
    return found != nullptr && found->context == in.context->handle ? found : nullptr;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
