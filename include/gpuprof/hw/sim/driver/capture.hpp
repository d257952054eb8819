// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a stream capture forbids, and what becomes of a stream that is captured. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_CAPTURE_HPP
#define GPUPROF_HW_SIM_DRIVER_CAPTURE_HPP

#include <algorithm> // std::find
#include <cstddef>   // std::size_t
#include <memory>    // captures are shared
#include <optional>  // a place, or none
#include <thread>    // who captures
#include <utility>   // std::move
#include <vector>    // frontiers

#include "graph_ids.hpp"
#include "happenings.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// What captures of the context forbid; a call that does it fails and spoils them.
enum class capture_rule : unsigned char {
    no_capture,    // waits for everything: none may be under way
    safe_call,     // allocates, frees, waits for a stream: none in global mode, none of this thread that is not relaxed
    default_stream // works on the default stream, which every stream that is not non-blocking waits for
};

// Calls f for each capture that forbids it; a capture may come more than once.
template <class F>
void for_each_violated(call const& in, capture_rule rule, F&& f) {
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

[[nodiscard]] inline bool violates(call const& in, capture_rule rule) {
    bool any = false;
    for_each_violated(in, rule, [&](capture_state const&) { any = true; });
    return any;
}

[[nodiscard]] inline CUresult refuse_capture(call const& in, capture_rule rule) {
    CUresult refusal = CUDA_SUCCESS;
    for_each_violated(in, rule, [&](capture_state& capture) {
        capture.invalidated = true;
        refusal = rule == capture_rule::default_stream ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                                       : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    });
    return refusal;
}

// For calls that ask about a stream or wait for it: what is captured has not happened.
[[nodiscard]] inline CUresult refuse_captured_stream(call const& in, stream_state& stream) {
    if (!stream.capture) return refuse_capture(in, capture_rule::safe_call);
    stream.capture->invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

// Work for a stream that is captured becomes a node.
// The lock is given away while that is made known: look up again what is needed after it.
[[nodiscard]] inline CUresult capture_operation(call& in, stream_state& stream, operation work) {
    capture_state& capture = *stream.capture;
    if (capture.invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    CUgraphNode const handle = node_handle(node_id(capture.graph_id, capture.nodes.size()));
    unsigned const type = node_type(work);
    bool const told = api_callbacks::instance().subscribed();
    std::vector<CUgraphNode> after;
    if (told)
        for (std::size_t const earlier : stream.frontier) after.push_back(capture.nodes[earlier].handle);
    capture.nodes.push_back({std::move(work), stream.frontier, handle});
    stream.frontier = {capture.nodes.size() - 1};
    if (told) {
        CUgraph const graph = capture.graph;
        without_lock const open{in};
        tell_node_created(graph, handle, type, after);
    }
    return CUDA_SUCCESS;
}

// Whether everything in the capture comes before what the origin would capture next.
[[nodiscard]] inline bool is_joined(capture_state const& capture, std::vector<std::size_t> const& origin_frontier) {
    std::vector<bool> seen(capture.nodes.size(), false);
    for (std::size_t const last : origin_frontier) seen[last] = true;
    for (std::size_t const excused : capture.excused) seen[excused] = true;
    for (std::size_t i = capture.nodes.size(); i-- > 0;) {
        if (!seen[i]) return false;
        for (std::size_t const earlier : capture.nodes[i].after) seen[earlier] = true;
    }
    return true;
}

// A node's place among others, if it is there.
[[nodiscard]] inline std::optional<std::size_t> place_of(graph_nodes const& nodes, CUgraphNode handle) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].handle == handle) return i;
    return std::nullopt;
}

// The capture under way that adds to a graph, or makes it; null when none does.
[[nodiscard]] inline std::shared_ptr<capture_state> capture_into(call const& in, CUgraph graph) {
    std::shared_ptr<capture_state> found;
    auto const look = [&](stream_state const& stream) {
        if (stream.capture && stream.capture->graph == graph) found = stream.capture;
    };
    for (auto const& mine : in.context->thread_streams) look(mine.second);
    in.driver.streams.for_each(look);
    return found;
}

inline void join_frontiers(std::vector<std::size_t>& into, std::vector<std::size_t> const& more) {
    for (std::size_t const node : more)
        if (std::find(into.begin(), into.end(), node) == into.end()) into.push_back(node);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_CAPTURE_HPP
