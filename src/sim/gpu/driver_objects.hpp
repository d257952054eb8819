// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions about the driver's handles that the CUPTI table asks the driver table.
#ifndef GPUPROF_SRC_SIM_GPU_DRIVER_OBJECTS_HPP
#define GPUPROF_SRC_SIM_GPU_DRIVER_OBJECTS_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_activity.hpp>
#include <gpuprof/hw/abi/types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An id is 0 for what is no handle, or no longer one. The functions take the driver's lock.
struct driver_objects {
    std::uint32_t (*context_id)(abi::CUcontext context);
    // Of the current context if `context` is null. @param per_thread whether null means the
    // thread's own default stream
    std::uint32_t (*stream_id)(abi::CUcontext context, abi::CUstream stream, bool per_thread);
    std::uint32_t (*graph_id)(abi::CUgraph graph);
    std::uint32_t (*executable_id)(abi::CUgraphExec executable);
    std::uint64_t (*node_id)(abi::CUgraphNode node);
    // Records all objects of a kind: devices, contexts, streams, what is connected to the bus.
    void (*dump)(abi::CUpti_ActivityKind kind);
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_DRIVER_OBJECTS_HPP
