// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver calls about graphs: create, instantiate, launch, destroy.
#ifndef GPUPROF_SRC_SIM_DRIVER_GRAPH_HPP
#define GPUPROF_SRC_SIM_DRIVER_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gpuprof/hw/abi/results.hpp>
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct graph_state;

namespace detail {

[[nodiscard]] bool has_conditional_nodes(graph_nodes const& nodes) noexcept;

// Sets `nodes` to the nodes of a graph as an executable has them: conditional nodes get a copy of
// what their bodies are now. Appends the graph's conditions to `conditions`.
// @param is_body the graph is the body of a conditional node
[[nodiscard]] abi::CUresult freeze(call const& in, graph_state const& graph, bool is_body,
                                   std::shared_ptr<graph_nodes const>& nodes, std::vector<std::uint64_t>& conditions);

} // namespace detail

// An empty graph; capture adds nodes.
abi::CUresult graph_create(abi::CUgraph* graph, unsigned flags);
abi::CUresult graph_destroy(abi::CUgraph graph);

// @param nodes null: sets `count` to the number of nodes. Otherwise room for `count` nodes; what is
// left of it is set to null.
abi::CUresult graph_get_nodes(abi::CUgraph graph, abi::CUgraphNode* nodes, std::size_t* count);

// Of nodes of graphs; nodes of executables are not found.
abi::CUresult graph_node_get_type(abi::CUgraphNode node, abi::CUgraphNodeType* type);
// @param edges of no use: every edge is an ordinary one. Others as graph_get_nodes().
abi::CUresult graph_node_get_dependencies(abi::CUgraphNode node, abi::CUgraphNode* earlier, void* edges,
                                          std::size_t* count);
// The list of parameters lives until the next such call for the node, or until the node changes.
abi::CUresult graph_kernel_node_get_params(abi::CUgraphNode node, abi::CUDA_KERNEL_NODE_PARAMS* kernel);
abi::CUresult graph_memcpy_node_get_params(abi::CUgraphNode node, abi::CUDA_MEMCPY3D* copy);
abi::CUresult graph_memset_node_get_params(abi::CUgraphNode node, abi::CUDA_MEMSET_NODE_PARAMS* fill);

// Whether it is cooperative, and its cluster, one block where nobody asked for more; other attributes are not supported.
abi::CUresult graph_kernel_node_get_attribute(abi::CUgraphNode node, abi::CUlaunchAttributeID attribute,
                                              abi::CUlaunchAttributeValue* value);

// Of the flags, only the one for launches from the device makes a difference here.
abi::CUresult graph_exec_get_flags(abi::CUgraphExec executable, unsigned long long* flags);

// The executable shares the graph's nodes and outlives the graph. One that kernels may launch has
// kernels, copies and fills; CUDA_ERROR_NOT_SUPPORTED for others.
abi::CUresult graph_instantiate_with_flags(abi::CUgraphExec* executable, abi::CUgraph graph, unsigned long long flags);
abi::CUresult graph_exec_destroy(abi::CUgraphExec executable);

// Nodes run in the order of their capture until one fails. In simulated time each begins as soon as
// the nodes before it have ended.
abi::CUresult graph_launch(abi::CUgraphExec executable, abi::CUstream stream);

// They switch collection on and off in profilers that were started with it off. The embedded GPU
// has no such profiler.
abi::CUresult profiler_start();
abi::CUresult profiler_stop();

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_GRAPH_HPP
