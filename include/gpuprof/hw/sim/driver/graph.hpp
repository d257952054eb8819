// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the embedded GPU's driver: captured, instantiated, launched. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_GRAPH_HPP
#define GPUPROF_HW_SIM_DRIVER_GRAPH_HPP

#include <algorithm> // std::max, std::min
#include <cstddef>   // std::size_t
#include <cstdint>   // std::uint64_t, std::uint32_t
#include <memory>    // std::make_unique
#include <variant>   // conditional nodes
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

namespace detail {

// The bodies of its conditional nodes go with a graph.
inline bool remove_graph(call& in, CUgraph graph) {
    graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr) return false;
    auto const nodes = found->nodes;
    in.driver.graphs.remove(graph);
    for (graph_node const& node : *nodes)
        if (auto const* const conditional = std::get_if<conditional_operation>(&node.work))
            for (CUgraph const body : *conditional->bodies) remove_graph(in, body);
    return true;
}

// In bodies of conditional nodes CUDA allows kernels, copies, fills, empty and conditional nodes.
[[nodiscard]] inline bool is_allowed_in_body(operation const& work) noexcept {
    auto const* const host = std::get_if<host_operation>(&work);
    return !std::holds_alternative<mark_operation>(work) && (host == nullptr || host->function == &empty_node);
}

[[nodiscard]] inline bool has_conditional_nodes(graph_nodes const& nodes) noexcept {
    return std::any_of(nodes.begin(), nodes.end(),
                       [](graph_node const& node) { return std::holds_alternative<conditional_operation>(node.work); });
}

// The nodes of a graph as an executable has them: with what the bodies of conditional nodes are now. Adds their conditions
// to the executable's.
[[nodiscard]] inline CUresult freeze(call const& in, graph_state const& graph, bool is_body,
                                     std::shared_ptr<graph_nodes const>& nodes,
                                     std::vector<std::uint64_t>& conditions) {
    conditions.insert(conditions.end(), graph.conditions.begin(), graph.conditions.end());
    nodes = graph.nodes;
    if (is_body)
        for (graph_node const& node : *nodes)
            if (!is_allowed_in_body(node.work)) return CUDA_ERROR_NOT_SUPPORTED;
    if (!has_conditional_nodes(*nodes)) return CUDA_SUCCESS;
    auto frozen = std::make_shared<graph_nodes>(*nodes);
    for (graph_node& node : *frozen) {
        auto* const conditional = std::get_if<conditional_operation>(&node.work);
        if (conditional == nullptr) continue;
        for (CUgraph const handle : *conditional->bodies) {
            graph_state const* const body = in.driver.graphs.find(handle);
            if (body == nullptr) return CUDA_ERROR_INVALID_VALUE;
            auto& into = conditional->executable.emplace_back();
            if (CUresult const status = freeze(in, *body, true, into, conditions)) return status;
        }
    }
    nodes = std::move(frozen);
    return CUDA_SUCCESS;
}

} // namespace detail

inline CUresult graph_destroy(CUgraph graph) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph_state const* const found = in.driver.graphs.find(graph);
        found != nullptr && api_callbacks::instance().subscribed()) {
        graph_state const going = *found;
        without_lock const open{in};
        tell_graph_destroyed(graph, *going.nodes, going.id);
    }
    return detail::remove_graph(in, graph) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
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
    if (capture_into(in, graph)) return CUDA_ERROR_ILLEGAL_STATE;
    graph_state made{nullptr, 0, found->id, {}};
    if (CUresult const refused = detail::freeze(in, *found, false, made.nodes, made.conditions)) return refused;
    made.id = ++in.driver.graph_count;
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

namespace detail {

[[nodiscard]] inline CUresult run_conditional(call& in, conditional_operation const& node, double& time,
                                              operation_origin const& from);

// Runs nodes one after the other until one fails, the first at `begin`; `end` becomes the time when all have ended.
// @param is_body nodes of a body have the numbers of their own graph
[[nodiscard]] inline CUresult run_nodes(call& in, graph_nodes const& nodes, bool is_body, double begin, double& end,
                                        operation_origin from) {
    end = begin;
    std::vector<double> ends;
    for (graph_node const& node : nodes) {
        double time = begin;
        for (std::size_t const earlier : node.after) time = (std::max)(time, ends[earlier]);
        from.node = is_body ? node_of_handle(node.handle) : node_id(from.graph, ends.size());
        from.source_node = is_body ? node_of_handle(node.handle) : node_id(from.source_graph, ends.size());
        auto const* const conditional = std::get_if<conditional_operation>(&node.work);
        CUresult const status = conditional != nullptr ? run_conditional(in, *conditional, time, from)
                                                       : run_from(in, node.work, time, from);
        if (status != CUDA_SUCCESS) return status;
        if (in.context->lost != CUDA_SUCCESS) break;
        ends.push_back(time);
        end = (std::max)(end, time);
    }
    return CUDA_SUCCESS;
}

// `time` is when the node may begin, and becomes the time when it has ended.
inline CUresult run_conditional(call& in, conditional_operation const& node, double& time,
                                operation_origin const& from) {
    using kind = conditional_operation::kind;
    for (;;) {
        std::uint32_t const value = in.driver.conditions.value(node.condition).value_or(0);
        std::size_t const body = node.what == kind::selection ? value : value != 0 ? 0 : 1;
        if (body >= node.executable.size()) return CUDA_SUCCESS;
        if (CUresult const status = run_nodes(in, *node.executable[body], true, time, time, from)) return status;
        if (node.what != kind::loop || in.context->lost != CUDA_SUCCESS) return CUDA_SUCCESS;
    }
}

} // namespace detail

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
        if (detail::has_conditional_nodes(*nodes)) return CUDA_ERROR_NOT_SUPPORTED; // CUDA has no such child graphs
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
    in.driver.conditions.begin_launch(found->conditions);
    double end = begin;
    if (CUresult const status = detail::run_nodes(in, *nodes, false, begin, end, from)) return status;
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
