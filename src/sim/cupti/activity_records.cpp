// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_records.hpp"

#include <atomic>
#include <cstring>

#include <gpuprof/hw/machine/platform/identity.hpp>
#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/host_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

CUptiResult activity_register_callbacks(CUpti_BuffersCallbackRequestFunc requested,
                                        CUpti_BuffersCallbackCompleteFunc completed) {
    if (requested == nullptr || completed == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    shared().activity.buffers.use(requested, completed);
    return CUPTI_SUCCESS;
}

CUptiResult activity_get_next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
    if (buffer == nullptr || record == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const of = shared().activity.release.load(std::memory_order_relaxed);
    auto const size_at = [=](std::size_t place) -> std::size_t {
        CUpti_ActivityKind kind{};
        if (valid - place < sizeof kind) return 0;
        std::memcpy(&kind, buffer + place, sizeof kind);
        std::size_t const size = record_size(kind, of);
        return size <= valid - place ? size : 0;
    };
    std::size_t next = 0;
    if (*record != nullptr) {
        auto* const last = reinterpret_cast<std::uint8_t*>(*record);
        if (last < buffer || last >= buffer + valid) return CUPTI_ERROR_INVALID_PARAMETER;
        auto const place = static_cast<std::size_t>(last - buffer);
        std::size_t const size = size_at(place);
        if (size == 0) return CUPTI_ERROR_INVALID_KIND;
        next = place + size;
    }
    if (next >= valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    if (size_at(next) == 0) return CUPTI_ERROR_INVALID_KIND;
    *record = reinterpret_cast<CUpti_Activity*>(buffer + next);
    return CUPTI_SUCCESS;
}

CUptiResult activity_get_num_dropped_records(CUcontext, std::uint32_t, std::size_t* dropped) {
    if (dropped == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *dropped = shared().activity.buffers.take_dropped();
    return CUPTI_SUCCESS;
}

CUptiResult activity_flush_all(std::uint32_t flag) {
    activity_log& log = shared().activity;
    if (!log.buffers.ready()) return CUPTI_ERROR_INVALID_OPERATION;
    if (log.switches.records(CUPTI_ACTIVITY_KIND_OVERHEAD, nullptr)) {
        activity::overhead record;
        record.kind = activity::overhead_kind::cupti_buffer_flush;
        record.object = {activity::object_kind::thread, {platform::process_number(), log.this_thread(), 0}};
        record.time.start = log.time.now();
        log.time.pass(flush_nanoseconds);
        record.time.end = log.time.now();
        log.write_always(CUPTI_ACTIVITY_KIND_OVERHEAD, record);
    }
    log.buffers.flush((flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0);
    return CUPTI_SUCCESS;
}

CUptiResult activity_flush_period(std::uint32_t) { return CUPTI_SUCCESS; }

CUptiResult get_timestamp(std::uint64_t* nanoseconds) {
    if (nanoseconds == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (activity_log::is_on()) shared().clock.pass(1); // so that two of them differ
    *nanoseconds = shared().activity.time.cupti_now().ticks;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
