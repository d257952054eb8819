// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the runtime that are made node by node, over the driver's calls for them.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../libcuda/node_parameters.hpp"
#include "runtime.hpp"
#include "texture.hpp"

// Of the driver library: the driver's table does not have them.
using gpuprof::abi::CUcontext;
using gpuprof::abi::CUgraph;
using gpuprof::abi::CUgraphExec;
using gpuprof::abi::CUgraphNode;
using gpuprof::abi::CUresult;
using gpuprof::abi::CUstream;
using gpuprof::abi::CUstreamCaptureMode;
using gpuprof::abi::CUstreamCaptureStatus;
using namespace gpuprof::driver_library;
extern "C" {
CUresult cuGraphAddKernelNode_v2(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, kernel_node_parameters const*);
CUresult cuGraphAddMemcpyNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, copy_node_parameters const*,
                              CUcontext);
CUresult cuGraphAddMemsetNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, fill_node_parameters const*,
                              CUcontext);
CUresult cuGraphAddHostNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, host_node_parameters const*);
CUresult cuGraphAddEmptyNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t);
CUresult cuGraphAddChildGraphNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, CUgraph);
CUresult cuGraphGetRootNodes(CUgraph, CUgraphNode*, std::size_t*);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode*, CUgraphNode*, std::size_t*);
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode*, std::size_t*);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode, CUgraphNode*, std::size_t*);
CUresult cuGraphNodeGetType(CUgraphNode, int*);
CUresult cuGraphAddDependencies(CUgraph, CUgraphNode const*, CUgraphNode const*, std::size_t);
CUresult cuGraphClone(CUgraph*, CUgraph);
CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphNode*, int*);
CUresult cuGraphExecUpdate_v2(CUgraphExec, CUgraph, void*);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode, kernel_node_parameters const*);
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec, CUgraphNode, kernel_node_parameters const*);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec, CUgraphNode, copy_node_parameters const*, CUcontext);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec, CUgraphNode, fill_node_parameters const*, CUcontext);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec, CUgraphNode, host_node_parameters const*);
CUresult cuStreamBeginCaptureToGraph(CUstream, CUgraph, CUgraphNode const*, void const*, std::size_t,
                                     CUstreamCaptureMode);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUgraphNode const*, std::size_t, unsigned);
CUresult cuStreamGetCaptureInfo_v3(CUstream, CUstreamCaptureStatus*, unsigned long long*, CUgraph*, CUgraphNode const**,
                                   void const**, std::size_t*);
}

namespace gpuprof::runtime {
namespace {

struct kernel_parameters { // cudaKernelNodeParams
    void* function;
    dim3 grid;
    dim3 block;
    unsigned shared;
    void** parameters;
    void** extra;
};
struct fill_parameters { // cudaMemsetParams
    void* to;
    std::size_t pitch;
    unsigned value;
    unsigned element;
    std::size_t width;
    std::size_t height;
};

// The driver's form of what the runtime was given.
cuda_error translate(kernel_parameters const* from, kernel_node_parameters& to) {
    if (from == nullptr) return cudaErrorInvalidValue;
    if (cuda_error const error = enter(); error != cudaSuccess) return error;
    to = {nullptr,       from->grid.x,  from->grid.y, from->grid.z,     from->block.x,
          from->block.y, from->block.z, from->shared, from->parameters, from->extra};
    return find_function(from->function, to.function);
}
copy_node_parameters line(void* to, void const* from, std::size_t bytes, int kind) {
    copy_node_parameters copy{};
    direction const along = direction_of(kind);
    copy.src_type = along.from;
    copy.dst_type = along.to;
    copy.src_host = from;
    copy.dst_host = to;
    copy.src_device = device_address(from);
    copy.dst_device = device_address(to);
    copy.src_pitch = copy.dst_pitch = copy.width = bytes;
    copy.src_height = copy.dst_height = copy.height = copy.depth = 1;
    return copy;
}
cuda_error translate(memcpy_3d_parameters const* from, copy_node_parameters& to) {
    if (from == nullptr) return cudaErrorInvalidValue;
    if (cuda_error const error = enter(); error != cudaSuccess) return error;
    to = {};
    return box_of(*from, to);
}
cuda_error translate(fill_parameters const* from, fill_node_parameters& to) {
    if (from == nullptr) return cudaErrorInvalidValue;
    to = {device_address(from->to), from->pitch, from->value, from->element, from->width, from->height};
    return cudaSuccess;
}

cuda_error add_kernel(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                      kernel_parameters const* given) {
    kernel_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphAddKernelNode_v2, made, graph, after, count, &same);
}
cuda_error add_copy(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                    memcpy_3d_parameters const* given) {
    copy_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphAddMemcpyNode, made, graph, after, count, &same, nullptr);
}
cuda_error add_line(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, void* to,
                    void const* from, std::size_t bytes, int kind) {
    copy_node_parameters const copy = line(to, from, bytes, kind);
    return forward(&cuGraphAddMemcpyNode, made, graph, after, count, &copy, nullptr);
}
cuda_error add_fill(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                    fill_parameters const* given) {
    fill_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphAddMemsetNode, made, graph, after, count, &same, nullptr);
}
cuda_error add_host(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                    host_node_parameters const* given) {
    return forward(&cuGraphAddHostNode, made, graph, after, count, given);
}
cuda_error add_empty(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count) {
    return forward(&cuGraphAddEmptyNode, made, graph, after, count);
}
cuda_error add_child(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, CUgraph child) {
    return forward(&cuGraphAddChildGraphNode, made, graph, after, count, child);
}

