// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs made node by node, looked at, copied and changed: cuGraphAdd…, cuGraph…Get…, cuGraphExec….
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../sim/driver/capture.hpp"
#include "../sim/driver/copy.hpp"
#include "../sim/driver/graph.hpp"
#include "../sim/driver/graph_ids.hpp"
#include "../sim/driver/kernel.hpp"
#include "../sim/driver/launch.hpp"
#include "../sim/driver/resource_callbacks.hpp"
#include "../sim/driver/state.hpp"
#include "../sim/driver/transfer.hpp"

#include "array_copies.hpp"
#include "call.hpp"
#include "graph_nodes.hpp"
#include "node_parameters.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;
using driver::graph_node;
using driver::graph_nodes;

// CUgraphNodeType.
enum node_type : int { kernel_node, copy_node, fill_node, host_node, child_node, empty_node };

int type_of(driver::operation const& work) {
    auto const* const host = std::get_if<driver::host_operation>(&work);
    return host != nullptr && host->function == &driver::empty_node ? static_cast<int>(empty_node)
                                                                    : static_cast<int>(driver::node_type(work));
}
static_assert(std::is_same_v<std::variant_alternative_t<kernel_node, driver::operation>, driver::kernel_operation>);
static_assert(std::is_same_v<std::variant_alternative_t<copy_node, driver::operation>, driver::copy_operation>);
static_assert(std::is_same_v<std::variant_alternative_t<fill_node, driver::operation>, driver::fill_operation>);
static_assert(std::is_same_v<std::variant_alternative_t<host_node, driver::operation>, driver::host_operation>);

// The graph that a node is of, and its place there.
struct found_node {
    driver::graph_state* graph = nullptr;
    std::size_t place = 0;
};
found_node find_node(driver::call& in, CUgraphNode handle) {
    found_node found;
    in.driver.graphs.for_each_entry([&](CUgraph, driver::graph_state const& graph) {
        if (auto const place = place_of(*graph.nodes, handle))
            found = {const_cast<driver::graph_state*>(&graph), *place};
    });
    return found;
}

// Executables share the nodes of their graph: a change of what is shared is one of a copy. Nodes are constant only for those
// who share them.
graph_nodes& own(std::shared_ptr<graph_nodes const>& nodes) {
    if (nodes.use_count() == 1) return const_cast<graph_nodes&>(*nodes);
    auto copy = std::make_shared<graph_nodes>(*nodes);
    graph_nodes& changed = *copy;
    nodes = std::move(copy);
    return changed;
}

CUresult add(driver::call& in, CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
             driver::operation work) {
    driver::graph_state* const to = in.driver.graphs.find(graph);
    auto const capture = driver::capture_into(in, graph); // then the nodes are the capture's until it ends
    if (made == nullptr || (to == nullptr && !capture) || (after == nullptr && count != 0))
        return CUDA_ERROR_INVALID_VALUE;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
        auto const place = place_of(capture ? capture->nodes : *to->nodes, after[i]);
        if (!place) return CUDA_ERROR_INVALID_VALUE;
        places.push_back(*place);
    }
    if (capture) {
        capture->excused.push_back(capture->nodes.size());
        *made = driver::node_handle(driver::node_id(capture->graph_id, capture->nodes.size()));
        capture->nodes.push_back({std::move(work), std::move(places), *made});
        return CUDA_SUCCESS;
    }
    *made = driver::node_handle(driver::node_id(to->id, to->nodes->size()));
    own(to->nodes).push_back({std::move(work), std::move(places), *made});
    return CUDA_SUCCESS;
}

