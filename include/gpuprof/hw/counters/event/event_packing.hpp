// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events into passes: as CUPTI groups them, or as they fit by trying.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_PACKING_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_PACKING_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/device.hpp"
#include "event_catalogue.hpp"
#include "event_group.hpp"
#include "event_passes.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Copies the grouping CUPTI made and lets its own go; a null one has no pass.
[[nodiscard]] inline result<std::vector<hw::planned_pass>> copy_passes(abi::cupti_table const& cupti,
                                                                       abi::CUpti_EventGroupSets* made) {
    if (made == nullptr) return std::vector<hw::planned_pass>{};
    struct owner {
        abi::cupti_table const& cupti;
        abi::CUpti_EventGroupSets* sets;
        ~owner() { static_cast<void>(cupti.EventGroupSetsDestroy(sets)); }
    } const owned{cupti, made};

    std::vector<hw::planned_pass> passes;
    for (std::uint32_t set = 0; set < made->numSets; ++set) {
        hw::planned_pass& pass = passes.emplace_back();
        for (std::uint32_t i = 0; i < made->sets[set].numEventGroups; ++i) {
            auto const ask = [&, handle = made->sets[set].eventGroups[i]](abi::CUpti_EventGroupAttribute which,
                                                                          std::size_t size, void* value) {
                return cupti.EventGroupGetAttribute(handle, which, &size, value);
            };
            hw::planned_group group;
            std::uint32_t count = 0;
            if (auto status = ask(abi::CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID, sizeof group.domain, &group.domain))
                return hw::explain("cuptiEventGroupGetAttribute", status);
            if (auto status = ask(abi::CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, sizeof count, &count))
                return hw::explain("cuptiEventGroupGetAttribute", status);
            group.events.resize(count);
            if (auto status =
                    ask(abi::CUPTI_EVENT_GROUP_ATTR_EVENTS, count * sizeof(abi::CUpti_EventID), group.events.data()))
                return hw::explain("cuptiEventGroupGetAttribute", status);
            pass.groups.push_back(std::move(group));
        }
    }
    return passes;
}

// One group a domain in each pass, filled until CUPTI refuses. What is counted by added code stands
// in passes of its own: it disturbs what hardware counts. What else CUPTI says when groups are
// enabled is not known here.
[[nodiscard]] inline result<std::vector<hw::planned_pass>> pack_by_trying(abi::cupti_table const& cupti,
                                                                          abi::CUcontext context,
                                                                          hw::event_catalogue const& catalogue,
                                                                          std::span<abi::CUpti_EventID const> events) {
    struct open_group {
        hw::event_group group;
        abi::CUpti_EventDomainID domain;
        bool instrumented;
    };
    std::vector<std::vector<open_group>> passes;
    for (abi::CUpti_EventID const event : events) {
        auto alone = hw::event_group::try_create(cupti, context);
        if (!alone) return std::move(alone).error();
        auto fits = alone->try_add(event);
        if (!fits) return std::move(fits).error();
        if (!*fits)
            return error{errc::unavailable, 0, "event " + std::to_string(event) + " fits into no event group",
                         "the device cannot count it in this context", ""};
        auto domain = alone->try_domain();
        if (!domain) return std::move(domain).error();
        auto described = catalogue.try_domain(*domain);
        if (!described) return std::move(described).error();
        bool const instrumented = described->method == abi::CUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED;
        for (std::size_t pass = 0;; ++pass) {
            if (pass == passes.size()) passes.emplace_back();
            bool domain_taken = !passes[pass].empty() && passes[pass].front().instrumented != instrumented;
            bool placed = false;
            for (open_group& open : passes[pass]) {
                if (open.domain != *domain) continue;
                domain_taken = true;
                auto added = open.group.try_add(event);
                if (!added) return std::move(added).error();
                placed = *added;
            }
            if (placed) break;
            if (domain_taken) continue;
            passes[pass].push_back({*std::move(alone), *domain, instrumented});
            break;
        }
    }
    std::vector<hw::planned_pass> made;
    for (auto const& pass : passes) {
        hw::planned_pass& planned = made.emplace_back();
        for (open_group const& open : pass) {
            auto const list = open.group.events();
            planned.groups.push_back({open.domain, 1, {list.begin(), list.end()}});
        }
    }
    return made;
}

