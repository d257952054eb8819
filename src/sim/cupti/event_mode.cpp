// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_mode.hpp"

#include <string>
#include <vector>

#include "../counters/event_table.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"
#include "cupti_state.hpp"
#include "event_group.hpp"
#include "event_sets.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// Tells the subscriber of every repetition that the enabled groups would take. Called at the end of
// a kernel, with the locks of registry and driver held: the subscriber may not call the driver.
static void report_replays(CUcontext context) {
    event_objects const& all = state().events;
    if (all.replay_update == nullptr) return;
    std::vector<chip_event const*> events;
    event_table const* catalogue = nullptr;
    all.for_each_enabled(context, [&](event_group const& group) {
        catalogue = group.catalogue;
        for (group_event const& entry : group.events) events.push_back(entry.event);
    });
    if (catalogue == nullptr) return;
    std::string const kernel = shared().registry.last_launch(context).kernel;
    auto const passes = static_cast<int>(detail::pack(*catalogue, events).size());
    for (int done = 1; done <= passes; ++done) all.replay_update(kernel.c_str(), done, all.replay_data);
}

CUptiResult set_event_collection_mode(CUcontext context, CUpti_EventCollectionMode mode) {
    auto const held = shared().registry.lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (mode > CUPTI_EVENT_COLLECTION_MODE_KERNEL) return CUPTI_ERROR_INVALID_PARAMETER;
    context_events& events = state().events.of(context);
    if (events.replays) return CUPTI_ERROR_INVALID_OPERATION;
    events.mode = mode;
    return CUPTI_SUCCESS;
}

CUptiResult enable_kernel_replay_mode(CUcontext context) {
    auto const held = shared().registry.lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    state().events.of(context) = {CUPTI_EVENT_COLLECTION_MODE_KERNEL, true};
    shared().registry.listen(context, [=](counter_values const&) { report_replays(context); });
    return CUPTI_SUCCESS;
}

CUptiResult disable_kernel_replay_mode(CUcontext context) {
    auto const held = shared().registry.lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    context_events& events = state().events.of(context);
    if (events.replays) shared().registry.listen(context, {});
    events = {CUPTI_EVENT_COLLECTION_MODE_KERNEL, false};
    state().events.for_each_enabled(context, [](event_group& group) { group.enabled = false; });
    return CUPTI_SUCCESS;
}

CUptiResult kernel_replay_subscribe_update(CUpti_KernelReplayUpdateFunc update, void* data) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    auto const held = shared().registry.lock();
    state().events.replay_update = update;
    state().events.replay_data = data;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
