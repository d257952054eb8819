// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream calls of the embedded GPU's driver, captures included.
#ifndef GPUPROF_SRC_SIM_DRIVER_STREAM_HPP
#define GPUPROF_SRC_SIM_DRIVER_STREAM_HPP

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;

// A priority beyond the range counts as the nearest in it. Priorities are kept but have no effect.
CUresult stream_create_with_priority(CUstream* stream, unsigned flags, int priority);

CUresult stream_create(CUstream* stream, unsigned flags);

CUresult stream_destroy(CUstream stream);

CUresult stream_synchronize(CUstream stream);

// Work has run when the call that enqueued it returns, so this never says CUDA_ERROR_NOT_READY.
CUresult stream_query(CUstream stream);

// A stream's handle, 0 for the default stream: unique while it lives, as the driver promises.
CUresult stream_get_id(CUstream stream, unsigned long long* id);

namespace detail {

// Begins the stream's capture; the caller sets the graph. The default stream cannot be captured.
[[nodiscard]] CUresult begin_capture(call& in, CUstream stream, CUstreamCaptureMode mode);

} // namespace detail

CUresult stream_begin_capture(CUstream stream, CUstreamCaptureMode mode);

// Ends the capture for the origin and every stream that joined. The graph is null if the capture
// failed. A capture into an existing graph leaves that graph as it was if it fails, and `graph` may
// be null.
CUresult stream_end_capture(CUstream stream, CUgraph* graph);

CUresult stream_is_capturing(CUstream stream, CUstreamCaptureStatus* status);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_STREAM_HPP
