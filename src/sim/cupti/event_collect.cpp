// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_collect.hpp"

#include "../counters/event_table.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "cupti_state.hpp"
#include "event_group.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// Groups of one context share the counters of their domain; added code disturbs what hardware
// counts, so it counts alone. In replay mode a kernel runs as often as it takes.
[[nodiscard]] static CUptiResult check_counters(event_group const& group) {
    if (state().events.of(group.context).replays) return CUPTI_SUCCESS;
    std::size_t used = group.events.size();
    bool const instrumented = group.domain().method == CUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED;
    bool mixed = false;
    state().events.for_each_enabled(group.context, [&](event_group const& other) {
        if (&other == &group) return;
        mixed |= instrumented != (other.domain().method == CUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED);
        if (&other.domain() == &group.domain()) used += other.events.size();
    });
    return mixed || used > group.domain().limits.counters ? CUPTI_ERROR_NOT_COMPATIBLE : CUPTI_SUCCESS;
}

// The context's counts since the event was last zeroed; in kernel mode, those of the last kernel if
// it came later.
[[nodiscard]] static counter_values counted_since_zero(event_group const& group, group_event const& event) {
    gpu_registry& gpus = shared().registry;
    if (state().events.of(group.context).mode == CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS)
        return gpus.totals(group.context) - event.since;
    launch_record const last = gpus.last_launch(group.context);
    return last.number > event.launch ? last.counted : counter_values{};
}

// An event's value in each instance of the group's, `stride` apart.
static void read_instance_values(event_group const& group, group_event const& event, std::uint64_t* values,
                                 std::size_t stride) {
    counter_values const counted = counted_since_zero(group, event);
    for (unsigned i = 0; i < group.instances(); ++i)
        values[i * stride] = group.catalogue->count(*event.event, i, counted);
}

CUptiResult event_group_enable(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (in.group->is_dead()) return CUPTI_ERROR_HARDWARE;
    if (in.group->events.empty()) return CUPTI_ERROR_NOT_READY;
    if (state().ranges.has_on_device(shared().registry.ordinal_of(in.group->context))) return CUPTI_ERROR_HARDWARE_BUSY;
    if (CUptiResult const refused = check_counters(*in.group)) return refused;
    in.group->zero();
    in.group->enabled = true;
    return CUPTI_SUCCESS;
}

CUptiResult event_group_disable(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    in.group->enabled = false;
    return in.group->is_dead() ? CUPTI_ERROR_HARDWARE : CUPTI_SUCCESS;
}

CUptiResult event_group_reset_all_events(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (in.group->is_dead()) return CUPTI_ERROR_HARDWARE;
    in.group->zero();
    return CUPTI_SUCCESS;
}

CUptiResult event_group_read_event(CUpti_EventGroup group, CUpti_ReadEventFlags flags, CUpti_EventID event,
                                   std::size_t* size, std::uint64_t* values) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (flags != CUPTI_EVENT_READ_FLAG_NONE || size == nullptr || values == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_group_event(*in.group, event);
    if (found == in.group->events.end()) return CUPTI_ERROR_INVALID_EVENT_ID;
    if (!in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    if (in.group->is_dead()) return CUPTI_ERROR_HARDWARE;
    unsigned const instances = in.group->instances();
    if (*size < instances * sizeof *values) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    read_instance_values(*in.group, *found, values, 1);
    *size = instances * sizeof *values;
    in.group->zero(*found);
    return CUPTI_SUCCESS;
}

CUptiResult event_group_read_all_events(CUpti_EventGroup group, CUpti_ReadEventFlags flags, std::size_t* values_size,
                                        std::uint64_t* values, std::size_t* events_size, CUpti_EventID* events,
                                        std::size_t* events_read) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (flags != CUPTI_EVENT_READ_FLAG_NONE || values_size == nullptr || values == nullptr || events_size == nullptr ||
        events == nullptr || events_read == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    event_group& of = *in.group;
    if (!of.enabled) return CUPTI_ERROR_INVALID_OPERATION;
    if (of.is_dead()) return CUPTI_ERROR_HARDWARE;
    std::size_t const count = of.events.size();
    unsigned const instances = of.instances();
    if (*values_size < count * instances * sizeof *values || *events_size < count * sizeof *events)
        return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (std::size_t e = 0; e < count; ++e) {
        read_instance_values(of, of.events[e], values + e, count);
        events[e] = of.events[e].event->id;
    }
    *values_size = count * instances * sizeof *values;
    *events_size = count * sizeof *events;
    *events_read = count;
    of.zero();
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
