// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver calls about events: simulated time, and order between streams.
#ifndef GPUPROF_SRC_SIM_DRIVER_EVENT_HPP
#define GPUPROF_SRC_SIM_DRIVER_EVENT_HPP

#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/hw/abi/types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

abi::CUresult event_create(abi::CUevent* event, unsigned flags);
abi::CUresult event_destroy(abi::CUevent event);

// In a stream that is captured the event marks a place in the capture, not a time.
abi::CUresult event_record(abi::CUevent event, abi::CUstream stream);

// Success for an event that was never recorded.
abi::CUresult event_query(abi::CUevent event);
abi::CUresult event_synchronize(abi::CUevent event);

// Simulated time (see device_clock) between the ends of the work before each of the two events.
abi::CUresult event_elapsed_time(float* milliseconds, abi::CUevent from, abi::CUevent to);

// A stream that waits for an event of a capture joins the capture.
abi::CUresult stream_wait_event(abi::CUstream stream, abi::CUevent event, unsigned flags);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_EVENT_HPP