// Parameters of nodes as operations; nothing for those that cannot be.
CUresult read(driver::call& in, kernel_node_parameters const* from, driver::operation& to) {
    if (from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    driver::kernel_operation launch{from->function,
                                    {from->grid_x, from->grid_y, from->grid_z},
                                    {from->block_x, from->block_y, from->block_z},
                                    from->shared,
                                    false,
                                    {}};
    driver::function_state const* const function = driver::find_function(in, launch.function);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const status =
            driver::detail::gather_parameters(*function->code, from->parameters, from->extra, launch.parameters))
        return status;
    if (CUresult const status = check(in, launch)) return status;
    to = std::move(launch);
    return CUDA_SUCCESS;
}
CUresult read(driver::call& in, copy_node_parameters const* from, driver::operation& to) {
    if (from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    copy_node_parameters flat = *from;
    if (CUresult const status = flatten(in, flat)) return status;
    bool const is_solid = flat.src_height == flat.height && flat.dst_height == flat.height; // layers follow each other
    if (flat.depth > 1 && !is_solid) return CUDA_ERROR_NOT_SUPPORTED;
    if (flat.width == 0 || flat.height == 0 || flat.depth == 0) {
        to = driver::copy_operation{}; // which moves nothing
        return CUDA_SUCCESS;
    }
    auto const height = driver::detail::rows_before(flat.depth, flat.height, 0);
    if (!height) return CUDA_ERROR_INVALID_VALUE;
    flat.height = *height;
    auto const rows = [&](CUmemorytype type, void const* host, CUdeviceptr device, std::size_t pitch, std::size_t x,
                          std::size_t y, std::size_t z, std::size_t layer) -> std::optional<driver::place_of_rows> {
        auto const row = driver::detail::rows_before(z, layer, y);
        std::uint64_t const base = type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uintptr_t>(host) : device;
        return row ? driver::detail::rows_of(type, base, pitch, x, *row, flat.width) : std::nullopt;
    };
    auto const target = rows(flat.dst_type, flat.dst_host, flat.dst_device, flat.dst_pitch, flat.dst_x, flat.dst_y,
                             flat.dst_z, flat.dst_height);
    auto const source = rows(flat.src_type, flat.src_host, flat.src_device, flat.src_pitch, flat.src_x, flat.src_y,
                             flat.src_z, flat.src_height);
    if (!target || !source) return CUDA_ERROR_INVALID_VALUE;
    driver::copy_operation const copy{*target, *source, flat.width, flat.height};
    if (CUresult const status = check(in, copy)) return status;
    to = copy;
    return CUDA_SUCCESS;
}
CUresult read(driver::call& in, fill_node_parameters const* from, driver::operation& to) {
    if (from == nullptr || (from->element != 1 && from->element != 2 && from->element != 4))
        return CUDA_ERROR_INVALID_VALUE;
    driver::fill_operation const fill{from->to, from->pitch, from->value, from->element, from->width, from->height};
    if (CUresult const status = check(in, fill)) return status;
    to = fill;
    return CUDA_SUCCESS;
}
CUresult read(driver::call&, host_node_parameters const* from, driver::operation& to) {
    if (from == nullptr || from->function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    to = driver::host_operation{from->function, from->data};
    return CUDA_SUCCESS;
}

template <class Parameters>
CUresult add_node(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                  Parameters const* parameters) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::operation work;
    if (CUresult const status = read(in, parameters, work)) return status;
    return add(in, made, graph, after, count, std::move(work));
}
CUresult add_copy_node(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                       copy_node_parameters const* parameters, CUcontext) {
    return add_node(made, graph, after, count, parameters);
}
CUresult add_fill_node(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                       fill_node_parameters const* parameters, CUcontext) {
    return add_node(made, graph, after, count, parameters);
}
CUresult add_empty_node(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count) {
    auto in = driver::enter_context();
    return in.ready() ? add(in, made, graph, after, count, driver::host_operation{&driver::empty_node, nullptr})
                      : in.status;
}

// The child's nodes become the graph's, between an empty node that begins them and one that ends them and has the handle.
CUresult add_child_graph(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, CUgraph child) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::graph_state const* const from = in.driver.graphs.find(child);
    if (from == nullptr || graph == child) return CUDA_ERROR_INVALID_VALUE;
    auto const nodes = from->nodes;
    if (driver::detail::has_conditional_nodes(*nodes)) return CUDA_ERROR_NOT_SUPPORTED; // nor has CUDA
    driver::host_operation const mark{&driver::empty_node, nullptr};
    if (CUresult const status = add(in, made, graph, after, count, mark)) return status;
    std::vector<bool> has_successor(nodes->size(), false);
    for (graph_node const& node : *nodes)
        for (std::size_t const earlier : node.after) has_successor[earlier] = true;
    std::vector<CUgraphNode> handles;
    std::vector<CUgraphNode> ends;
    for (std::size_t i = 0; i < nodes->size(); ++i) {
        std::vector<CUgraphNode> before;
        for (std::size_t const earlier : (*nodes)[i].after) before.push_back(handles[earlier]);
        if (before.empty()) before.push_back(*made);
        CUgraphNode copy = nullptr;
        if (CUresult const status = add(in, &copy, graph, before.data(), before.size(), (*nodes)[i].work))
            return status;
        handles.push_back(copy);
        if (!has_successor[i]) ends.push_back(copy);
    }
    return ends.empty() ? CUDA_SUCCESS : add(in, made, graph, ends.data(), ends.size(), mark);
}

