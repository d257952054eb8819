// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs for memory and events, nodes of any kind by one call, and what a device's graphs have of its memory.
#include <cstddef>
#include <cstdint>
#include <variant>

#include "../sim/driver/graph.hpp"
#include "../sim/driver/memory.hpp"

#include "call.hpp"
#include "graph_nodes.hpp"
#include "node_parameters.hpp"

extern "C" { // of graph_nodes.cpp, by their symbols
gpuprof::abi::CUresult cuGraphAddKernelNode_v2(gpuprof::abi::CUgraphNode*, gpuprof::abi::CUgraph,
                                               gpuprof::abi::CUgraphNode const*, std::size_t,
                                               gpuprof::driver_library::kernel_node_parameters const*);
gpuprof::abi::CUresult cuGraphAddMemcpyNode(gpuprof::abi::CUgraphNode*, gpuprof::abi::CUgraph,
                                            gpuprof::abi::CUgraphNode const*, std::size_t,
                                            gpuprof::driver_library::copy_node_parameters const*,
                                            gpuprof::abi::CUcontext);
gpuprof::abi::CUresult cuGraphAddMemsetNode(gpuprof::abi::CUgraphNode*, gpuprof::abi::CUgraph,
                                            gpuprof::abi::CUgraphNode const*, std::size_t,
                                            gpuprof::driver_library::fill_node_parameters const*,
                                            gpuprof::abi::CUcontext);
gpuprof::abi::CUresult cuGraphAddHostNode(gpuprof::abi::CUgraphNode*, gpuprof::abi::CUgraph,
                                          gpuprof::abi::CUgraphNode const*, std::size_t,
                                          gpuprof::driver_library::host_node_parameters const*);
gpuprof::abi::CUresult cuGraphAddEmptyNode(gpuprof::abi::CUgraphNode*, gpuprof::abi::CUgraph,
                                           gpuprof::abi::CUgraphNode const*, std::size_t);
gpuprof::abi::CUresult cuGraphAddChildGraphNode(gpuprof::abi::CUgraphNode*, gpuprof::abi::CUgraph,
                                                gpuprof::abi::CUgraphNode const*, std::size_t, gpuprof::abi::CUgraph);
}

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;
using mark = driver::mark_operation;

CUresult add_allocation(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                        allocation_node_parameters* parameters) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (made == nullptr || parameters == nullptr || parameters->pool.type != pinned || parameters->bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (parameters->pool.handle_types != 0) return CUDA_ERROR_NOT_SUPPORTED; // other processes are not reached
    if (in.driver.graphs.find(graph) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr address = 0;
    if (CUresult const status = driver::detail::allocate_for_graph(in, &address, parameters->bytes)) return status;
    CUresult const status =
        add_operation(in, made, graph, after, count, mark{mark::kind::allocation, nullptr, address, parameters->bytes});
    if (status == CUDA_SUCCESS) parameters->address = address;
    return status;
}
CUresult add_release(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                     CUdeviceptr address) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    auto const found = in.context->allocations.find(address);
    if (found == in.context->allocations.end() || !found->second.from_graph) return CUDA_ERROR_INVALID_VALUE;
    return add_operation(in, made, graph, after, count, mark{mark::kind::release, nullptr, address, 0});
}
template <mark::kind What>
CUresult add_event(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count, CUevent event) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (in.driver.events.find(event) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return add_operation(in, made, graph, after, count, mark{What, event, 0, 0});
}

// What such a node was made with.
mark const* find_mark(driver::call& in, CUgraphNode node, mark::kind what) {
    driver::operation const* const work = operation_of(in, node);
    mark const* const found = work == nullptr ? nullptr : std::get_if<mark>(work);
    return found != nullptr && found->what == what ? found : nullptr;
}
CUresult allocation_of(CUgraphNode node, allocation_node_parameters* to) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    mark const* const found = find_mark(in, node, mark::kind::allocation);
    if (found == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *to = {};
    to->pool.type = 1;
    to->pool.location_type = 1; // a device
    to->bytes = found->bytes;
    to->address = found->address;
    return CUDA_SUCCESS;
}
CUresult release_of(CUgraphNode node, CUdeviceptr* to) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    mark const* const found = find_mark(in, node, mark::kind::release);
    if (found == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *to = found->address;
    return CUDA_SUCCESS;
}
template <mark::kind What>
CUresult event_of(CUgraphNode node, CUevent* to) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    mark const* const found = find_mark(in, node, What);
    if (found == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *to = found->event;
    return CUDA_SUCCESS;
}

