// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers by which tools tell graphs and their nodes apart. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_GRAPH_IDS_HPP
#define GPUPROF_HW_SIM_DRIVER_GRAPH_IDS_HPP

#include <cstddef> // std::size_t
#include <cstdint> // ids, handles as numbers

#include "../../abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// A graph, a capture that becomes one, and an executable have a number of their own, from 1 on, which is not used again.
// A node's number has that of its graph in the upper half and its place, from 1 on, in the lower: unique in the process.
// An executable has nodes of its own, in the order of those that they were made from.
[[nodiscard]] constexpr std::uint64_t node_id(std::uint32_t graph, std::size_t index) noexcept {
    return (std::uint64_t{graph} << 32) | (index + 1);
}
[[nodiscard]] constexpr std::uint32_t graph_of_node(std::uint64_t node) noexcept {
    return static_cast<std::uint32_t>(node >> 32);
}
[[nodiscard]] constexpr std::size_t index_of_node(std::uint64_t node) noexcept {
    return static_cast<std::size_t>(node & 0xffffffff) - 1;
}

// A node's handle is its number, a multiple of 16 as other handles are.
[[nodiscard]] inline abi::CUgraphNode node_handle(std::uint64_t node) noexcept {
    return reinterpret_cast<abi::CUgraphNode>(static_cast<std::uintptr_t>(node << 4));
}
[[nodiscard]] inline std::uint64_t node_of_handle(abi::CUgraphNode handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle) >> 4;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_GRAPH_IDS_HPP
