// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of every GPU's launches: sizes of grids and blocks.
#ifndef GPUPROF_SRC_SIM_CODE_LAUNCH_LIMITS_HPP
#define GPUPROF_SRC_SIM_CODE_LAUNCH_LIMITS_HPP

#include <cstdint>
#include <string>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/sim/extent.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr extent3 largest_grid{2147483647, 65535, 65535};
inline constexpr extent3 largest_block{1024, 1024, 64};
inline constexpr std::uint64_t most_block_threads = 1024;

// Blocks of a cluster: on every GPU that has clusters, and on an H100 for kernels that ask for more
// (CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED).
inline constexpr std::uint64_t portable_cluster = 8;
inline constexpr std::uint64_t largest_cluster = 16;

// "(1, 2, 3)"
[[nodiscard]] std::string text_of(extent3 const& extent);

// Says what is wrong with a grid and a block, whatever the kernel; empty when nothing is.
[[nodiscard]] std::string misfit(extent3 const& grid, extent3 const& block);

// The same of a grid of clusters.
[[nodiscard]] std::string cluster_misfit(extent3 const& grid, extent3 const& cluster,
                                         std::uint64_t limit = largest_cluster);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_LAUNCH_LIMITS_HPP
