// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the embedded GPU's driver: captured, instantiated, launched. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_GRAPH_HPP
#define GPUPROF_HW_SIM_DRIVER_GRAPH_HPP

#include <algorithm> // std::max, std::min
#include <cstddef>   // std::size_t
#include <memory>    // std::make_unique
#include <vector>    // times

#include "run.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// An empty graph; nodes come by capture.
inline CUresult graph_create(CUgraph* graph, unsigned flags) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<graph_state>();
    made->nodes = std::make_shared<graph_nodes const>();
    made->id = ++in.driver.graph_count;
    CUgraph const handle = *graph = in.driver.graphs.add(std::move(made));
    in.held.unlock();
    tell_graph(CUPTI_CBID_RESOURCE_GRAPH_CREATED, {handle, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
    return CUDA_SUCCESS;
}

inline CUresult graph_destroy(CUgraph graph) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph_state const* const found = in.driver.graphs.find(graph);
        found != nullptr && api_callbacks::instance().subscribed()) {
        graph_state const going = *found;
        without_lock const open{in};
        tell_graph_destroyed(graph, *going.nodes, going.id);
    }
    return in.driver.graphs.remove(graph) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// With no list it gives the number of nodes; with one, at most `count` nodes, the rest of the list set to null.
inline CUresult graph_get_nodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr || count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::size_t const all = found->nodes->size();
    if (nodes != nullptr)
        for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all ? (*found->nodes)[i].handle : nullptr;
    *count = nodes != nullptr ? (std::min)(*count, all) : all;
    return CUDA_SUCCESS;
}

// The executable shares the graph's nodes and outlives it. Graphs that the device launches are not supported.
inline CUresult graph_instantiate_with_flags(CUgraphExec* executable, CUgraph graph, unsigned long long flags) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr || executable == nullptr || flags > 15) return CUDA_ERROR_INVALID_VALUE;
    if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) return CUDA_ERROR_NOT_SUPPORTED;
    graph_state const made{found->nodes, ++in.driver.graph_count, found->id};
    CUgraphExec const handle = *executable = in.driver.executables.add(std::make_unique<graph_state>(made));
    in.held.unlock();
    tell_instantiated(graph, *made.nodes, handle, made.id);
    return CUDA_SUCCESS;
}

inline CUresult graph_exec_destroy(CUgraphExec executable) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph_state const* const found = in.driver.executables.find(executable);
        found != nullptr && api_callbacks::instance().subscribed()) {
        graph_state const going = *found;
        without_lock const open{in};
        tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING,
                   {nullptr, nullptr, nullptr, nullptr, 0, nullptr, executable});
        tell_nodes_destroyed(*going.nodes, nullptr, executable, going.id);
    }
    return in.driver.executables.remove(executable) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// Nodes run in the order of their capture until one fails; in simulated time, each as soon as those before it have ended.
inline CUresult graph_launch(CUgraphExec executable, CUstream stream) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    graph_state const* const found = in.driver.executables.find(executable);
    stream_state* into = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (into == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (into->capture) { // a child graph: its nodes, one after the other
        auto const nodes = found->nodes;
        for (graph_node const& node : *nodes) {
            if (into == nullptr || !into->capture) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED; // ended meanwhile
            if (CUresult const status = capture_operation(in, *into, node.work)) return status;
            into = in.ready() ? find_stream(in, stream) : nullptr;
        }
        return CUDA_SUCCESS;
    }
    if (into == &in.context->default_stream)
        if (CUresult const refused = refuse_capture(in, capture_rule::default_stream)) return refused;
    auto const nodes = found->nodes; // a host function may destroy the executable
    operation_origin from{into->id, into->priority, false, found->id, 0, found->source};
    bool const as_a_whole = activity_log::is_on() && activity_log::instance().switches.records(
                                                         CUPTI_ACTIVITY_KIND_GRAPH_TRACE, in.context->handle);
    from.is_recorded = !as_a_whole;
    double const begin = earliest_start(in, *into);
    double end = begin;
    std::vector<double> ends;
    for (graph_node const& node : *nodes) {
        double time = begin;
        for (std::size_t const earlier : node.after) time = (std::max)(time, ends[earlier]);
        from.node = node_id(from.graph, ends.size());
        from.source_node = node_id(from.source_graph, ends.size());
        if (CUresult const status = run_from(in, node.work, time, from)) return status;
        if (in.context->lost != CUDA_SUCCESS) break;
        ends.push_back(time);
        end = (std::max)(end, time);
    }
    into = find_stream(in, stream);
    if (into != nullptr) into->ready = end;
    if (as_a_whole && in.context->lost == CUDA_SUCCESS) record_graph(in, from, {begin, begin, end});
    return CUDA_SUCCESS;
}

// Profilers that were started with collection off listen to these; the embedded GPU has none.
inline CUresult profiler_start() { return enter_context().status; }
inline CUresult profiler_stop() { return enter_context().status; }

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_GRAPH_HPP
