// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capture.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "../gpu/gpu_state.hpp"
#include "graph_ids.hpp"
#include "resource_callbacks.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Calls `f` for each capture that forbids the call; the same capture may come more than once.
template <class F>
static void for_each_capture_that_forbids(call const& in, capture_rule rule, F&& f) {
    auto const look = [&](stream_state const& stream) {
        if (stream.context != in.context->handle || !stream.capture || stream.capture->invalidated) return;
        capture_state& capture = *stream.capture;
        bool const own = capture.thread == std::this_thread::get_id();
        bool const unsafe = capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL ||
                            (capture.mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL && own);
        bool const blocking = (stream.flags & CU_STREAM_NON_BLOCKING) == 0;
        if (rule == capture_rule::no_capture || (rule == capture_rule::safe_call ? unsafe : blocking)) f(capture);
    };
    for (auto const& mine : in.context->thread_streams) look(mine.second);
    in.driver.streams.for_each(look);
}

bool violates(call const& in, capture_rule rule) {
    bool found = false;
    for_each_capture_that_forbids(in, rule, [&](capture_state const&) { found = true; });
    return found;
}

CUresult refuse_capture(call const& in, capture_rule rule) {
    CUresult refusal = CUDA_SUCCESS;
    for_each_capture_that_forbids(in, rule, [&](capture_state& capture) {
        capture.invalidated = true;
        refusal = rule == capture_rule::default_stream ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                                       : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    });
    return refusal;
}

CUresult refuse_captured_stream(call const& in, stream_state& stream) {
    if (!stream.capture) return refuse_capture(in, capture_rule::safe_call);
    stream.capture->invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult capture_operation(call& in, stream_state& stream, operation work) {
    capture_state& capture = *stream.capture;
    if (capture.invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    CUgraphNode const handle = node_handle(node_id(capture.graph_id, capture.nodes.size()));
    unsigned const type = node_type(work);
    bool const is_subscribed = shared().callbacks.subscribed();
    std::vector<CUgraphNode> after;
    if (is_subscribed)
        for (std::size_t const earlier : stream.frontier) after.push_back(capture.nodes[earlier].handle);
    capture.nodes.push_back({std::move(work), stream.frontier, handle});
    stream.frontier = {capture.nodes.size() - 1};
    if (is_subscribed) {
        CUgraph const graph = capture.graph;
        without_lock const open{in};
        tell_node_created(graph, handle, type, after);
    }
    return CUDA_SUCCESS;
}

bool is_joined(capture_state const& capture, std::vector<std::size_t> const& origin_frontier) {
    std::vector<bool> seen(capture.nodes.size(), false);
    for (std::size_t const last : origin_frontier) seen[last] = true;
    for (std::size_t const excused : capture.excused) seen[excused] = true;
    for (std::size_t i = capture.nodes.size(); i-- > 0;) {
        if (!seen[i]) return false;
        for (std::size_t const earlier : capture.nodes[i].after) seen[earlier] = true;
    }
    return true;
}

std::optional<std::size_t> place_of(graph_nodes const& nodes, CUgraphNode handle) {
    std::size_t const place = index_of_node(node_of_handle(handle));
    if (place >= nodes.size() || nodes[place].handle != handle) return std::nullopt;
    return place;
}

std::shared_ptr<capture_state> capture_into(call const& in, CUgraph graph) {
    std::shared_ptr<capture_state> found;
    auto const look = [&](stream_state const& stream) {
        if (stream.capture && stream.capture->graph == graph) found = stream.capture;
    };
    for (auto const& mine : in.context->thread_streams) look(mine.second);
    in.driver.streams.for_each(look);
    return found;
}

void join_frontiers(std::vector<std::size_t>& frontier, std::vector<std::size_t> const& more) {
    for (std::size_t const node : more)
        if (std::find(frontier.begin(), frontier.end(), node) == frontier.end()) frontier.push_back(node);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
