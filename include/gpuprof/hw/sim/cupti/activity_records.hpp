// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls by which tools get activity records and read a buffer of them. Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_ACTIVITY_RECORDS_HPP
#define GPUPROF_HW_SIM_CUPTI_ACTIVITY_RECORDS_HPP

#include <atomic>  // std::memory_order_relaxed
#include <cstddef> // std::size_t
#include <cstdint> // buffers
#include <cstring> // std::memcpy

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../counters/activity_log.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

inline CUptiResult activity_register_callbacks(CUpti_BuffersCallbackRequestFunc requested,
                                               CUpti_BuffersCallbackCompleteFunc completed) {
    if (requested == nullptr || completed == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    activity_log::instance().buffers.use(requested, completed);
    return CUPTI_SUCCESS;
}

// A record that has no size in this release, or that ends beyond the buffer, is CUPTI_ERROR_INVALID_KIND.
inline CUptiResult activity_get_next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
    if (buffer == nullptr || record == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const of = activity_log::instance().release.load(std::memory_order_relaxed);
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

// Of all contexts and streams, whatever is asked for, as since CUDA 6.0.
inline CUptiResult activity_get_num_dropped_records(CUcontext, std::uint32_t, std::size_t* dropped) {
    if (dropped == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *dropped = activity_log::instance().buffers.take_dropped();
    return CUPTI_SUCCESS;
}

// A record is complete once the call that it is about has returned, so both flushes give back all records; a forced one
// gives back buffers without any, too. The flush itself takes modelled time on the host, which is recorded as overhead.
inline CUptiResult activity_flush_all(std::uint32_t flag) {
    activity_log& log = activity_log::instance();
    if (!log.buffers.ready()) return CUPTI_ERROR_INVALID_OPERATION;
    if (log.switches.records(CUPTI_ACTIVITY_KIND_OVERHEAD, nullptr)) {
        activity::overhead record;
        record.kind = activity::overhead_kind::cupti_buffer_flush;
        record.object = {activity::object_kind::thread, {platform::process_number(), log.this_thread(), 0}};
        record.time.start = log.time.now();
        host_clock::pass(flush_nanoseconds);
        record.time.end = log.time.now();
        log.write_always(CUPTI_ACTIVITY_KIND_OVERHEAD, record);
    }
    log.buffers.flush((flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0);
    return CUPTI_SUCCESS;
}

// The embedded GPU has no thread of its own. Full buffers, which are all that a periodic flush gives back, are given back
// when they are full, whatever the period.
inline CUptiResult activity_flush_period(std::uint32_t) { return CUPTI_SUCCESS; }

inline CUptiResult get_timestamp(std::uint64_t* nanoseconds) {
    if (nanoseconds == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    if (activity_log::is_on()) host_clock::pass(1); // so that two of them differ
    *nanoseconds = activity_log::instance().time.now().ticks;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_ACTIVITY_RECORDS_HPP
