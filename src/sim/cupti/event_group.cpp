// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_group.hpp"

#include <algorithm>
#include <cstring>

#include "../counters/event_table.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"
#include "cupti_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

group_call::group_call(CUpti_EventGroup handle) : held{shared().registry.lock()} {
    if (!is_initialized()) status = CUPTI_ERROR_NOT_INITIALIZED;
    else if (group = state().events.find(handle); group == nullptr) status = CUPTI_ERROR_INVALID_PARAMETER;
}

std::vector<group_event>::iterator find_group_event(event_group& group, CUpti_EventID id) {
    return std::find_if(group.events.begin(), group.events.end(),
                        [=](group_event const& entry) { return entry.event->id == id; });
}

CUptiResult refuse_mixing(CUcontext context) {
    return state().ranges.has(context) ? CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED : CUPTI_SUCCESS;
}

} // namespace detail

CUptiResult event_group_create(CUcontext context, CUpti_EventGroup* group, std::uint32_t flags) {
    auto const held = shared().registry.lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (group == nullptr || flags != 0) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    event_group* const created = state().events.add(context, *of.catalogue);
    if (created == nullptr) return CUPTI_ERROR_OUT_OF_MEMORY;
    *group = created;
    return CUPTI_SUCCESS;
}

CUptiResult event_group_destroy(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    state().events.remove(in.group);
    return CUPTI_SUCCESS;
}

CUptiResult event_group_add_event(CUpti_EventGroup group, CUpti_EventID event) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    chip_event const* const found = in.group->catalogue->find_event(event);
    if (found == nullptr) return CUPTI_ERROR_INVALID_EVENT_ID;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    chip_domain const& domain = in.group->catalogue->domain_of(*found);
    if (!in.group->events.empty() && &in.group->domain() != &domain) return CUPTI_ERROR_NOT_COMPATIBLE;
    if (detail::find_group_event(*in.group, event) != in.group->events.end()) return CUPTI_ERROR_NOT_COMPATIBLE;
    if (in.group->events.size() >= domain.limits.counters) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    if (state().events.is_full()) return CUPTI_ERROR_OUT_OF_MEMORY;
    in.group->events.push_back({found, {}, 0});
    return CUPTI_SUCCESS;
}

CUptiResult event_group_remove_event(CUpti_EventGroup group, CUpti_EventID event) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    auto const found = detail::find_group_event(*in.group, event);
    if (found == in.group->events.end()) return CUPTI_ERROR_INVALID_EVENT_ID;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    in.group->events.erase(found);
    return CUPTI_SUCCESS;
}

CUptiResult event_group_remove_all_events(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    in.group->events.clear();
    return CUPTI_SUCCESS;
}

CUptiResult event_group_get_attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute attribute, std::size_t* size,
                                      void* value) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    event_group const& of = *in.group;
    switch (attribute) {
        case CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID:
            return of.events.empty() ? CUPTI_ERROR_NOT_READY : detail::put(of.domain().id, size, value);
        case CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES:
            return detail::put(std::uint32_t{of.all_instances}, size, value);
        case CUPTI_EVENT_GROUP_ATTR_USER_DATA: return detail::put(of.user_data, size, value);
        case CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS:
            return detail::put(static_cast<std::uint32_t>(of.events.size()), size, value);
        case CUPTI_EVENT_GROUP_ATTR_EVENTS: {
            if (*size < of.events.size() * sizeof(CUpti_EventID)) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
            std::vector<CUpti_EventID> ids;
            for (group_event const& entry : of.events) ids.push_back(entry.event->id);
            return detail::put_all(ids, size, static_cast<CUpti_EventID*>(value));
        }
        case CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT: return detail::put(std::uint32_t{of.instances()}, size, value);
        case CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE: return detail::put(of.scope, size, value);
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

CUptiResult event_group_set_attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute attribute, std::size_t size,
                                      void* value) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const get = [=](auto& field) {
        if (size < sizeof field) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        std::memcpy(&field, value, sizeof field);
        return CUPTI_SUCCESS;
    };
    std::uint32_t number = 0;
    switch (attribute) {
        case CUPTI_EVENT_GROUP_ATTR_USER_DATA: return get(in.group->user_data);
        case CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES:
            if (CUptiResult const status = get(number)) return status;
            if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
            in.group->all_instances = number != 0;
            return CUPTI_SUCCESS;
        case CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE:
            if (CUptiResult const status = get(number)) return status;
            if (number > CUPTI_EVENT_PROFILING_SCOPE_BOTH) return CUPTI_ERROR_INVALID_PARAMETER;
            in.group->scope = static_cast<CUpti_EventProfilingScope>(number); // every event is of context scope
            return CUPTI_SUCCESS;
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
