// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "activity.hpp"
#include "capture.hpp"
#include "kernel.hpp"
#include "state.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Whether the thread runs a host function. As a GPU's driver does, one that gives another to a stream is refused: here it would
// run at once, inside the first one, and a chain of them would use up the stack.
static thread_local constinit bool is_in_host_function = false;

static CUresult check(call const&, host_operation const& host) {
    if (host.function == &empty_node) return CUDA_SUCCESS;
    if (is_in_host_function) return CUDA_ERROR_NOT_PERMITTED;
    return host.function == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

// Fails for memory of a graph that another call freed.
static CUresult check(call const& in, mark_operation const& mark) {
    if (mark.event != nullptr)
        return in.driver.events.find(mark.event) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    return in.context->allocations.contains(mark.address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static outcome run(call& in, mark_operation const& mark) {
    if (CUresult const status = check(in, mark)) return {status};
    using kind = mark_operation::kind;
    if (mark.what == kind::event_record) {
        event_state& event = *in.driver.events.find(mark.event);
        event.recorded = true;
        event.captured = false;
        event.time = in.earliest;
        event.record_number = ++in.driver.event_record_count;
    } else if (mark.what != kind::event_wait) { // waited-for events have happened already
        in.context->allocations.find(mark.address)->second.is_unused = mark.what == kind::release;
    }
    return {};
}

// A conditional node runs only in a graph: see graph_launch().
static CUresult check(call const&, conditional_operation const&) { return CUDA_ERROR_NOT_SUPPORTED; }

static outcome run(call&, conditional_operation const&) { return {CUDA_ERROR_NOT_SUPPORTED}; }

// The lock is released meanwhile, because what the function waits for may need it.
static outcome run(call& in, host_operation const& host) {
    if (CUresult const refused = check(in, host)) return {refused};
    struct inside {
        bool before = is_in_host_function; // an empty node of a graph that a host function launched
        inside() noexcept { is_in_host_function = true; }
        ~inside() { is_in_host_function = before; }
    };
    CUcontext const context = in.context->handle;
    in.held.unlock();
    {
        inside const now;
        host.function(host.data);
    }
    in.held.lock();
    in.refresh(context);
    return {in.status};
}

double earliest_start(call const& in, stream_state const& stream) {
    stream_state const& ordinary = in.context->default_stream;
    double earliest = (std::max)(static_cast<double>(shared().clock.now()), stream.ready);
    bool const is_default = &stream == &ordinary;
    if (!is_default && (stream.flags & CU_STREAM_NON_BLOCKING) == 0) earliest = (std::max)(earliest, ordinary.ready);
    if (!is_default) return earliest;
    auto const wait = [&](stream_state const& other) {
        if (other.context == in.context->handle && (other.flags & CU_STREAM_NON_BLOCKING) == 0)
            earliest = (std::max)(earliest, other.ready);
    };
    for (auto const& mine : in.context->thread_streams) wait(mine.second);
    in.driver.streams.for_each(wait);
    return earliest;
}

CUresult run_from(call& in, operation const& work, double& earliest, operation_origin const& from) {
    double const enqueued = static_cast<double>(shared().clock.now());
    bool const sampled = shared().work.is_on() && !std::holds_alternative<host_operation>(work);
    counter_values const before = sampled ? shared().registry.totals(in.context->handle) : counter_values{};
    in.earliest = earliest;
    auto const done = std::visit([&](auto const& typed) { return run(in, typed); }, work);
    if (done.status != CUDA_SUCCESS) return done.status;
    if (done.nanoseconds > 0) earliest = in.driver.clocks[in.context->device].run(done.on, earliest, done.nanoseconds);
    if (sampled && done.nanoseconds > 0)
        shared().work.add(in.context->device, {earliest - done.nanoseconds, earliest,
                                               shared().registry.totals(in.context->handle) - before});
    if (!activity_log::is_on() || !from.is_recorded) return done.status;
    double const begin = earliest - done.nanoseconds;
    double const end = done.launched_kernels ? begin + done.own_nanoseconds : earliest;
    if (done.nanoseconds > 0 || std::holds_alternative<host_operation>(work))
        std::visit(
            [&](auto const& typed) {
                record_operation(in, typed, done.on, from, {enqueued, begin, end, earliest});
            },
            work);
    if (!done.children.empty()) record_children(in, done.children, from, begin);
    // From capability 7.0 on CUPTI records kernels up to the first that launches others (12.0, 1.2).
    if (done.launched_kernels && in.context->chip->has_range_profiling()) in.context->traces_kernels = false;
    return done.status;
}

CUresult enqueue(call& in, CUstream handle, operation work, bool wait) {
    stream_state* stream = find_stream(in, handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult const status = std::visit([&](auto const& typed) { return check(in, typed); }, work)) return status;
    if (stream->capture) return capture_operation(in, *stream, std::move(work));
    if (stream == &in.context->default_stream)
        if (CUresult const refused = refuse_capture(in, capture_rule::default_stream)) return refused;
    double time = earliest_start(in, *stream);
    operation_origin const from{stream->id, stream->priority, wait};
    CUresult const status = run_from(in, work, time, from);
    // A host function may have destroyed the context or the stream.
    stream = in.context != nullptr ? find_stream(in, handle) : nullptr;
    if (stream != nullptr) stream->ready = time;
    if (wait) shared().clock.wait_until(time);
    return status;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
