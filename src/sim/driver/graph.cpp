// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <gpuprof/hw/abi/cupti_activity_enums.hpp>

#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "activity.hpp"
#include "capture.hpp"
#include "graph_launches.hpp"
#include "graph_ids.hpp"
#include "resource_callbacks.hpp"
#include "run.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUresult graph_create(CUgraph* graph, unsigned flags) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    auto created = std::make_unique<graph_state>();
    created->nodes = std::make_shared<graph_nodes>();
    created->id = ++in.driver.graph_count;
    CUgraph const handle = *graph = in.driver.graphs.add(std::move(created));
    in.held.unlock();
    tell_graph(CUPTI_CBID_RESOURCE_GRAPH_CREATED, {handle, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
    return CUDA_SUCCESS;
}

// Removes a graph and the bodies of its conditional nodes.
static bool remove_graph(call& in, CUgraph graph) {
    graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr) return false;
    auto const nodes = found->nodes;
    in.driver.graphs.remove(graph);
    for (graph_node const& node : *nodes)
        if (auto const* const conditional = std::get_if<conditional_operation>(&node.work))
            for (CUgraph const body : *conditional->bodies) remove_graph(in, body);
    return true;
}

// Whether CUDA allows the operation in the body of a conditional node: kernels, copies, fills,
// empty and conditional nodes.
[[nodiscard]] static bool is_allowed_in_body(operation const& work) noexcept {
    auto const* const host = std::get_if<host_operation>(&work);
    return !std::holds_alternative<mark_operation>(work) && (host == nullptr || host->function == &empty_node);
}

bool detail::has_conditional_nodes(graph_nodes const& nodes) noexcept {
    return std::any_of(nodes.begin(), nodes.end(),
                       [](graph_node const& node) { return std::holds_alternative<conditional_operation>(node.work); });
}

CUresult detail::freeze(call const& in, graph_state const& graph, bool is_body,
                        std::shared_ptr<graph_nodes const>& nodes, std::vector<std::uint64_t>& conditions) {
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
            auto& body_nodes = conditional->executable.emplace_back();
            if (CUresult const status = freeze(in, *body, true, body_nodes, conditions)) return status;
        }
    }
    nodes = std::move(frozen);
    return CUDA_SUCCESS;
}

CUresult graph_destroy(CUgraph graph) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph_state const* const found = in.driver.graphs.find(graph);
        found != nullptr && shared().callbacks.subscribed()) {
        graph_state const destroyed = *found;
        without_lock const open{in};
        tell_graph_destroyed(graph, *destroyed.nodes, destroyed.id);
    }
    return remove_graph(in, graph) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult graph_get_nodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
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

// A node of a graph; null if no graph has it.
[[nodiscard]] static graph_node const* find_graph_node(call const& in, CUgraphNode handle,
                                                       graph_nodes const** all = nullptr) {
    graph_node const* found = nullptr;
    in.driver.graphs.for_each_entry([&](CUgraph, graph_state const& graph) {
        for (graph_node const& node : *graph.nodes) {
            if (node.handle != handle) continue;
            found = &node;
            if (all != nullptr) *all = graph.nodes.get();
        }
    });
    return found;
}

CUresult graph_node_get_type(CUgraphNode node, CUgraphNodeType* type) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_node const* const found = find_graph_node(in, node);
    if (found == nullptr || type == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const* const host = std::get_if<host_operation>(&found->work);
    bool const is_empty = host != nullptr && host->function == &empty_node;
    *type = is_empty ? CU_GRAPH_NODE_TYPE_EMPTY : static_cast<CUgraphNodeType>(node_type(found->work));
    return CUDA_SUCCESS;
}

CUresult graph_node_get_dependencies(CUgraphNode node, CUgraphNode* earlier, void*, std::size_t* count) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_nodes const* nodes = nullptr;
    graph_node const* const found = find_graph_node(in, node, &nodes);
    if (found == nullptr || count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::size_t const all = found->after.size();
    if (earlier != nullptr)
        for (std::size_t i = 0; i < *count; ++i) earlier[i] = i < all ? (*nodes)[found->after[i]].handle : nullptr;
    *count = earlier != nullptr ? (std::min)(*count, all) : all;
    return CUDA_SUCCESS;
}

