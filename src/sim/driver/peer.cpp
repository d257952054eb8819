// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.hpp"

#include <algorithm>

#include "../check/memory_shadow.hpp"
#include "../gpu/gpu_state.hpp"
#include "context.hpp"
#include "run.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Calls f(other) for each context of another device of the same kind.
template <class F>
static void for_each_neighbour(state const& all, context_state const& context, F&& f) {
    all.contexts.for_each([&](context_state& other) {
        if (shared().registry.are_peers(context.device, other.device)) f(other);
    });
}

void connect_context(state& all, context_state& context) {
    for_each_neighbour(all, context, [&](context_state& other) {
        context.memory.connect(other.memory);
        other.memory.connect(context.memory);
    });
}

void disconnect_context(state& all, context_state& context) noexcept {
    for_each_neighbour(all, context, [&](context_state& other) { other.memory.disconnect(context.memory); });
}

context_state* context_of(call const& in, place_of_rows const& place) {
    if (place.context != nullptr) return in.driver.contexts.find(place.context);
    if (!in.context->memory.is_of_peer(place.address)) return in.context;
    context_state* owner = in.context;
    for_each_neighbour(in.driver, *in.context, [&](context_state& other) {
        if (owner == in.context && other.memory.find(place.address) != nullptr) owner = &other;
    });
    return owner;
}

bool goes_by_host(context_state const& to, context_state const& from) noexcept {
    return to.device != from.device && !to.memory.has_peer_access(from.memory) &&
           !from.memory.has_peer_access(to.memory);
}

void enter_owner(call& in, CUdeviceptr address) {
    if (in.context->allocations.contains(address)) return;
    context_state* owner = nullptr;
    for_each_neighbour(in.driver, *in.context, [&](context_state& other) {
        if (owner == nullptr && other.allocations.contains(address)) owner = &other;
    });
    if (owner != nullptr) in.refresh(owner->handle);
}

void enter_stream(call& in, CUstream handle) {
    stream_state const* const found = in.driver.streams.find(handle);
    if (found == nullptr || found->context == in.context->handle) return;
    context_state const* const owner = in.driver.contexts.find(found->context);
    if (owner != nullptr && shared().registry.are_peers(in.context->device, owner->device)) in.refresh(owner->handle);
}

void trust_peers(call& in) {
    if (!in.context->shadow) return; // checks are the process's
    for_each_neighbour(in.driver, *in.context, [&](context_state& other) {
        if (!other.shadow || !in.context->memory.has_peer_access(other.memory)) return;
        for (auto const& [address, what] : other.allocations) other.shadow->written(address, what.bytes);
    });
}

CUresult device_can_access_peer(int* can, CUdevice device, CUdevice peer) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (can == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_device(device) == nullptr || find_device(peer) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *can = shared().registry.are_peers(device, peer) ? 1 : 0;
    return CUDA_SUCCESS;
}

// What both calls refuse: no context, one that is none, and itself.
[[nodiscard]] static CUresult find_peer(call const& in, CUcontext peer, context_state*& found) {
    if (!in.ready()) return in.status;
    found = in.driver.contexts.find(peer);
    return found == nullptr || found == in.context ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult ctx_enable_peer_access(CUcontext peer, unsigned flags) {
    auto const in = enter_context();
    context_state* found = nullptr;
    if (CUresult const status = find_peer(in, peer, found)) return status;
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!shared().registry.are_peers(in.context->device, found->device)) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (in.context->memory.has_peer_access(found->memory)) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    in.context->memory.set_peer_access(found->memory, true);
    return CUDA_SUCCESS;
}

CUresult ctx_disable_peer_access(CUcontext peer) {
    auto const in = enter_context();
    context_state* found = nullptr;
    if (CUresult const status = find_peer(in, peer, found)) return status;
    if (!in.context->memory.has_peer_access(found->memory)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    in.context->memory.set_peer_access(found->memory, false);
    return CUDA_SUCCESS;
}

// Where both contexts are there. A copy of nothing has no sides.
[[nodiscard]] static CUresult enqueue_peer_copy(call& in, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                                CUcontext from_context, std::size_t bytes, CUstream stream) {
    if (!in.ready()) return in.status;
    for (CUcontext const each : {to_context, from_context})
        if (in.driver.contexts.find(each) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return enqueue(in, stream, copy_operation{{to, 0, true, to_context}, {from, 0, true, from_context}, bytes, 1},
                   false);
}

CUresult memcpy_peer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                     std::size_t bytes) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    stream_state& mine = in.context->default_stream;
    context_state* const sides[]{in.driver.contexts.find(to_context), in.driver.contexts.find(from_context)};
    for (context_state* const side : sides)
        if (side != nullptr) mine.ready = (std::max)(mine.ready, detail::latest_work(in.driver, *side));
    CUresult const status = enqueue_peer_copy(in, to, to_context, from, from_context, bytes, nullptr);
    if (status != CUDA_SUCCESS) return status;
    for (context_state* const side : sides)
        side->default_stream.ready = (std::max)(side->default_stream.ready, mine.ready);
    return status;
}

CUresult memcpy_peer_async(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           std::size_t bytes, CUstream stream) {
    auto in = enter_context();
    if (in.ready()) enter_stream(in, stream);
    return enqueue_peer_copy(in, to, to_context, from, from_context, bytes, stream);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
