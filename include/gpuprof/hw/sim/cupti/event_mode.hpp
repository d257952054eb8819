// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's collection modes and kernel replay for the embedded GPU. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_EVENT_MODE_HPP
#define GPUPROF_HW_SIM_CUPTI_EVENT_MODE_HPP

#include <algorithm> // std::max
#include <cstddef>   // std::size_t
#include <string>    // kernel names
#include <vector>    // events

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "answer.hpp"
#include "event_sets.hpp"
#include "event_objects.hpp"
#include "../counters/gpu_registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

// Tells the subscriber of every repetition that the enabled groups would take. Called at the end of a kernel, with the
// locks of registry and driver held: the subscriber may not call the driver.
inline void report_replays(CUcontext context) {
    event_objects const& all = event_objects::instance();
    if (all.replay_update == nullptr) return;
    std::vector<chip_event const*> events;
    event_table const* catalogue = nullptr;
    all.for_each_enabled(context, [&](event_group const& group) {
        catalogue = group.catalogue;
        for (group_event const& each : group.events) events.push_back(each.event);
    });
    if (catalogue == nullptr) return;
    std::string const kernel = gpu_registry::instance().last_launch(context).kernel;
    auto const passes = static_cast<int>(pack(*catalogue, events).size());
    for (int done = 1; done <= passes; ++done) all.replay_update(kernel.c_str(), done, all.replay_data);
}

} // namespace detail

// The mode stands for groups that are enabled already, too. Not in kernel replay mode: CUPTI_ERROR_INVALID_OPERATION.
inline CUptiResult set_event_collection_mode(CUcontext context, CUpti_EventCollectionMode mode) {
    auto const held = gpu_registry::instance().lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (mode > CUPTI_EVENT_COLLECTION_MODE_KERNEL) return CUPTI_ERROR_INVALID_PARAMETER;
    context_events& events = event_objects::instance().of(context);
    if (events.replays) return CUPTI_ERROR_INVALID_OPERATION;
    events.mode = mode;
    return CUPTI_SUCCESS;
}

// Any number of groups can be enabled then. Kernels are not really repeated, since everything is counted in one run.
inline CUptiResult enable_kernel_replay_mode(CUcontext context) {
    auto const held = gpu_registry::instance().lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    event_objects::instance().of(context) = {CUPTI_EVENT_COLLECTION_MODE_KERNEL, true};
    gpu_registry::instance().listen(context, [=](counter_values const&) { detail::report_replays(context); });
    return CUPTI_SUCCESS;
}

// Disables every group of the context.
inline CUptiResult disable_kernel_replay_mode(CUcontext context) {
    auto const held = gpu_registry::instance().lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    context_events& events = event_objects::instance().of(context);
    if (events.replays) gpu_registry::instance().listen(context, {});
    events = {CUPTI_EVENT_COLLECTION_MODE_KERNEL, false};
    event_objects::instance().for_each_enabled(context, [](event_group& group) { group.enabled = false; });
    return CUPTI_SUCCESS;
}

// One subscriber a process; null ends it.
inline CUptiResult kernel_replay_subscribe_update(CUpti_KernelReplayUpdateFunc update, void* data) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    auto const held = gpu_registry::instance().lock();
    event_objects::instance().replay_update = update;
    event_objects::instance().replay_data = data;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_EVENT_MODE_HPP
