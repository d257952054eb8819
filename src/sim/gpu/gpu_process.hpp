// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process that uses the embedded GPU. A child of it that was forked later cannot: as with a GPU, each call but those
// about errors and versions is CUDA_ERROR_NOT_INITIALIZED there, and takes no lock.
#ifndef GPUPROF_SRC_SIM_GPU_GPU_PROCESS_HPP
#define GPUPROF_SRC_SIM_GPU_GPU_PROCESS_HPP

#include <gpuprof/hw/machine/platform/fork.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constinit platform::owning_process gpu_process; // claimed by cuInit

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_GPU_PROCESS_HPP