// As many handles as there is room for, or only their number.
CUresult give(std::vector<CUgraphNode> const& all, CUgraphNode* list, std::size_t* count) {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (list != nullptr)
        for (std::size_t i = 0; i < *count; ++i) list[i] = i < all.size() ? all[i] : nullptr;
    *count = list != nullptr ? std::min(*count, all.size()) : all.size();
    return CUDA_SUCCESS;
}

CUresult get_root_nodes(CUgraph graph, CUgraphNode* list, std::size_t* count) {
    auto const in = driver::enter();
    if (!in.ready()) return in.status;
    driver::graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> roots;
    for (graph_node const& node : *found->nodes)
        if (node.after.empty()) roots.push_back(node.handle);
    return give(roots, list, count);
}

CUresult get_edges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
    auto const in = driver::enter();
    if (!in.ready()) return in.status;
    driver::graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> begins, ends;
    for (graph_node const& node : *found->nodes)
        for (std::size_t const earlier : node.after) {
            begins.push_back((*found->nodes)[earlier].handle);
            ends.push_back(node.handle);
        }
    std::size_t room = *count;
    if (CUresult const status = give(begins, from, &room)) return status;
    return give(ends, to, count);
}

CUresult get_dependencies(CUgraphNode handle, CUgraphNode* list, std::size_t* count) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    found_node const found = find_node(in, handle);
    if (found.graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
    graph_nodes const& nodes = *found.graph->nodes;
    std::vector<CUgraphNode> before;
    for (std::size_t const earlier : nodes[found.place].after) before.push_back(nodes[earlier].handle);
    return give(before, list, count);
}

CUresult get_dependent_nodes(CUgraphNode handle, CUgraphNode* list, std::size_t* count) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    found_node const found = find_node(in, handle);
    if (found.graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> later;
    for (graph_node const& node : *found.graph->nodes)
        if (std::find(node.after.begin(), node.after.end(), found.place) != node.after.end())
            later.push_back(node.handle);
    return give(later, list, count);
}

CUresult get_type(CUgraphNode handle, int* type) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    found_node const found = find_node(in, handle);
    if (found.graph == nullptr || type == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *type = type_of((*found.graph->nodes)[found.place].work);
    return CUDA_SUCCESS;
}

// Nodes stay in an order that respects their dependencies, so one can only come to depend on an earlier one.
CUresult add_dependencies(CUgraph graph, CUgraphNode const* from, CUgraphNode const* to, std::size_t count) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    driver::graph_state* const found = in.driver.graphs.find(graph);
    if (found == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
        auto const before = place_of(*found->nodes, from[i]);
        auto const after = place_of(*found->nodes, to[i]);
        if (!before || !after) return CUDA_ERROR_INVALID_VALUE;
        if (*before >= *after) return CUDA_ERROR_NOT_SUPPORTED;
    }
    graph_nodes& nodes = own(found->nodes);
    for (std::size_t i = 0; i < count; ++i)
        driver::join_frontiers(nodes[*place_of(nodes, to[i])].after, {*place_of(nodes, from[i])});
    return CUDA_SUCCESS;
}

CUresult clone(CUgraph* made, CUgraph graph) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    driver::graph_state const* const found = in.driver.graphs.find(graph);
    if (found == nullptr || made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (driver::detail::has_conditional_nodes(*found->nodes)) return CUDA_ERROR_NOT_SUPPORTED; // nor has CUDA
    auto copy = std::make_unique<driver::graph_state>(*found);
    copy->id = ++in.driver.graph_count;
    graph_nodes& nodes = own(copy->nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].handle = driver::node_handle(driver::node_id(copy->id, i));
    *made = in.driver.graphs.add(std::move(copy));
    return CUDA_SUCCESS;
}

