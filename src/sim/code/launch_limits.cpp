// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_limits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::string text_of(extent3 const& extent) {
    return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) + ")";
}

// As misfit(), of the grid or of the block alone.
static std::string misfit_of(std::string const& name, extent3 const& extent, extent3 const& limit) {
    if (extent.x == 0 || extent.y == 0 || extent.z == 0)
        return "the " + name + " " + text_of(extent) + " has a dimension of zero";
    if (extent.x > limit.x || extent.y > limit.y || extent.z > limit.z)
        return "the " + name + " " + text_of(extent) + " is larger than " + text_of(limit);
    return {};
}

std::string misfit(extent3 const& grid, extent3 const& block) {
    if (std::string wrong = misfit_of("grid", grid, largest_grid); !wrong.empty()) return wrong;
    if (std::string wrong = misfit_of("block", block, largest_block); !wrong.empty()) return wrong;
    if (block.count() > most_block_threads)
        return std::to_string(block.count()) + " threads a block, the limit is " + std::to_string(most_block_threads);
    return {};
}

std::string cluster_misfit(extent3 const& grid, extent3 const& cluster, std::uint64_t limit) {
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0)
        return "the cluster " + text_of(cluster) + " has a dimension of zero";
    if (cluster.count() > limit)
        return std::to_string(cluster.count()) + " blocks a cluster, the limit is " + std::to_string(limit);
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        return "the grid " + text_of(grid) + " is no multiple of the cluster " + text_of(cluster);
    return {};
}

} // namespace sim
GPUPROF_NAMESPACE_END
