// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver table tells the CUPTI table about its handles. Layer: hw/sim; between the two.
#ifndef GPUPROF_HW_SIM_COUNTERS_DRIVER_OBJECTS_HPP
#define GPUPROF_HW_SIM_COUNTERS_DRIVER_OBJECTS_HPP

#include <atomic>  // one table for all threads
#include <cstdint> // ids

#include "../../../detail/config.hpp"
#include "../../abi/cupti_activity.hpp"
#include "../../abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Each id is 0 for what is no handle, or no longer. They take the driver's lock.
struct driver_objects {
    std::uint32_t (*context_id)(abi::CUcontext context);
    // Of the current context if `context` is null. @param per_thread whether null means the thread's own default stream
    std::uint32_t (*stream_id)(abi::CUcontext context, abi::CUstream stream, bool per_thread);
    std::uint32_t (*graph_id)(abi::CUgraph graph);
    std::uint32_t (*executable_id)(abi::CUgraphExec executable);
    std::uint64_t (*node_id)(abi::CUgraphNode node);
    // Records what there is of a kind: devices, contexts, streams, what hangs on the bus.
    void (*dump)(abi::CUpti_ActivityKind kind);
};

// Null until there is a driver table.
inline constinit std::atomic<driver_objects const*> objects_of_driver{nullptr};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_DRIVER_OBJECTS_HPP
