// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wait_records.hpp"

#include <atomic>

#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

void record_wait(call& in, awaited const& target, std::uint64_t began) {
    if (!activity_log::is_on() || in.context == nullptr) return;
    time_line const line = shared().activity.time.line();
    activity::synchronization record;
    record.type = target.type;
    record.time = {line.at(began), line.at(shared().clock.now())};
    record.correlation = current_correlation;
    record.context = in.context->id;
    if (target.stream != nullptr) record.stream = target.stream->id;
    if (target.event != nullptr) {
        record.event = target.event->id;
        record.event_synchronization = target.event->record_number;
    }
    record.status = static_cast<std::uint32_t>(target.status);
    in.records.add(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, in.context->handle, record);
}

void record_event(call& in, event_state& event, stream_state const& stream) {
    event.record_number = ++in.driver.event_record_count;
    if (!activity_log::is_on()) return;
    activity_log& log = shared().activity;
    activity::cuda_event record;
    record.correlation = current_correlation;
    record.context = in.context->id;
    record.stream = stream.id;
    record.event = event.id;
    record.device = static_cast<std::uint32_t>(in.context->device);
    if (log.event_timestamps.load(std::memory_order_relaxed)) record.time = log.time.line().at(event.time);
    record.event_synchronization = event.record_number;
    in.records.add(CUPTI_ACTIVITY_KIND_CUDA_EVENT, in.context->handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
