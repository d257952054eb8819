// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All state of the embedded GPU.
#ifndef GPUPROF_SRC_SIM_EMBEDDED_GPU_HPP
#define GPUPROF_SRC_SIM_EMBEDDED_GPU_HPP

#include "cupti/cupti_state.hpp"
#include "driver/state.hpp"
#include "gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// There is one object a process, because the driver's and CUPTI's tables are plain C functions without
// a place for state. Each room reaches its own part alone: shared(), driver::process_state() and
// cupti::state() are defined beside this object. Never destroyed: an application may still call the
// tables while its statics go away. Making it allocates nothing.
struct embedded_gpu {
    gpu_state shared;
    driver::state driver;
    cupti::cupti_state cupti;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EMBEDDED_GPU_HPP
