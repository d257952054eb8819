// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs for memory and events, conditional nodes, and nodes of any kind by one call, over the driver's.
#include <cstddef>
#include <cstdint>

#include "../libcuda/node_parameters.hpp"
#include "runtime.hpp"

using gpuprof::abi::CUcontext;
using gpuprof::abi::CUdeviceptr;
using gpuprof::abi::CUevent;
using gpuprof::abi::CUgraph;
using gpuprof::abi::CUgraphNode;
using gpuprof::abi::CUresult;
using gpuprof::driver_library::allocation_node_parameters;
using gpuprof::driver_library::any_node_parameters;
using gpuprof::driver_library::conditional_node_parameters;
using gpuprof::runtime::cuda_error;

extern "C" {
CUresult cuGraphAddMemAllocNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, allocation_node_parameters*);
CUresult cuGraphAddMemFreeNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, CUdeviceptr);
CUresult cuGraphAddEventRecordNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, CUevent);
CUresult cuGraphAddEventWaitNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, CUevent);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode, allocation_node_parameters*);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode, CUdeviceptr*);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode, CUevent*);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode, CUevent*);
CUresult cuGraphAddNode_v2(CUgraphNode*, CUgraph, CUgraphNode const*, void const*, std::size_t, any_node_parameters*);
CUresult cuGraphConditionalHandleCreate(unsigned long long*, CUgraph, CUcontext, unsigned, unsigned);
CUresult cuDeviceGetGraphMemAttribute(int, int, void*);
CUresult cuDeviceGraphMemTrim(int);
// Of this library, by their symbols.
cuda_error cudaGraphAddKernelNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, void const*);
cuda_error cudaGraphAddMemcpyNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t,
                                  gpuprof::runtime::memcpy_3d_parameters const*);
cuda_error cudaGraphAddMemsetNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, void const*);
cuda_error cudaGraphAddHostNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, void const*);
cuda_error cudaGraphAddEmptyNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t);
cuda_error cudaGraphAddChildGraphNode(CUgraphNode*, CUgraph, CUgraphNode const*, std::size_t, CUgraph);
}