// How the nodes of a graph differ from an executable's: CUgraphExecUpdateResult, 0 for other parameters alone. Conditional
// nodes stay of their kind and size; their handles are the new graph's, with their values at launch.
int difference(graph_nodes const& now, graph_nodes const& then) {
    constexpr int topology_changed = 2, type_changed = 3, not_supported = 6;
    if (now.size() != then.size()) return topology_changed;
    int result = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].after != then[i].after) result = topology_changed;
        else if (type_of(now[i].work) != type_of(then[i].work)) result = type_changed;
        auto const* const before = std::get_if<driver::conditional_operation>(&now[i].work);
        if (before == nullptr || result != 0) continue;
        auto const& after = std::get<driver::conditional_operation>(then[i].work);
        if (before->what != after.what || before->executable.size() != after.executable.size()) return not_supported;
        for (std::size_t body = 0; body < after.executable.size() && result == 0; ++body)
            result = difference(*before->executable[body], *after.executable[body]);
    }
    return result;
}

// The same graph with other parameters: then an executable takes its nodes.
CUresult update(CUgraphExec executable, CUgraph graph, int& result) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    driver::graph_state* const to = in.driver.executables.find(executable);
    driver::graph_state const* const from = in.driver.graphs.find(graph);
    if (to == nullptr || from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::shared_ptr<graph_nodes const> nodes;
    std::vector<std::uint64_t> conditions;
    if (CUresult const status = driver::detail::freeze(in, *from, false, nodes, conditions)) return status;
    result = difference(*to->nodes, *nodes);
    if (result != 0) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    to->nodes = std::move(nodes);
    to->conditions = std::move(conditions);
    in.held.unlock();
    driver::tell_graph(CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED,
                       {graph, nullptr, nullptr, nullptr, 0, nullptr, executable});
    return CUDA_SUCCESS;
}
CUresult update_v1(CUgraphExec executable, CUgraph graph, CUgraphNode* failed, int* result) {
    int why = 1;
    CUresult const status = update(executable, graph, why);
    if (failed != nullptr) *failed = nullptr;
    if (result != nullptr) *result = why;
    return status;
}
struct update_result { // CUgraphExecUpdateResultInfo
    int result;
    CUgraphNode failed;
    CUgraphNode from;
};
CUresult update_v2(CUgraphExec executable, CUgraph graph, update_result* result) {
    int why = 1;
    CUresult const status = update(executable, graph, why);
    if (result != nullptr) *result = {why, nullptr, nullptr};
    return status;
}

// Other parameters for a node of a graph, or for the node of an executable that was made of it.
template <class Parameters>
CUresult set_parameters(CUgraphNode handle, Parameters const* parameters) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    found_node const found = find_node(in, handle);
    if (found.graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
    driver::operation work;
    if (CUresult const status = read(in, parameters, work)) return status;
    if (work.index() != (*found.graph->nodes)[found.place].work.index()) return CUDA_ERROR_INVALID_VALUE;
    own(found.graph->nodes)[found.place].work = std::move(work);
    return CUDA_SUCCESS;
}
template <class Parameters>
CUresult set_executable_parameters(CUgraphExec executable, CUgraphNode handle, Parameters const* parameters) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::graph_state* const found = in.driver.executables.find(executable);
    auto const place = found == nullptr ? std::nullopt : place_of(*found->nodes, handle);
    if (!place) return CUDA_ERROR_INVALID_VALUE;
    driver::operation work;
    if (CUresult const status = read(in, parameters, work)) return status;
    if (work.index() != (*found->nodes)[*place].work.index()) return CUDA_ERROR_INVALID_VALUE;
    unsigned const type = driver::node_type(work);
    own(found->nodes)[*place].work = std::move(work);
    in.held.unlock();
    driver::tell_graph(CUPTI_CBID_RESOURCE_GRAPH_NODE_SET_PARAMS,
                       {nullptr, nullptr, handle, nullptr, type, nullptr, executable});
    return CUDA_SUCCESS;
}
CUresult set_executable_copy(CUgraphExec executable, CUgraphNode node, copy_node_parameters const* parameters,
                             CUcontext) {
    return set_executable_parameters(executable, node, parameters);
}
CUresult set_executable_fill(CUgraphExec executable, CUgraphNode node, fill_node_parameters const* parameters,
                             CUcontext) {
    return set_executable_parameters(executable, node, parameters);
}

