// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of graphs and their nodes, by which tools tell them apart.
#ifndef GPUPROF_SRC_SIM_DRIVER_GRAPH_IDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_GRAPH_IDS_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/hw/abi/types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Every graph, every capture that creates a graph, and every executable has a number of its own,
// from 1 on, which is not used again. A node's number has that of its graph in the upper half and
// its index plus 1 in the lower half, so it is unique in the process. An executable has nodes of
// its own, in the order of the graph's nodes.
[[nodiscard]] constexpr std::uint64_t node_id(std::uint32_t graph, std::size_t index) noexcept {
    return (std::uint64_t{graph} << 32) | (index + 1);
}
[[nodiscard]] constexpr std::uint32_t graph_of_node(std::uint64_t node) noexcept {
    return static_cast<std::uint32_t>(node >> 32);
}
[[nodiscard]] constexpr std::size_t index_of_node(std::uint64_t node) noexcept {
    return static_cast<std::size_t>(node & 0xffffffff) - 1;
}

// A node's handle is its number times 16, because all handles are multiples of 16.
[[nodiscard]] inline abi::CUgraphNode node_handle(std::uint64_t node) noexcept {
    return reinterpret_cast<abi::CUgraphNode>(static_cast<std::uintptr_t>(node << 4));
}
[[nodiscard]] inline std::uint64_t node_of_handle(abi::CUgraphNode handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle) >> 4;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_GRAPH_IDS_HPP
