// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_sets.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "../counters/event_table.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"
#include "cupti_state.hpp"
#include "event_collect.hpp"
#include "event_group.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

std::vector<event_pass> pack(event_table const& catalogue, std::span<chip_event const* const> events) {
    std::vector<event_pass> hardware, instrumented;
    std::map<chip_domain const*, std::vector<std::vector<chip_event const*>>> groups;
    std::vector<chip_domain const*> order;
    std::vector<chip_event const*> seen;
    for (chip_event const* const event : events) {
        if (std::find(seen.begin(), seen.end(), event) != seen.end()) continue;
        seen.push_back(event);
        chip_domain const& domain = catalogue.domain_of(*event);
        auto& list = groups[&domain];
        if (list.empty()) order.push_back(&domain);
        if (list.empty() || list.back().size() == domain.limits.counters) list.emplace_back();
        list.back().push_back(event);
    }
    for (chip_domain const* const domain : order) {
        auto& passes = domain->method == CUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED ? instrumented : hardware;
        auto& list = groups[domain];
        if (passes.size() < list.size()) passes.resize(list.size());
        for (std::size_t i = 0; i < list.size(); ++i) passes[i].push_back(std::move(list[i]));
    }
    for (event_pass& pass : instrumented) hardware.push_back(std::move(pass));
    return hardware;
}

CUpti_EventGroupSets* make_sets(CUcontext context, event_table const& catalogue,
                                std::vector<event_pass> const& passes) {
    event_objects& all = state().events;
    std::vector<std::vector<CUpti_EventGroup>> handles;
    std::vector<event_group*> groups;
    bool room = true;
    for (event_pass const& pass : passes) {
        handles.emplace_back();
        for (auto const& list : pass) {
            event_group* const group = room ? all.add(context, catalogue) : nullptr;
            if (group == nullptr) {
                room = false;
                continue;
            }
            groups.push_back(group);
            for (chip_event const* const event : list) {
                room = room && !all.is_full();
                if (room) group->events.push_back({event, {}, 0});
            }
            handles.back().push_back(group);
        }
    }
    if (room) return all.add(std::move(handles));
    for (event_group const* const group : groups) all.remove(group);
    return nullptr;
}

} // namespace detail

// The groups of a set; nothing if one of them is none.
[[nodiscard]] static std::vector<event_group*> groups_of(CUpti_EventGroupSet const& set) {
    std::vector<event_group*> groups;
    for (std::uint32_t i = 0; i < set.numEventGroups && set.eventGroups != nullptr; ++i) {
        event_group* const group = state().events.find(set.eventGroups[i]);
        if (group == nullptr) return {};
        groups.push_back(group);
    }
    return groups;
}

CUptiResult event_group_sets_create(CUcontext context, std::size_t size, CUpti_EventID* events,
                                    CUpti_EventGroupSets** passes) {
    auto const held = shared().registry.lock();
    auto const of = detail::of_context(context);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (events == nullptr || passes == nullptr || size < sizeof *events) return CUPTI_ERROR_INVALID_PARAMETER;
    if (CUptiResult const refused = detail::refuse_mixing(context)) return refused;
    std::vector<chip_event const*> wanted;
    for (std::size_t i = 0; i < size / sizeof *events; ++i) {
        wanted.push_back(of.catalogue->find_event(events[i]));
        if (wanted.back() == nullptr) return CUPTI_ERROR_INVALID_EVENT_ID;
    }
    *passes = detail::make_sets(context, *of.catalogue, detail::pack(*of.catalogue, wanted));
    return *passes == nullptr ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

CUptiResult event_group_sets_destroy(CUpti_EventGroupSets* passes) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    auto const held = shared().registry.lock();
    event_objects& all = state().events;
    group_sets const* const sets = all.find(passes);
    if (sets == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    for (auto const& pass : sets->passes)
        for (CUpti_EventGroup const handle : pass)
            if (event_group const* const group = all.find(handle); group != nullptr && group->enabled)
                return CUPTI_ERROR_INVALID_OPERATION;
    all.remove(sets);
    return CUPTI_SUCCESS;
}

CUptiResult event_group_set_enable(CUpti_EventGroupSet* pass) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (pass == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = shared().registry.lock();
    auto const groups = groups_of(*pass);
    if (groups.empty()) return pass->numEventGroups == 0 ? CUPTI_ERROR_NOT_READY : CUPTI_ERROR_INVALID_PARAMETER;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (CUptiResult const refused = event_group_enable(groups[i])) {
            for (std::size_t before = 0; before < i; ++before) groups[before]->enabled = false;
            return refused;
        }
    return CUPTI_SUCCESS;
}

CUptiResult event_group_set_disable(CUpti_EventGroupSet* pass) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (pass == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const held = shared().registry.lock();
    auto const groups = groups_of(*pass);
    if (groups.empty() && pass->numEventGroups != 0) return CUPTI_ERROR_INVALID_PARAMETER;
    CUptiResult status = CUPTI_SUCCESS;
    for (event_group* const group : groups)
        if (CUptiResult const refused = event_group_disable(group)) status = refused;
    return status;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
