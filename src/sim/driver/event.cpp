// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "../gpu/gpu_state.hpp"
#include "capture.hpp"
#include "peer.hpp"
#include "run.hpp"
#include "state.hpp"
#include "wait_records.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// For calls that ask for the time of an event or whether it is over. While it is captured it has no
// time, and asking invalidates the capture. After the capture it stands for nothing until it is
// recorded again.
[[nodiscard]] static CUresult refuse_captured_event(event_state const& event) noexcept {
    if (!event.captured) return CUDA_SUCCESS;
    auto const capture = event.capture.lock();
    if (!capture || capture->invalidated) return CUDA_ERROR_INVALID_VALUE;
    capture->invalidated = true;
    return CUDA_ERROR_CAPTURED_EVENT;
}

CUresult event_create(CUevent* event, unsigned flags) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    bool const timed_across_processes = (flags & CU_EVENT_INTERPROCESS) != 0 && (flags & CU_EVENT_DISABLE_TIMING) == 0;
    if (event == nullptr || (flags & ~known) != 0 || timed_across_processes) return CUDA_ERROR_INVALID_VALUE;
    auto created = std::make_unique<event_state>();
    created->context = in.context->handle;
    created->flags = flags;
    created->id = ++in.driver.event_count;
    *event = in.driver.events.add(std::move(created));
    return CUDA_SUCCESS;
}

CUresult event_destroy(CUevent event) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    return in.driver.events.remove(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult event_record(CUevent event, CUstream stream) {
    auto in = enter_context();
    if (in.ready()) enter_stream(in, stream);
    if (!in.ready()) return in.status;
    event_state* const marked = in.driver.events.find(event);
    stream_state* const found = find_stream(in, stream);
    if (marked == nullptr || found == nullptr || marked->context != in.context->handle)
        return CUDA_ERROR_INVALID_HANDLE;
    if (found->capture && found->capture->invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (found->capture) {
        marked->capture = found->capture;
        marked->frontier = found->frontier;
        marked->captured = true;
        return CUDA_SUCCESS;
    }
    if (found == &in.context->default_stream)
        if (CUresult const refused = refuse_capture(in, capture_rule::default_stream)) return refused;
    marked->capture.reset();
    marked->captured = false;
    marked->recorded = true;
    marked->time = earliest_start(in, *found);
    record_event(in, *marked, *found);
    return CUDA_SUCCESS;
}

CUresult event_query(CUevent event) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    event_state const* const found = in.driver.events.find(event);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const refused = refuse_captured_event(*found)) return refused;
    record_wait(in, {activity::synchronization_type::event_synchronize, nullptr, found}, shared().clock.now());
    return CUDA_SUCCESS;
}

CUresult event_synchronize(CUevent event) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    event_state const* const found = in.driver.events.find(event);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const refused = refuse_captured_event(*found)) return refused;
    std::uint64_t const began = shared().clock.now();
    if (found->recorded) shared().clock.wait_until(found->time);
    record_wait(in, {activity::synchronization_type::event_synchronize, nullptr, found}, began);
    return CUDA_SUCCESS;
}

// Each device has a clock of its own. -1 once the event's context is gone.
[[nodiscard]] static int device_of(state const& all, event_state const& event) noexcept {
    context_state const* const context = all.contexts.find(event.context);
    return context == nullptr ? -1 : context->device;
}

CUresult event_elapsed_time(float* milliseconds, CUevent from, CUevent to) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    event_state const* const begin = in.driver.events.find(from);
    event_state const* const end = in.driver.events.find(to);
    if (milliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (begin == nullptr || end == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (device_of(in.driver, *begin) != device_of(in.driver, *end)) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const refused = refuse_captured_event(*begin)) return refused;
    if (CUresult const refused = refuse_captured_event(*end)) return refused;
    bool const has_times = ((begin->flags | end->flags) & CU_EVENT_DISABLE_TIMING) == 0;
    if (!has_times || !begin->recorded || !end->recorded) return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = static_cast<float>((end->time - begin->time) * 1e-6);
    return CUDA_SUCCESS;
}

CUresult stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
    auto in = enter_context();
    if (in.ready()) enter_stream(in, stream);
    if (!in.ready()) return in.status;
    stream_state* const found = find_stream(in, stream);
    event_state const* const marked = in.driver.events.find(event);
    if (found == nullptr || marked == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if ((flags & ~1u) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!marked->captured) {
        if (!marked->recorded) return CUDA_SUCCESS;
        if (!found->capture) {
            found->ready = (std::max)(found->ready, marked->time);
            record_wait(in, {activity::synchronization_type::stream_wait_event, found, marked}, shared().clock.now());
            return CUDA_SUCCESS;
        }
        found->capture->invalidated = true; // a capture cannot wait for work outside it
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    auto const capture = marked->capture.lock();
    if (!capture || capture->invalidated) return CUDA_ERROR_INVALID_VALUE;
    if (found == &in.context->default_stream) {
        capture->invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (found->capture && found->capture != capture) {
        capture->invalidated = found->capture->invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (!found->capture) {
        found->capture = capture;
        found->frontier.clear();
    }
    join_frontiers(found->frontier, marked->frontier);
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
