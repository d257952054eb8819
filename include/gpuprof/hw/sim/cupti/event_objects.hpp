// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event groups and group sets behind CUPTI's handles, and each context's collection mode. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_EVENT_OBJECTS_HPP
#define GPUPROF_HW_SIM_CUPTI_EVENT_OBJECTS_HPP

#include <algorithm> // std::any_of
#include <cstddef>   // std::size_t
#include <cstdint>   // counts
#include <map>       // contexts
#include <memory>    // groups, sets
#include <utility>   // std::move
#include <vector>    // groups, sets

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../counters/event_table.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// An event in a group, and where its count began.
struct group_event {
    chip_event const* event;
    counter_values since;     // continuous: the context's totals then
    std::uint64_t launch = 0; // kernel mode: the number of the last kernel then
};

struct event_group {
    CUcontext context;
    event_table const* catalogue;
    std::vector<group_event> events = {}; // of one domain
    bool all_instances = false;
    void* user_data = nullptr;
    CUpti_EventProfilingScope scope = CUPTI_EVENT_PROFILING_SCOPE_CONTEXT;
    bool enabled = false;

    // @pre the group has events
    [[nodiscard]] chip_domain const& domain() const noexcept { return catalogue->domain_of(*events.front().event); }
    [[nodiscard]] unsigned instances() const noexcept {
        return all_instances && !events.empty() ? domain().limits.profiled : 1;
    }
    [[nodiscard]] bool is_dead() const {
        return gpu_registry::instance().device_of(context) == nullptr || gpu_registry::instance().is_lost(context);
    }

    void zero(group_event& one) const {
        one.since = gpu_registry::instance().totals(context);
        one.launch = gpu_registry::instance().last_launch(context).number;
    }
    void zero() {
        for (group_event& each : events) zero(each);
    }
};

// Groups by pass, in the arrays that the caller sees.
struct group_sets {
    std::vector<std::vector<CUpti_EventGroup>> passes;
    std::vector<CUpti_EventGroupSet> sets;
    CUpti_EventGroupSets handle;
};

struct context_events {
    CUpti_EventCollectionMode mode = CUPTI_EVENT_COLLECTION_MODE_KERNEL; // the default since CUPTI 6.5
    bool replays = false;
};

// All there are. Guarded by the registry's lock.
class event_objects {
public:
    // There is room for so many groups, and for so many events in them; what is beyond is CUPTI_ERROR_OUT_OF_MEMORY.
    static constexpr std::size_t most_groups = 1024;
    static constexpr std::size_t most_group_events = 4096;

    [[nodiscard]] static event_objects& instance() {
        static auto* const all = new event_objects; // outlives every static that may still call
        return *all;
    }

    // Null if there is no more room.
    [[nodiscard]] event_group* add(CUcontext context, event_table const& catalogue) {
        if (groups_.size() >= most_groups) return nullptr;
        groups_.push_back(std::make_unique<event_group>(event_group{context, &catalogue}));
        return groups_.back().get();
    }
    // Null for what is no living group.
    [[nodiscard]] event_group* find(CUpti_EventGroup handle) const noexcept {
        for (auto const& each : groups_)
            if (each.get() == handle) return each.get();
        return nullptr;
    }
    void remove(event_group const* group) {
        std::erase_if(groups_, [=](auto const& each) { return each.get() == group; });
    }
    [[nodiscard]] bool is_full() const noexcept {
        std::size_t events = 0;
        for (auto const& each : groups_) events += each->events.size();
        return events >= most_group_events;
    }
    [[nodiscard]] bool has(CUcontext context) const noexcept {
        return std::any_of(groups_.begin(), groups_.end(), [=](auto const& each) { return each->context == context; });
    }
    template <class F>
    void for_each_enabled(CUcontext context, F&& f) const {
        for (auto const& each : groups_)
            if (each->enabled && each->context == context) f(*each);
    }

    [[nodiscard]] CUpti_EventGroupSets* add(std::vector<std::vector<CUpti_EventGroup>> passes) {
        auto made = std::make_unique<group_sets>();
        made->passes = std::move(passes);
        for (auto& each : made->passes) made->sets.push_back({static_cast<std::uint32_t>(each.size()), each.data()});
        made->handle = {static_cast<std::uint32_t>(made->sets.size()), made->sets.data()};
        sets_.push_back(std::move(made));
        return &sets_.back()->handle;
    }
    [[nodiscard]] group_sets* find(CUpti_EventGroupSets const* handle) const noexcept {
        for (auto const& each : sets_)
            if (&each->handle == handle) return each.get();
        return nullptr;
    }
    // With its groups.
    void remove(group_sets const* sets) {
        for (auto const& pass : sets->passes)
            for (CUpti_EventGroup const each : pass) remove(find(each));
        std::erase_if(sets_, [=](auto const& each) { return each.get() == sets; });
    }

    [[nodiscard]] context_events& of(CUcontext context) { return contexts_[context]; }

    CUpti_KernelReplayUpdateFunc replay_update = nullptr;
    void* replay_data = nullptr;

    void clear() {
        for (auto const& each : contexts_)
            if (each.second.replays) gpu_registry::instance().listen(each.first, {});
        sets_.clear();
        groups_.clear();
        contexts_.clear();
        replay_update = nullptr;
    }

private:
    event_objects() = default;

    std::vector<std::unique_ptr<event_group>> groups_;
    std::vector<std::unique_ptr<group_sets>> sets_;
    std::map<CUcontext, context_events> contexts_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_EVENT_OBJECTS_HPP