CUresult graph_kernel_node_get_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* kernel) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_node const* const found = find_graph_node(in, node);
    if (found == nullptr || kernel == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const* const launch = std::get_if<kernel_operation>(&found->work);
    if (launch == nullptr) return CUDA_ERROR_INVALID_VALUE;
    function_state const* const function = in.driver.functions.find(launch->function);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE; // its module is gone
    auto& parameters = in.driver.told_parameters[node];
    parameters.clear();
    for (kernel_parameter const& each : function->code->parameters)
        parameters.push_back(const_cast<std::byte*>(launch->parameters.data()) + each.offset);
    extent3 const &grid = launch->grid, &block = launch->block;
    *kernel = {launch->function,  grid.x,  grid.y,  grid.z,
               block.x,           block.y, block.z, launch->dynamic_shared_bytes,
               parameters.data(), nullptr, nullptr, function->context};
    return CUDA_SUCCESS;
}

CUresult graph_kernel_node_get_attribute(CUgraphNode node, CUlaunchAttributeID attribute,
                                         CUlaunchAttributeValue* value) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_node const* const found = find_graph_node(in, node);
    auto const* const launch = found != nullptr ? std::get_if<kernel_operation>(&found->work) : nullptr;
    if (launch == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUlaunchAttributeValue answer;
    if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) answer.cooperative = launch->cooperative ? 1 : 0;
    else if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        extent3 const cluster = launch->cluster.x != 0 ? launch->cluster : extent3{};
        answer.clusterDim = {cluster.x, cluster.y, cluster.z};
    } else return CUDA_ERROR_NOT_SUPPORTED;
    *value = answer;
    return CUDA_SUCCESS;
}

// A copy between addresses of any kind of memory is of unified addresses, on both sides.
CUresult graph_memcpy_node_get_params(CUgraphNode node, CUDA_MEMCPY3D* copy) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_node const* const found = find_graph_node(in, node);
    auto const* const work = found != nullptr ? std::get_if<copy_operation>(&found->work) : nullptr;
    if (work == nullptr || copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D told;
    told.srcMemoryType = work->from.device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
    told.srcDevice = work->from.address;
    told.srcPitch = work->from.row;
    told.dstMemoryType = work->to.device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
    told.dstDevice = work->to.address;
    told.dstPitch = work->to.row;
    told.WidthInBytes = work->width;
    told.Height = told.srcHeight = told.dstHeight = work->height;
    told.Depth = 1;
    *copy = told;
    return CUDA_SUCCESS;
}

CUresult graph_memset_node_get_params(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* fill) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_node const* const found = find_graph_node(in, node);
    auto const* const work = found != nullptr ? std::get_if<fill_operation>(&found->work) : nullptr;
    if (work == nullptr || fill == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *fill = {work->to, work->row, work->value, work->element, work->width, work->height};
    return CUDA_SUCCESS;
}

CUresult graph_exec_get_flags(CUgraphExec executable, unsigned long long* flags) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    graph_state const* const found = in.driver.executables.find(executable);
    if (found == nullptr || flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = found->is_for_device ? unsigned{CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH} : 0;
    return CUDA_SUCCESS;
}

// Kernels, copies and fills, and nothing that the host does.
static bool can_be_for_device(graph_nodes const& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [](graph_node const& node) {
        auto const* const host = std::get_if<host_operation>(&node.work);
        return host != nullptr ? host->function == &empty_node
                               : !std::holds_alternative<mark_operation>(node.work) &&
                                     !std::holds_alternative<conditional_operation>(node.work);
    });
}