cuda_error set_kernel(CUgraphNode node, kernel_parameters const* given) {
    kernel_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphKernelNodeSetParams_v2, node, &same);
}
cuda_error set_executable_kernel(CUgraphExec executable, CUgraphNode node, kernel_parameters const* given) {
    kernel_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphExecKernelNodeSetParams_v2, executable, node, &same);
}
cuda_error set_executable_copy(CUgraphExec executable, CUgraphNode node, memcpy_3d_parameters const* given) {
    copy_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphExecMemcpyNodeSetParams, executable, node, &same, nullptr);
}
cuda_error set_executable_line(CUgraphExec executable, CUgraphNode node, void* to, void const* from, std::size_t bytes,
                               int kind) {
    copy_node_parameters const copy = line(to, from, bytes, kind);
    return forward(&cuGraphExecMemcpyNodeSetParams, executable, node, &copy, nullptr);
}
cuda_error set_executable_fill(CUgraphExec executable, CUgraphNode node, fill_parameters const* given) {
    fill_node_parameters same{};
    if (cuda_error const error = translate(given, same); error != cudaSuccess) return keep(error);
    return forward(&cuGraphExecMemsetNodeSetParams, executable, node, &same, nullptr);
}
cuda_error set_executable_host(CUgraphExec executable, CUgraphNode node, host_node_parameters const* given) {
    return forward(&cuGraphExecHostNodeSetParams, executable, node, given);
}

cuda_error get_root_nodes(CUgraph graph, CUgraphNode* list, std::size_t* count) {
    return forward(&cuGraphGetRootNodes, graph, list, count);
}
cuda_error get_type(CUgraphNode node, int* type) { return forward(&cuGraphNodeGetType, node, type); }
cuda_error clone(CUgraph* made, CUgraph graph) { return forward(&cuGraphClone, made, graph); }

// Since CUDA 13 these have a list of what edges carry, which here is nothing: eight bytes of zero for each.
struct edge_data {
    unsigned char bytes[8];
};
void clear(edge_data* edges, std::size_t const* count) {
    for (std::size_t i = 0; edges != nullptr && count != nullptr && i < *count; ++i) edges[i] = {};
}
cuda_error get_edges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
    return forward(&cuGraphGetEdges, graph, from, to, count);
}
cuda_error get_edges_13(CUgraph graph, CUgraphNode* from, CUgraphNode* to, edge_data* edges, std::size_t* count) {
    cuda_error const error = get_edges(graph, from, to, count);
    if (error == cudaSuccess && from != nullptr) clear(edges, count);
    return error;
}
cuda_error get_dependencies(CUgraphNode node, CUgraphNode* list, std::size_t* count) {
    return forward(&cuGraphNodeGetDependencies, node, list, count);
}
cuda_error get_dependencies_13(CUgraphNode node, CUgraphNode* list, edge_data* edges, std::size_t* count) {
    cuda_error const error = get_dependencies(node, list, count);
    if (error == cudaSuccess && list != nullptr) clear(edges, count);
    return error;
}
cuda_error get_dependent_nodes(CUgraphNode node, CUgraphNode* list, std::size_t* count) {
    return forward(&cuGraphNodeGetDependentNodes, node, list, count);
}
cuda_error get_dependent_nodes_13(CUgraphNode node, CUgraphNode* list, edge_data* edges, std::size_t* count) {
    cuda_error const error = get_dependent_nodes(node, list, count);
    if (error == cudaSuccess && list != nullptr) clear(edges, count);
    return error;
}
cuda_error add_dependencies(CUgraph graph, CUgraphNode const* from, CUgraphNode const* to, std::size_t count) {
    return forward(&cuGraphAddDependencies, graph, from, to, count);
}
cuda_error add_dependencies_13(CUgraph graph, CUgraphNode const* from, CUgraphNode const* to, edge_data const*,
                               std::size_t count) {
    return add_dependencies(graph, from, to, count);
}

cuda_error update(CUgraphExec executable, CUgraph graph, void* result) {
    return forward(&cuGraphExecUpdate_v2, executable, graph, result);
}
cuda_error update_11(CUgraphExec executable, CUgraph graph, CUgraphNode* failed, int* result) {
    return forward(&cuGraphExecUpdate, executable, graph, failed, result);
}

