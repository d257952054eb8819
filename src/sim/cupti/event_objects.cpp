// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_objects.hpp"

#include <algorithm>
#include <utility>

#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

bool event_group::is_dead() const {
    return shared().registry.device_of(context) == nullptr || shared().registry.is_lost(context);
}

void event_group::zero(group_event& event) const {
    event.since = shared().registry.totals(context);
    event.launch = shared().registry.last_launch(context).number;
}

void event_group::zero() {
    for (group_event& event : events) zero(event);
}

event_group* event_objects::add(CUcontext context, event_table const& catalogue) {
    if (groups_.size() >= most_groups) return nullptr;
    groups_.push_back(std::make_unique<event_group>(event_group{context, &catalogue}));
    return groups_.back().get();
}

event_group* event_objects::find(CUpti_EventGroup handle) const noexcept {
    for (auto const& group : groups_)
        if (group.get() == handle) return group.get();
    return nullptr;
}

void event_objects::remove(event_group const* group) {
    std::erase_if(groups_, [=](auto const& known) { return known.get() == group; });
}

bool event_objects::is_full() const noexcept {
    std::size_t events = 0;
    for (auto const& group : groups_) events += group->events.size();
    return events >= most_group_events;
}

bool event_objects::has(CUcontext context) const noexcept {
    return std::any_of(groups_.begin(), groups_.end(), [=](auto const& group) { return group->context == context; });
}

CUpti_EventGroupSets* event_objects::add(std::vector<std::vector<CUpti_EventGroup>> passes) {
    auto added = std::make_unique<group_sets>();
    added->passes = std::move(passes);
    for (auto& pass : added->passes) added->sets.push_back({static_cast<std::uint32_t>(pass.size()), pass.data()});
    added->handle = {static_cast<std::uint32_t>(added->sets.size()), added->sets.data()};
    sets_.push_back(std::move(added));
    return &sets_.back()->handle;
}

group_sets* event_objects::find(CUpti_EventGroupSets const* handle) const noexcept {
    for (auto const& sets : sets_)
        if (&sets->handle == handle) return sets.get();
    return nullptr;
}

void event_objects::remove(group_sets const* sets) {
    for (auto const& pass : sets->passes)
        for (CUpti_EventGroup const group : pass) remove(find(group));
    std::erase_if(sets_, [=](auto const& known) { return known.get() == sets; });
}

void event_objects::clear() {
    for (auto const& [context, events] : contexts_)
        if (events.replays) shared().registry.listen(context, {});
    sets_.clear();
    groups_.clear();
    contexts_.clear();
    replay_update = nullptr;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
