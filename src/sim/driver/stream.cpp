// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stream.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "../gpu/gpu_state.hpp"
#include "capture.hpp"
#include "context.hpp"
#include "object_records.hpp"
#include "peer.hpp"
#include "resource_callbacks.hpp"
#include "state.hpp"
#include "wait_records.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUresult stream_create_with_priority(CUstream* stream, unsigned flags, int priority) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (stream == nullptr || (flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) return CUDA_ERROR_INVALID_VALUE;
    auto state = std::make_unique<stream_state>();
    state->context = in.context->handle;
    state->flags = flags;
    state->id = ++in.driver.stream_count;
    state->priority = std::clamp(priority, greatest_priority, 0);
    record_stream(in.records, *in.context, *state);
    CUcontext const context = state->context;
    CUstream const handle = *stream = in.driver.streams.add(std::move(state));
    in.held.unlock();
    tell_resource(CUPTI_CBID_RESOURCE_STREAM_CREATED, context, handle);
    return CUDA_SUCCESS;
}

CUresult stream_create(CUstream* stream, unsigned flags) { return stream_create_with_priority(stream, flags, 0); }

CUresult stream_destroy(CUstream stream) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    stream_state const* found = in.driver.streams.find(stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (is_heard(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING)) {
        CUcontext const context = found->context;
        without_lock const open{in};
        tell_resource(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, context, stream);
    }
    found = in.driver.streams.find(stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE; // another thread destroyed it meanwhile
    auto const capture = found->capture;
    if (capture && capture->origin == stream) capture->invalidated = true; // even if the others joined again
    in.driver.streams.remove(stream);
    in.held.unlock();
    if (capture && capture->origin == stream && !capture->adds_to_graph)
        tell_graph_destroyed(capture->graph, capture->nodes, capture->graph_id);
    return CUDA_SUCCESS;
}

CUresult stream_synchronize(CUstream stream) {
    auto in = enter_context();
    if (in.ready()) enter_stream(in, stream);
    if (!in.ready()) return in.status;
    stream_state* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const refused = refuse_captured_stream(in, *found)) return refused;
    std::uint64_t const began = shared().clock.now();
    shared().clock.wait_until(found->ready);
    record_wait(in, {activity::synchronization_type::stream_synchronize, found}, began);
    CUcontext const context = in.context->handle;
    in.held.unlock();
    tell_synchronized(CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, context, stream);
    return CUDA_SUCCESS;
}

CUresult stream_query(CUstream stream) {
    auto in = enter_context();
    if (in.ready()) enter_stream(in, stream);
    if (!in.ready()) return in.status;
    stream_state* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const refused = refuse_captured_stream(in, *found)) return refused;
    record_wait(in, {activity::synchronization_type::stream_synchronize, found}, shared().clock.now());
    return CUDA_SUCCESS;
}

CUresult stream_get_id(CUstream stream, unsigned long long* id) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (find_stream(in, stream) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = reinterpret_cast<std::uintptr_t>(stream);
    return CUDA_SUCCESS;
}

namespace detail {

CUresult begin_capture(call& in, CUstream stream, CUstreamCaptureMode mode) {
    stream_state* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    if (found == &in.context->default_stream) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (found->capture) return CUDA_ERROR_ILLEGAL_STATE;
    found->capture = std::make_shared<capture_state>();
    found->capture->context = in.context->handle;
    found->capture->origin = stream;
    found->capture->mode = mode;
    found->capture->thread = std::this_thread::get_id();
    found->frontier.clear();
    return CUDA_SUCCESS;
}

} // namespace detail

CUresult stream_begin_capture(CUstream stream, CUstreamCaptureMode mode) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (CUresult const refused = detail::begin_capture(in, stream, mode)) return refused;
    capture_state& capture = *find_stream(in, stream)->capture;
    CUgraph const graph = capture.graph = in.driver.graphs.reserve();
    capture.graph_id = ++in.driver.graph_count;
    in.held.unlock();
    tell_graph(CUPTI_CBID_RESOURCE_GRAPH_CREATED, {graph, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
    return CUDA_SUCCESS;
}

CUresult stream_end_capture(CUstream stream, CUgraph* graph) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    stream_state* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    auto const capture = found->capture;
    if (graph == nullptr && !(capture && capture->adds_to_graph)) return CUDA_ERROR_INVALID_VALUE;
    if (graph != nullptr) *graph = nullptr;
    if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != std::this_thread::get_id())
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    bool const joined = is_joined(*capture, found->frontier);
    auto const release = [&](stream_state& captured) {
        if (captured.capture == capture) captured.capture = nullptr;
    };
    for (auto& mine : in.context->thread_streams) release(mine.second);
    in.driver.streams.for_each(release);
    if (capture->invalidated || !joined) {
        in.held.unlock();
        if (!capture->adds_to_graph) tell_graph_destroyed(capture->graph, capture->nodes, capture->graph_id);
        return capture->invalidated ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    }
    auto captured_graph = std::make_unique<graph_state>();
    captured_graph->nodes = std::make_shared<graph_nodes>(std::move(capture->nodes));
    captured_graph->id = capture->graph_id;
    captured_graph->conditions = std::move(capture->conditions);
    in.driver.graphs.remove(capture->graph);
    in.driver.graphs.add(capture->graph, std::move(captured_graph));
    if (graph != nullptr) *graph = capture->graph;
    return CUDA_SUCCESS;
}

CUresult stream_is_capturing(CUstream stream, CUstreamCaptureStatus* status) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    stream_state const* const found = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (found == &in.context->default_stream && violates(in, capture_rule::default_stream))
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    *status = !found->capture               ? CU_STREAM_CAPTURE_STATUS_NONE
              : found->capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                            : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
