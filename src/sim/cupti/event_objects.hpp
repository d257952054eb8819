// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event groups and group sets behind CUPTI's handles, and each context's collection mode.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_OBJECTS_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_OBJECTS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include "../counters/event_table.hpp"
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
    // Whether the context was destroyed or lost.
    [[nodiscard]] bool is_dead() const;

    // Lets an event, or all events of the group, count from zero.
    void zero(group_event& event) const;
    void zero();
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

// All groups, sets and modes of the process. Guarded by the registry's lock.
class event_objects {
public:
    // There is room for so many groups, and for so many events in them; what is beyond is
    // CUPTI_ERROR_OUT_OF_MEMORY.
    static constexpr std::size_t most_groups = 1024;
    static constexpr std::size_t most_group_events = 4096;

    // Null if there is no more room.
    [[nodiscard]] event_group* add(CUcontext context, event_table const& catalogue);
    // Null for what is no living group.
    [[nodiscard]] event_group* find(CUpti_EventGroup handle) const noexcept;
    void remove(event_group const* group);
    [[nodiscard]] bool is_full() const noexcept;
    // Whether the context has a group.
    [[nodiscard]] bool has(CUcontext context) const noexcept;
    template <class F>
    void for_each_enabled(CUcontext context, F&& f) const {
        for (auto const& group : groups_)
            if (group->enabled && group->context == context) f(*group);
    }

    [[nodiscard]] CUpti_EventGroupSets* add(std::vector<std::vector<CUpti_EventGroup>> passes);
    // Null for what are no living sets.
    [[nodiscard]] group_sets* find(CUpti_EventGroupSets const* handle) const noexcept;
    // Removes the sets and their groups.
    void remove(group_sets const* sets);

    [[nodiscard]] context_events& of(CUcontext context) { return contexts_[context]; }

    CUpti_KernelReplayUpdateFunc replay_update = nullptr;
    void* replay_data = nullptr;

    void clear();

private:
    std::vector<std::unique_ptr<event_group>> groups_;
    std::vector<std::unique_ptr<group_sets>> sets_;
    std::map<CUcontext, context_events> contexts_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_OBJECTS_HPP