cuda_error capture_info(CUstream stream, CUstreamCaptureStatus* status, unsigned long long* id, CUgraph* graph,
                        CUgraphNode const** after, std::size_t* count) {
    return forward(&cuStreamGetCaptureInfo_v3, stream, status, id, graph, after, nullptr, count);
}
cuda_error capture_info_with_edges(CUstream stream, CUstreamCaptureStatus* status, unsigned long long* id,
                                   CUgraph* graph, CUgraphNode const** after, void const** edges, std::size_t* count) {
    return forward(&cuStreamGetCaptureInfo_v3, stream, status, id, graph, after, edges, count);
}
cuda_error begin_capture_to_graph(CUstream stream, CUgraph graph, CUgraphNode const* after, void const* edges,
                                  std::size_t count, int mode) {
    return forward(&cuStreamBeginCaptureToGraph, stream, graph, after, edges, count,
                   static_cast<CUstreamCaptureMode>(mode));
}
cuda_error update_capture(CUstream stream, CUgraphNode const* nodes, std::size_t count, unsigned flags) {
    return forward(&cuStreamUpdateCaptureDependencies, stream, nodes, count, flags);
}
cuda_error update_capture_with_edges(CUstream stream, CUgraphNode const* nodes, void const*, std::size_t count,
                                     unsigned flags) {
    return update_capture(stream, nodes, count, flags);
}
cuda_error capture_info_11(CUstream stream, CUstreamCaptureStatus* status, unsigned long long* id) {
    return capture_info(stream, status, id, nullptr, nullptr, nullptr);
}

} // namespace

std::span<call const> graph_node_calls() {
    bool const has_edges = toolkit >= 13;
    static call const calls[]{
        call::of<&add_kernel>("cudaGraphAddKernelNode"),
        call::of<&add_copy>("cudaGraphAddMemcpyNode"),
        call::of<&add_line>("cudaGraphAddMemcpyNode1D"),
        call::of<&add_fill>("cudaGraphAddMemsetNode"),
        call::of<&add_host>("cudaGraphAddHostNode"),
        call::of<&add_empty>("cudaGraphAddEmptyNode"),
        call::of<&add_child>("cudaGraphAddChildGraphNode"),
        call::of<&set_kernel>("cudaGraphKernelNodeSetParams"),
        call::of<&set_executable_kernel>("cudaGraphExecKernelNodeSetParams"),
        call::of<&set_executable_copy>("cudaGraphExecMemcpyNodeSetParams"),
        call::of<&set_executable_line>("cudaGraphExecMemcpyNodeSetParams1D"),
        call::of<&set_executable_fill>("cudaGraphExecMemsetNodeSetParams"),
        call::of<&set_executable_host>("cudaGraphExecHostNodeSetParams"),
        call::of<&get_root_nodes>("cudaGraphGetRootNodes"),
        call::of<&get_type>("cudaGraphNodeGetType"),
        call::of<&clone>("cudaGraphClone"),
        has_edges ? call::of<&get_edges_13>("cudaGraphGetEdges") : call::of<&get_edges>("cudaGraphGetEdges"),
        call::of<&get_edges_13>("cudaGraphGetEdges_v2"),
        has_edges ? call::of<&get_dependencies_13>("cudaGraphNodeGetDependencies")
                  : call::of<&get_dependencies>("cudaGraphNodeGetDependencies"),
        call::of<&get_dependencies_13>("cudaGraphNodeGetDependencies_v2"),
        has_edges ? call::of<&get_dependent_nodes_13>("cudaGraphNodeGetDependentNodes")
                  : call::of<&get_dependent_nodes>("cudaGraphNodeGetDependentNodes"),
        call::of<&get_dependent_nodes_13>("cudaGraphNodeGetDependentNodes_v2"),
        has_edges ? call::of<&add_dependencies_13>("cudaGraphAddDependencies")
                  : call::of<&add_dependencies>("cudaGraphAddDependencies"),
        call::of<&add_dependencies_13>("cudaGraphAddDependencies_v2"),
        toolkit >= 12 ? call::of<&update>("cudaGraphExecUpdate") : call::of<&update_11>("cudaGraphExecUpdate"),
        call::of<&begin_capture_to_graph>("cudaStreamBeginCaptureToGraph"),
        has_edges ? call::of<&update_capture_with_edges>("cudaStreamUpdateCaptureDependencies")
                  : call::of<&update_capture>("cudaStreamUpdateCaptureDependencies"),
        call::of<&update_capture_with_edges>("cudaStreamUpdateCaptureDependencies_v2"),
        has_edges ? call::of<&capture_info_with_edges>("cudaStreamGetCaptureInfo")
                  : call::of<&capture_info_11>("cudaStreamGetCaptureInfo"),
        call::of<&capture_info>("cudaStreamGetCaptureInfo_v2"),
        call::of<&capture_info_with_edges>("cudaStreamGetCaptureInfo_v3")};
    return calls;
}

} // namespace gpuprof::runtime