// A node of any kind. Semaphores and batches of memory operations are not there.
CUresult add_any(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, void const*, std::size_t count,
                 any_node_parameters* parameters) {
    if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
    any_node_parameters& p = *parameters;
    switch (p.type) {
        case 0: return cuGraphAddKernelNode_v2(made, graph, after, count, &p.kernel);
        case 1: return cuGraphAddMemcpyNode(made, graph, after, count, &p.copy.box, p.copy.context);
        case 2: return cuGraphAddMemsetNode(made, graph, after, count, &p.fill, nullptr);
        case 3: return cuGraphAddHostNode(made, graph, after, count, &p.host);
        case 4: return cuGraphAddChildGraphNode(made, graph, after, count, p.child);
        case 5: return cuGraphAddEmptyNode(made, graph, after, count);
        case 6: return add_event<mark::kind::event_wait>(made, graph, after, count, p.event);
        case 7: return add_event<mark::kind::event_record>(made, graph, after, count, p.event);
        case 10: return add_allocation(made, graph, after, count, &p.allocation);
        case 11: return add_release(made, graph, after, count, p.address);
        case 13: return add_conditional(made, graph, after, count, p.conditional);
        default: return p.type < 0 || p.type > 14 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
    }
}
CUresult add_any_v1(CUgraphNode* made, CUgraph graph, CUgraphNode const* after, std::size_t count,
                    any_node_parameters* parameters) {
    return add_any(made, graph, after, nullptr, count, parameters);
}

// Memory of graphs: what is in use, and all. Highest values are not kept.
enum graph_memory : int {
    graph_used_now,
    graph_used_at_most,
    graph_reserved_now,
    graph_reserved_at_most
}; // CUgraphMem_attribute
CUresult graph_memory_of(CUdevice device, int which, void* value) {
    auto in = driver::enter();
    if (!in.ready()) return in.status;
    if (value == nullptr || which < graph_used_now || which > graph_reserved_at_most) return CUDA_ERROR_INVALID_VALUE;
    if (driver::find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (which != graph_used_now && which != graph_reserved_now) return CUDA_ERROR_NOT_SUPPORTED;
    std::uint64_t bytes = 0;
    in.driver.contexts.for_each([&](driver::context_state const& context) {
        if (context.device != device) return;
        for (auto const& [address, allocated] : context.allocations)
            if (allocated.from_graph && (which == graph_reserved_now || !allocated.is_unused)) bytes += allocated.bytes;
    });
    *static_cast<std::uint64_t*>(value) = bytes;
    return CUDA_SUCCESS;
}
CUresult trim_graph_memory(CUdevice device) {
    auto const in = driver::enter();
    if (!in.ready()) return in.status;
    return driver::find_device(device) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS; // it stays for its graphs
}

} // namespace

std::span<call const> memory_node_calls() {
    static call const calls[]{call::of<&add_allocation>("cuGraphAddMemAllocNode"),
                              call::of<&add_release>("cuGraphAddMemFreeNode"),
                              call::of<&add_event<mark::kind::event_record>>("cuGraphAddEventRecordNode"),
                              call::of<&add_event<mark::kind::event_wait>>("cuGraphAddEventWaitNode"),
                              call::of<&allocation_of>("cuGraphMemAllocNodeGetParams"),
                              call::of<&release_of>("cuGraphMemFreeNodeGetParams"),
                              call::of<&event_of<mark::kind::event_record>>("cuGraphEventRecordNodeGetEvent"),
                              call::of<&event_of<mark::kind::event_wait>>("cuGraphEventWaitNodeGetEvent"),
                              call::of<&add_any_v1>("cuGraphAddNode"),
                              call::of<&add_any>("cuGraphAddNode_v2"),
                              call::of<&graph_memory_of>("cuDeviceGetGraphMemAttribute"),
                              call::of<&trim_graph_memory>("cuDeviceGraphMemTrim")};
    return calls;
}

} // namespace gpuprof::driver_library