CUresult graph_instantiate_with_flags(CUgraphExec* executable, CUgraph graph, unsigned long long flags) {
    constexpr unsigned long long all_flags = 15; // of CUgraphInstantiate_flags
    auto in = enter_context();
    if (!in.ready()) return in.status;
    graph_state const* found = in.driver.graphs.find(graph);
    if (found == nullptr || executable == nullptr || flags > all_flags) return CUDA_ERROR_INVALID_VALUE;
    if (capture_into(in, graph)) return CUDA_ERROR_ILLEGAL_STATE;
    if (is_heard(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING)) {
        {
            without_lock const open{in};
            tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING,
                       {graph, nullptr, nullptr, nullptr, 0, nullptr, nullptr});
        }
        if (!in.ready()) return in.status;
        found = in.driver.graphs.find(graph);
        if (found == nullptr) return CUDA_ERROR_INVALID_VALUE; // another thread destroyed it meanwhile
    }
    graph_state instance{nullptr, 0, found->id, {}};
    if (CUresult const refused = detail::freeze(in, *found, false, instance.nodes, instance.conditions)) return refused;
    instance.is_for_device = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0;
    if (instance.is_for_device && !can_be_for_device(*instance.nodes)) return CUDA_ERROR_NOT_SUPPORTED;
    instance.id = ++in.driver.graph_count;
    CUgraphExec const handle = *executable = in.driver.executables.add(std::make_unique<graph_state>(instance));
    in.held.unlock();
    tell_instantiated(graph, *instance.nodes, handle, instance.id);
    return CUDA_SUCCESS;
}

CUresult graph_exec_destroy(CUgraphExec executable) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (graph_state const* const found = in.driver.executables.find(executable);
        found != nullptr && shared().callbacks.subscribed()) {
        graph_state const destroyed = *found;
        without_lock const open{in};
        tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING,
                   {nullptr, nullptr, nullptr, nullptr, 0, nullptr, executable});
        tell_nodes_destroyed(*destroyed.nodes, nullptr, executable, destroyed.id);
    }
    return in.driver.executables.remove(executable) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

[[nodiscard]] static CUresult run_conditional_node(call& in, conditional_operation const& node, double& time,
                                                   operation_origin const& from);

// Runs nodes one after the other until one fails. The first begins at `begin`; `end` becomes the
// time when all have ended.
// @param is_body the nodes are those of a body, which have the numbers of their own graph
[[nodiscard]] static CUresult run_graph_nodes(call& in, graph_nodes const& nodes, bool is_body, double begin,
                                              double& end, operation_origin from) {
    end = begin;
    std::vector<double> ends;
    for (graph_node const& node : nodes) {
        double time = begin;
        for (std::size_t const earlier : node.after) time = (std::max)(time, ends[earlier]);
        from.node = is_body ? node_of_handle(node.handle) : node_id(from.graph, ends.size());
        from.source_node = is_body ? node_of_handle(node.handle) : node_id(from.source_graph, ends.size());
        auto const* const conditional = std::get_if<conditional_operation>(&node.work);
        CUresult const status = conditional != nullptr ? run_conditional_node(in, *conditional, time, from)
                                                       : run_from(in, node.work, time, from);
        if (status != CUDA_SUCCESS) return status;
        if (in.context->lost != CUDA_SUCCESS) break;
        ends.push_back(time);
        end = (std::max)(end, time);
    }
    return CUDA_SUCCESS;
}

// `time` is when the node may begin; it becomes the time when the node has ended.
static CUresult run_conditional_node(call& in, conditional_operation const& node, double& time,
                                     operation_origin const& from) {
    using kind = conditional_operation::kind;
    for (;;) {
        std::uint32_t const value = in.driver.conditions.value(node.condition).value_or(0);
        std::size_t const body = node.what == kind::selection ? value : value != 0 ? 0 : 1;
        if (body >= node.executable.size()) return CUDA_SUCCESS;
        if (CUresult const status = run_graph_nodes(in, *node.executable[body], true, time, time, from)) return status;
        if (node.what != kind::loop || in.context->lost != CUDA_SUCCESS) return CUDA_SUCCESS;
    }
}

