// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an operation of a stream at its place in simulated time, or captures it as a node.
#ifndef GPUPROF_SRC_SIM_DRIVER_RUN_HPP
#define GPUPROF_SRC_SIM_DRIVER_RUN_HPP

#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct operation_origin;
struct stream_state;

// When the next operation of a stream could begin. The default stream waits for all others of its
// context and they wait for it, except those that were created non-blocking.
[[nodiscard]] double earliest_start(call const& in, stream_state const& stream);

// Runs an operation, not before `earliest`, which becomes the time when it ends.
[[nodiscard]] CUresult run_from(call& in, operation const& work, double& earliest, operation_origin const& from);

// Runs the work, or captures it. @param wait the call returns to the host only after the work
[[nodiscard]] CUresult enqueue(call& in, CUstream handle, operation work, bool wait = false);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_RUN_HPP
