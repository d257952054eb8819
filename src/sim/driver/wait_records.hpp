// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the activity records of waits and of events.
#ifndef GPUPROF_SRC_SIM_DRIVER_WAIT_RECORDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_WAIT_RECORDS_HPP

#include <cstdint>

#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/hw/activity/synchronization.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct event_state;
struct stream_state;

// The target of a wait: a stream, an event, or everything in the context.
struct awaited {
    activity::synchronization_type type{};
    stream_state const* stream = nullptr;
    event_state const* event = nullptr;
    CUresult status = CUDA_SUCCESS;
};

// @param began when the host began to wait, in simulated time. The wait ends now; that of a query
// takes no time.
void record_wait(call& in, awaited const& target, std::uint64_t began);

// An event was recorded. Gives the recording a number, by which a wait for it is found.
void record_event(call& in, event_state& event, stream_state const& stream);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_WAIT_RECORDS_HPP
