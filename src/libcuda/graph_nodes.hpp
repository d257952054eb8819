// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How other files add nodes to graphs, and look at them.
#ifndef GPUPROF_SRC_LIBCUDA_GRAPH_NODES_HPP
#define GPUPROF_SRC_LIBCUDA_GRAPH_NODES_HPP

#include <cstddef>

#include "../sim/driver/state.hpp"

#include "node_parameters.hpp"

namespace gpuprof::driver_library {

// A node for `work` after `count` others of the graph. CUDA_ERROR_INVALID_VALUE for a graph or nodes that are not there.
[[nodiscard]] abi::CUresult add_operation(sim::driver::call& in, abi::CUgraphNode* made, abi::CUgraph graph,
                                          abi::CUgraphNode const* after, std::size_t count,
                                          sim::driver::operation work);
// A conditional node with bodies that are empty. Errors as above, and for what is no handle of a condition.
[[nodiscard]] abi::CUresult add_conditional(abi::CUgraphNode* made, abi::CUgraph graph, abi::CUgraphNode const* after,
                                            std::size_t count, conditional_node_parameters& parameters);
// What a node of a graph does; null for what is no node.
[[nodiscard]] sim::driver::operation const* operation_of(sim::driver::call& in, abi::CUgraphNode node);

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_GRAPH_NODES_HPP