// As CUPTI groups the events, or by trying where it says that it cannot group them. Any other
// refusal is the error.
[[nodiscard]] inline result<std::vector<hw::planned_pass>> group_events(abi::cupti_table const& cupti,
                                                                        abi::CUcontext context,
                                                                        hw::event_catalogue const& catalogue,
                                                                        std::vector<abi::CUpti_EventID> events) {
    abi::CUpti_EventGroupSets* sets = nullptr;
    auto const status = cupti.EventGroupSetsCreate(context, events.size() * sizeof events[0], events.data(), &sets);
    if (status == abi::CUPTI_SUCCESS) return copy_passes(cupti, sets);
    if (status == abi::CUPTI_ERROR_NOT_SUPPORTED || status == abi::CUPTI_ERROR_NOT_COMPATIBLE ||
        status == abi::CUPTI_ERROR_MAX_LIMIT_REACHED)
        return pack_by_trying(cupti, context, catalogue, events);
    return hw::explain("cuptiEventGroupSetsCreate", status);
}

} // namespace detail

namespace hw {

// The groups whose events must be counted in one pass, since CUPTI evaluates the metric from the same run only; none: the metric
// takes any. One set a pass (CUPTI 5.0, cuptiMetricGetRequiredEventGroupSets). Errors: what CUPTI says of the metric.
[[nodiscard]] inline result<std::vector<planned_pass>> try_required_passes(device const& gpu,
                                                                           abi::CUpti_MetricID metric) {
    abi::CUpti_EventGroupSets* made = nullptr;
    if (auto status = gpu.cupti().MetricGetRequiredEventGroupSets(gpu.context(), metric, &made))
        return explain("cuptiMetricGetRequiredEventGroupSets", status);
    return gpuprof::detail::copy_passes(gpu.cupti(), made);
}

// The passes for these sets of events, and for the events of these metrics grouped as CUPTI
// evaluates them best. The events of a set come from one pass wherever the device can count them at
// the same time, at the price of a pass more; an event can be in several. Makes and destroys groups
// in the device's context; no counter is touched. Cost: CUPTI's.
// Errors: what CUPTI says of an event or metric; unavailable for an event that fits nowhere.
[[nodiscard]] inline result<std::vector<planned_pass>>
try_pack_events(device const& gpu, event_catalogue const& catalogue,
                std::span<std::vector<abi::CUpti_EventID> const> sets, std::span<abi::CUpti_MetricID const> metrics) {
    abi::cupti_table const& cupti = gpu.cupti();
    std::vector<planned_pass> passes;
    auto const append = [&](std::vector<planned_pass> more) {
        for (planned_pass& pass : more) passes.push_back(std::move(pass));
    };
    if (!metrics.empty()) {
        std::vector<abi::CUpti_MetricID> ids{metrics.begin(), metrics.end()};
        abi::CUpti_EventGroupSets* made = nullptr;
        if (auto status =
                cupti.MetricCreateEventGroupSets(gpu.context(), ids.size() * sizeof ids[0], ids.data(), &made))
            return explain("cuptiMetricCreateEventGroupSets", status);
        auto copied = detail::copy_passes(cupti, made);
        if (!copied) return copied;
        append(*std::move(copied));
    }
    // All that is not counted yet, in as few passes as CUPTI finds; then what was scattered over
    // them, set by set.
    std::vector<abi::CUpti_EventID> rest;
    for (auto const& set : sets)
        for (abi::CUpti_EventID const event : set) {
            bool counted = coverage(passes, {&event, 1}) != event_coverage::missing;
            for (abi::CUpti_EventID const each : rest) counted = counted || each == event;
            if (!counted) rest.push_back(event);
        }
    if (!rest.empty()) {
        auto grouped = detail::group_events(cupti, gpu.context(), catalogue, std::move(rest));
        if (!grouped) return grouped;
        append(*std::move(grouped));
    }
    for (auto const& set : sets) {
        if (coverage(passes, set) != event_coverage::scattered) continue;
        auto alone = detail::group_events(cupti, gpu.context(), catalogue, set);
        if (!alone) return alone;
        if (alone->size() == 1) append(*std::move(alone));
    }
    drop_needless(passes, sets);
    for (planned_pass& pass : passes)
        for (planned_group& group : pass.groups) {
            auto domain = catalogue.try_domain(group.domain);
            if (!domain) return std::move(domain).error();
            group.total_instances = domain->total_instances;
        }
    return passes;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_PACKING_HPP