// Adds the nodes of a child graph to the stream's capture, one after the other.
[[nodiscard]] static CUresult capture_child_graph(call& in, CUstream handle, graph_nodes const& nodes) {
    if (detail::has_conditional_nodes(nodes)) return CUDA_ERROR_NOT_SUPPORTED; // CUDA has no such child graphs
    for (graph_node const& node : nodes) {
        // Callbacks ran since the last node: they may have ended the capture.
        stream_state* const stream = in.ready() ? find_stream(in, handle) : nullptr;
        if (stream == nullptr || !stream->capture) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
        if (CUresult const status = capture_operation(in, *stream, node.work)) return status;
    }
    return CUDA_SUCCESS;
}

// Runs what the kernels of a graph launched, in the order of the calls, one after the other, each with
// all that it launches: first what belongs to the graph, then tail launches, those of a tail launch
// before the next of its parent. As CUPTI, it records none of their nodes.
[[nodiscard]] static CUresult run_launched_graphs(call& in, graph_launches first, double& end, operation_origin from) {
    std::vector<graph_launches> running(1); // the first is what the host launched into
    running.front().children = std::exchange(first.siblings, {});
    running.push_back(std::move(first));
    from.is_recorded = false;
    while (!running.empty() && in.context->lost == CUDA_SUCCESS) {
        graph_launches& top = running.back();
        bool const is_tail = top.children.empty();
        auto& queue = is_tail ? top.tails : top.children;
        if (queue.empty()) {
            running.pop_back();
            continue;
        }
        graph_launches next;
        next.graph = queue.front();
        queue.pop_front();
        if (is_tail && queue.empty()) running.pop_back(); // a graph may follow itself without end
        graph_state const* const found = in.driver.executables.find(next.graph);
        if (found == nullptr) continue; // destroyed
        auto const nodes = found->nodes;
        from.graph = found->id;
        from.source_graph = found->source;
        in.driver.conditions.begin_launch(found->conditions);
        in.graph = &next;
        double const begin = end;
        CUresult const status = run_graph_nodes(in, *nodes, false, begin, end, from);
        in.graph = nullptr;
        if (status != CUDA_SUCCESS) return status;
        for (CUgraphExec const sibling : std::exchange(next.siblings, {})) running.back().children.push_back(sibling);
        running.push_back(std::move(next));
    }
    return CUDA_SUCCESS;
}

CUresult graph_launch(CUgraphExec executable, CUstream stream) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    graph_state const* const found = in.driver.executables.find(executable);
    stream_state* target = find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (target == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    auto const nodes = found->nodes; // a callback or a host function may destroy the executable
    if (target->capture) return capture_child_graph(in, stream, *nodes);
    if (target == &in.context->default_stream)
        if (CUresult const refused = refuse_capture(in, capture_rule::default_stream)) return refused;
    operation_origin from{target->id, target->priority, false, found->id, 0, found->source};
    bool const as_a_whole = activity_log::is_on() &&
                            shared().activity.switches.records(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, in.context->handle);
    from.is_recorded = !as_a_whole;
    double const begin = earliest_start(in, *target);
    in.driver.conditions.begin_launch(found->conditions);
    double end = begin;
    graph_launches launched;
    launched.graph = executable;
    in.graph = &launched;
    CUresult status = run_graph_nodes(in, *nodes, false, begin, end, from);
    in.graph = nullptr;
    if (status == CUDA_SUCCESS && launched.any()) status = run_launched_graphs(in, std::move(launched), end, from);
    if (status != CUDA_SUCCESS) return status;
    target = find_stream(in, stream);
    if (target != nullptr) target->ready = end;
    if (as_a_whole && in.context->lost == CUDA_SUCCESS) record_graph(in, from, {begin, begin, end});
    return CUDA_SUCCESS;
}

CUresult profiler_start() { return enter_context().status; }

CUresult profiler_stop() { return enter_context().status; }

} // namespace sim::driver
GPUPROF_NAMESPACE_END
