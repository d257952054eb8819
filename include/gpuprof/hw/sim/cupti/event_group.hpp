// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's event group calls for the embedded GPU: make, fill and describe groups. Layer: hw/sim. Answers are those of the
// reference (CUPTI 5.0); what is null, stale or no handle is CUPTI_ERROR_INVALID_PARAMETER.
#ifndef GPUPROF_HW_SIM_CUPTI_EVENT_GROUP_HPP
#define GPUPROF_HW_SIM_CUPTI_EVENT_GROUP_HPP

#include <algorithm> // std::find_if
#include <cstddef>   // std::size_t
#include <cstdint>   // flags
#include <cstring>   // std::memcpy
#include <mutex>     // the registry's lock
#include <vector>    // identifiers

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "answer.hpp"
#include "event_objects.hpp"
#include "../counters/gpu_registry.hpp"
#include "range_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

// The group a call names, or the status to refuse with. Holds the registry's lock meanwhile.
struct group_call {
    std::unique_lock<std::recursive_mutex> held = gpu_registry::instance().lock();
    event_group* group = nullptr;
    CUptiResult status = CUPTI_SUCCESS;

    explicit group_call(CUpti_EventGroup handle) {
        if (!is_initialized()) status = CUPTI_ERROR_NOT_INITIALIZED;
        else if (group = event_objects::instance().find(handle); group == nullptr)
            status = CUPTI_ERROR_INVALID_PARAMETER;
    }
    [[nodiscard]] bool ready() const noexcept { return status == CUPTI_SUCCESS; }
};

[[nodiscard]] inline auto find_in(event_group& group, CUpti_EventID id) {
    return std::find_if(group.events.begin(), group.events.end(),
                        [=](group_event const& each) { return each.event->id == id; });
}

// Both of CUPTI's profilers on one context do not go together.
[[nodiscard]] inline CUptiResult refuse_mixing(CUcontext context) {
    return range_objects::instance().has(context) ? CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED : CUPTI_SUCCESS;
}

} // namespace detail

// A context that range profiling is enabled on has no event groups (CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED), and while
// it has some, range profiling cannot be enabled.
inline CUptiResult event_group_create(CUcontext context, CUpti_EventGroup* group, std::uint32_t flags) {
    auto const held = gpu_registry::instance().lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (group == nullptr || flags != 0) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    event_group* const made = event_objects::instance().add(context, *of.catalogue);
    if (made == nullptr) return CUPTI_ERROR_OUT_OF_MEMORY;
    *group = made;
    return CUPTI_SUCCESS;
}

inline CUptiResult event_group_destroy(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    event_objects::instance().remove(in.group);
    return CUPTI_SUCCESS;
}

// An event that is in the group already is CUPTI_ERROR_NOT_COMPATIBLE.
inline CUptiResult event_group_add_event(CUpti_EventGroup group, CUpti_EventID event) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    chip_event const* const found = in.group->catalogue->find_event(event);
    if (found == nullptr) return CUPTI_ERROR_INVALID_EVENT_ID;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    chip_domain const& domain = in.group->catalogue->domain_of(*found);
    if (!in.group->events.empty() && &in.group->domain() != &domain) return CUPTI_ERROR_NOT_COMPATIBLE;
    if (detail::find_in(*in.group, event) != in.group->events.end()) return CUPTI_ERROR_NOT_COMPATIBLE;
    if (in.group->events.size() >= domain.limits.counters) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    if (event_objects::instance().is_full()) return CUPTI_ERROR_OUT_OF_MEMORY;
    in.group->events.push_back({found, {}, 0});
    return CUPTI_SUCCESS;
}

inline CUptiResult event_group_remove_event(CUpti_EventGroup group, CUpti_EventID event) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    auto const found = detail::find_in(*in.group, event);
    if (found == in.group->events.end()) return CUPTI_ERROR_INVALID_EVENT_ID;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    in.group->events.erase(found);
    return CUPTI_SUCCESS;
}

inline CUptiResult event_group_remove_all_events(CUpti_EventGroup group) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (in.group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
    in.group->events.clear();
    return CUPTI_SUCCESS;
}

// The domain of a group without events is CUPTI_ERROR_NOT_READY, which the reference leaves open.
inline CUptiResult event_group_get_attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute attribute,
                                             std::size_t* size, void* value) {
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
            for (group_event const& each : of.events) ids.push_back(each.event->id);
            return detail::put_all(ids, size, static_cast<CUpti_EventID*>(value));
        }
        case CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT: return detail::put(std::uint32_t{of.instances()}, size, value);
        case CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE: return detail::put(of.scope, size, value);
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

// Whether all instances are counted cannot be changed while the group is enabled: CUPTI_ERROR_INVALID_OPERATION.
inline CUptiResult event_group_set_attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute attribute,
                                             std::size_t size, void* value) {
    detail::group_call const in{group};
    if (!in.ready()) return in.status;
    if (value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const get = [=](auto& what) {
        if (size < sizeof what) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        std::memcpy(&what, value, sizeof what);
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

#endif // GPUPROF_HW_SIM_CUPTI_EVENT_GROUP_HPP
