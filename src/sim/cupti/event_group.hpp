// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's event group calls for the embedded GPU: create, fill and describe groups. Answers are
// those of the reference (CUPTI 5.0); what is null, stale or no handle is
// CUPTI_ERROR_INVALID_PARAMETER.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_GROUP_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_GROUP_HPP

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include "event_objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

// The group a call names, or the status to refuse with. Holds the registry's lock meanwhile.
struct group_call {
    std::unique_lock<std::recursive_mutex> held;
    event_group* group = nullptr;
    CUptiResult status = CUPTI_SUCCESS;

    explicit group_call(CUpti_EventGroup handle);
    [[nodiscard]] bool ready() const noexcept { return status == CUPTI_SUCCESS; }
};

// The event of that number in the group, or the end of its events.
[[nodiscard]] std::vector<group_event>::iterator find_group_event(event_group& group, CUpti_EventID id);

// Refuses a context that range profiling is enabled on: CUPTI's two profilers do not work on one
// context.
[[nodiscard]] CUptiResult refuse_mixing(CUcontext context);

} // namespace detail

// A context that range profiling is enabled on has no event groups
// (CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED), and while it has some, range profiling cannot be
// enabled.
CUptiResult event_group_create(CUcontext context, CUpti_EventGroup* group, std::uint32_t flags);

CUptiResult event_group_destroy(CUpti_EventGroup group);

// An event that is in the group already is CUPTI_ERROR_NOT_COMPATIBLE.
CUptiResult event_group_add_event(CUpti_EventGroup group, CUpti_EventID event);

CUptiResult event_group_remove_event(CUpti_EventGroup group, CUpti_EventID event);
CUptiResult event_group_remove_all_events(CUpti_EventGroup group);

// The domain of a group without events is CUPTI_ERROR_NOT_READY, which the reference leaves open.
CUptiResult event_group_get_attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute attribute, std::size_t* size,
                                      void* value);

// Whether all instances are counted cannot be changed while the group is enabled:
// CUPTI_ERROR_INVALID_OPERATION.
CUptiResult event_group_set_attribute(CUpti_EventGroup group, CUpti_EventGroupAttribute attribute, std::size_t size,
                                      void* value);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_GROUP_HPP
