// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of waiting and of events. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_WAIT_RECORDS_HPP
#define GPUPROF_HW_SIM_DRIVER_WAIT_RECORDS_HPP

#include <atomic>  // std::memory_order_relaxed
#include <cstdint> // ids

#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// What a call waited for: a stream, an event, or everything in the context.
struct awaited {
    activity::synchronization_type type{};
    stream_state const* stream = nullptr;
    event_state const* event = nullptr;
    CUresult status = CUDA_SUCCESS;
};

// @param began when the host began to wait, in simulated time; it waited until now. Queries wait for no time.
inline void record_wait(call& in, awaited const& what, std::uint64_t began) {
    if (!activity_log::is_on() || in.context == nullptr) return;
    activity_time& clock = activity_log::instance().time;
    activity::synchronization record;
    record.type = what.type;
    record.time = {clock.at(began), clock.at(host_clock::now())};
    record.correlation = current_correlation;
    record.context = in.context->id;
    if (what.stream != nullptr) record.stream = what.stream->id;
    if (what.event != nullptr) record.event = what.event->id;
    if (what.event != nullptr) record.event_synchronization = what.event->record_number;
    record.status = static_cast<std::uint32_t>(what.status);
    in.records.add(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, in.context->handle, record);
}

// An event was recorded; the number is that of the recording, by which a wait for it is found.
inline void record_event(call& in, event_state& event, stream_state const& stream) {
    event.record_number = ++in.driver.event_record_count;
    if (!activity_log::is_on()) return;
    activity_log& log = activity_log::instance();
    activity::cuda_event record;
    record.correlation = current_correlation;
    record.context = in.context->id;
    record.stream = stream.id;
    record.event = event.id;
    record.device = static_cast<std::uint32_t>(in.context->device);
    if (log.event_timestamps.load(std::memory_order_relaxed)) record.time = log.time.at(event.time);
    record.event_synchronization = event.record_number;
    in.records.add(CUPTI_ACTIVITY_KIND_CUDA_EVENT, in.context->handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_WAIT_RECORDS_HPP