namespace gpuprof::runtime {
namespace {

cuda_error add_allocation(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                          allocation_node_parameters* parameters) {
    return forward(&cuGraphAddMemAllocNode, made, graph, after, count, parameters);
}
cuda_error add_release(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, void* pointer) {
    return forward(&cuGraphAddMemFreeNode, made, graph, after, count, device_address(pointer));
}
cuda_error add_record(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, CUevent event) {
    return forward(&cuGraphAddEventRecordNode, made, graph, after, count, event);
}
cuda_error add_wait(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, CUevent event) {
    return forward(&cuGraphAddEventWaitNode, made, graph, after, count, event);
}
cuda_error allocation_of(CUgraphNode node, allocation_node_parameters* to) {
    return forward(&cuGraphMemAllocNodeGetParams, node, to);
}
cuda_error release_of(CUgraphNode node, void** to) {
    CUdeviceptr address = 0;
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    cuda_error const error = forward(&cuGraphMemFreeNodeGetParams, node, &address);
    if (error == cudaSuccess) *to = pointer_to(address);
    return error;
}
cuda_error record_of(CUgraphNode node, CUevent* to) { return forward(&cuGraphEventRecordNodeGetEvent, node, to); }
cuda_error wait_of(CUgraphNode node, CUevent* to) { return forward(&cuGraphEventWaitNodeGetEvent, node, to); }
cuda_error graph_memory_of(int device, int which, void* value) {
    return forward(&cuDeviceGetGraphMemAttribute, device, which, value);
}
cuda_error trim_graph_memory(int device) { return forward(&cuDeviceGraphMemTrim, device); }

cuda_error create_condition(unsigned long long* handle, CUgraph graph, unsigned at_launch, unsigned flags) {
    return forward(&cuGraphConditionalHandleCreate, handle, graph, CUcontext{}, at_launch, flags);
}
cuda_error create_condition_v2(unsigned long long* handle, CUgraph graph, CUcontext context, unsigned at_launch,
                               unsigned flags) {
    return forward(&cuGraphConditionalHandleCreate, handle, graph, context, at_launch, flags);
}
cuda_error add_conditional(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                           conditional_node_parameters& parameters) {
    any_node_parameters same{};
    same.type = 13; // CU_GRAPH_NODE_TYPE_CONDITIONAL
    same.conditional = parameters;
    cuda_error const error = forward(&cuGraphAddNode_v2, made, graph, after, nullptr, count, &same);
    if (error == cudaSuccess) parameters.bodies = same.conditional.bodies;
    return error;
}

struct any_copy { // cudaMemcpyNodeParams
    int flags;
    int reserved[3];
    memcpy_3d_parameters box;
};
struct any_parameters { // cudaGraphNodeParams: what other calls take begins what it has for them
    int type;
    int reserved[3];
    union {
        long long bytes[29];
        any_copy copy;
        CUgraph child;
        CUevent event;
        allocation_node_parameters allocation;
        conditional_node_parameters conditional;
        void* pointer;
    };
    long long reserved_2;
};
static_assert(sizeof(any_parameters) == 256);

cuda_error add_any(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                   any_parameters* parameters) {
    if (parameters == nullptr) return keep(cudaErrorInvalidValue);
    any_parameters& p = *parameters;
    switch (p.type) {
        case 0: return cudaGraphAddKernelNode(made, graph, after, count, p.bytes);
        case 1: return cudaGraphAddMemcpyNode(made, graph, after, count, &p.copy.box);
        case 2: return cudaGraphAddMemsetNode(made, graph, after, count, p.bytes);
        case 3: return cudaGraphAddHostNode(made, graph, after, count, p.bytes);
        case 4: return cudaGraphAddChildGraphNode(made, graph, after, count, p.child);
        case 5: return cudaGraphAddEmptyNode(made, graph, after, count);
        case 6: return add_wait(made, graph, after, count, p.event);
        case 7: return add_record(made, graph, after, count, p.event);
        case 10: return add_allocation(made, graph, after, count, &p.allocation);
        case 11: return add_release(made, graph, after, count, p.pointer);
        case 13: return add_conditional(made, graph, after, count, p.conditional);
        default: return keep(p.type < 0 || p.type > 14 ? cudaErrorInvalidValue : cudaErrorNotSupported);
    }
}
cuda_error add_any_13(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, void const*, std::size_t count,
                      any_parameters* parameters) {
    return add_any(made, graph, after, count, parameters);
}

} // namespace

std::span<call const> memory_node_calls() {
    static call const calls[]{call::of<&add_allocation>("cudaGraphAddMemAllocNode"),
                              call::of<&add_release>("cudaGraphAddMemFreeNode"),
                              call::of<&add_record>("cudaGraphAddEventRecordNode"),
                              call::of<&add_wait>("cudaGraphAddEventWaitNode"),
                              call::of<&allocation_of>("cudaGraphMemAllocNodeGetParams"),
                              call::of<&release_of>("cudaGraphMemFreeNodeGetParams"),
                              call::of<&record_of>("cudaGraphEventRecordNodeGetEvent"),
                              call::of<&wait_of>("cudaGraphEventWaitNodeGetEvent"),
                              toolkit >= 13 ? call::of<&add_any_13>("cudaGraphAddNode")
                                            : call::of<&add_any>("cudaGraphAddNode"),
                              call::of<&add_any_13>("cudaGraphAddNode_v2"),
                              call::of<&create_condition>("cudaGraphConditionalHandleCreate"),
                              call::of<&create_condition_v2>("cudaGraphConditionalHandleCreate_v2"),
                              call::of<&graph_memory_of>("cudaDeviceGetGraphMemAttribute"),
                              call::of<&trim_graph_memory>("cudaDeviceGraphMemTrim")};
    return calls;
}

} // namespace gpuprof::runtime
