// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, host functions and occupancy queries of the embedded GPU's driver.
#ifndef GPUPROF_SRC_SIM_DRIVER_LAUNCH_HPP
#define GPUPROF_SRC_SIM_DRIVER_LAUNCH_HPP

#include <cstddef>
#include <vector>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct kernel;
}

namespace sim::driver {

namespace detail {

// Copies the kernel's parameters from one pointer each (`params`) or from the buffer in `extra`:
// pairs of a key (1: pointer to the buffer, 2: pointer to its size) and a value, ended by key 0.
[[nodiscard]] CUresult gather_parameters(sim::kernel const& kernel, void** params, void** extra,
                                         std::vector<std::byte>& parameters);

} // namespace detail

// The kernel has run when the call returns. If it failed, every later call in the context returns
// the error, as in the real driver; sim::last_launch_error() says more.
CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** params,
                       void** extra);

CUresult launch_cooperative_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** params);

// Attributes that ask for a programmatic event give CUDA_ERROR_NOT_SUPPORTED. Those that only advise
// are accepted. So is programmatic stream serialization: kernels run one after the other anyway.
CUresult launch_kernel_ex(CUlaunchConfig const* config, CUfunction function, void** params, void** extra);

// The function runs on the calling thread, before the call returns.
CUresult launch_host_func(CUstream stream, CUhostFn function, void* user_data);

CUresult occupancy_max_active_blocks_per_multiprocessor_with_flags(int* blocks, CUfunction function, int block_size,
                                                                   std::size_t shared, unsigned flags);

// How many clusters are resident at once, by an even spread of the SMs over the GPCs: modelled.
// CUDA_ERROR_INVALID_CLUSTER_SIZE where neither the configuration nor the kernel says how large they
// are, or both do and differ; CUDA_ERROR_NOT_SUPPORTED on chips before capability 9.0.
CUresult occupancy_max_active_clusters(int* clusters, CUfunction function, CUlaunchConfig const* config);

// The kernel's own size, or the largest that fits, whatever the configuration asks for.
CUresult occupancy_max_potential_cluster_size(int* blocks, CUfunction function, CUlaunchConfig const* config);

CUresult occupancy_max_active_blocks_per_multiprocessor(int* blocks, CUfunction function, int block_size,
                                                        std::size_t shared);

// The largest block with the most resident threads, and the grid that fills the device with such
// blocks.
CUresult occupancy_max_potential_block_size_with_flags(int* min_grid, int* block_size, CUfunction function,
                                                       CUoccupancyB2DSize block_to_shared, std::size_t shared,
                                                       int limit, unsigned flags);

CUresult occupancy_max_potential_block_size(int* min_grid, int* block_size, CUfunction function,
                                            CUoccupancyB2DSize block_to_shared, std::size_t shared, int limit);

// The dynamic shared memory that a block may have so that `blocks` of them are resident. What the
// system reserves of each block is not subtracted, as in the real driver.
CUresult occupancy_available_dynamic_smem_per_block(std::size_t* bytes, CUfunction function, int blocks,
                                                    int block_size);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_LAUNCH_HPP