// What a stream is capturing. The list of nodes lives until the next such call for the stream.
CUresult capture_info(CUstream stream, CUstreamCaptureStatus* status, unsigned long long* id, CUgraph* graph,
                      CUgraphNode const** after, std::size_t* count) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::stream_state* const found = driver::find_stream(in, stream);
    if (found == nullptr || status == nullptr)
        return found == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!found->capture) return CUDA_SUCCESS;
    driver::capture_state const& capture = *found->capture;
    *status = capture.invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    auto& handles = found->told_frontier;
    handles.clear();
    for (std::size_t const node : found->frontier) handles.push_back(capture.nodes[node].handle);
    if (id != nullptr) *id = capture.graph_id;
    if (graph != nullptr) *graph = capture.graph;
    if (after != nullptr) *after = handles.data();
    if (count != nullptr) *count = handles.size();
    return CUDA_SUCCESS;
}
CUresult capture_info_v1(CUstream stream, CUstreamCaptureStatus* status, unsigned long long* id) {
    return capture_info(stream, status, id, nullptr, nullptr, nullptr);
}
CUresult capture_info_v3(CUstream stream, CUstreamCaptureStatus* status, unsigned long long* id, CUgraph* graph,
                         CUgraphNode const** after, void const** edges, std::size_t* count) {
    if (edges != nullptr) *edges = nullptr; // every edge is an ordinary one
    return capture_info(stream, status, id, graph, after, count);
}

} // namespace

CUresult add_operation(driver::call& in, CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                       driver::operation work) {
    return add(in, made, graph, after, count, std::move(work));
}
driver::operation const* operation_of(driver::call& in, CUgraphNode node) {
    found_node const found = find_node(in, node);
    return found.graph == nullptr ? nullptr : &(*found.graph->nodes)[found.place].work;
}

std::span<call const> graph_node_calls() {
    static call const calls[]{
        call::of<&add_node<kernel_node_parameters>>("cuGraphAddKernelNode"),
        call::of<&add_node<kernel_node_parameters>>("cuGraphAddKernelNode_v2"),
        call::of<&add_copy_node>("cuGraphAddMemcpyNode"),
        call::of<&add_fill_node>("cuGraphAddMemsetNode"),
        call::of<&add_node<host_node_parameters>>("cuGraphAddHostNode"),
        call::of<&add_empty_node>("cuGraphAddEmptyNode"),
        call::of<&add_child_graph>("cuGraphAddChildGraphNode"),
        call::of<&get_root_nodes>("cuGraphGetRootNodes"),
        call::of<&get_edges>("cuGraphGetEdges"),
        call::of<&get_dependencies>("cuGraphNodeGetDependencies"),
        call::of<&get_dependent_nodes>("cuGraphNodeGetDependentNodes"),
        call::of<&get_type>("cuGraphNodeGetType"),
        call::of<&add_dependencies>("cuGraphAddDependencies"),
        call::of<&clone>("cuGraphClone"),
        call::of<&update_v1>("cuGraphExecUpdate"),
        call::of<&update_v2>("cuGraphExecUpdate_v2"),
        call::of<&set_parameters<kernel_node_parameters>>("cuGraphKernelNodeSetParams"),
        call::of<&set_parameters<kernel_node_parameters>>("cuGraphKernelNodeSetParams_v2"),
        call::of<&set_parameters<copy_node_parameters>>("cuGraphMemcpyNodeSetParams"),
        call::of<&set_parameters<fill_node_parameters>>("cuGraphMemsetNodeSetParams"),
        call::of<&set_parameters<host_node_parameters>>("cuGraphHostNodeSetParams"),
        call::of<&set_executable_parameters<kernel_node_parameters>>("cuGraphExecKernelNodeSetParams"),
        call::of<&set_executable_parameters<kernel_node_parameters>>("cuGraphExecKernelNodeSetParams_v2"),
        call::of<&set_executable_copy>("cuGraphExecMemcpyNodeSetParams"),
        call::of<&set_executable_fill>("cuGraphExecMemsetNodeSetParams"),
        call::of<&set_executable_parameters<host_node_parameters>>("cuGraphExecHostNodeSetParams"),
        call::of<&capture_info_v1>("cuStreamGetCaptureInfo"),
        call::of<&capture_info>("cuStreamGetCaptureInfo_v2"),
        call::of<&capture_info_v3>("cuStreamGetCaptureInfo_v3")};
    return calls;
}

} // namespace gpuprof::driver_library
