// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which events are counted in which pass, as data.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_PASSES_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_PASSES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../../detail/config.hpp"
#include "../../abi/cupti_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Events of one domain, counted together.
struct planned_group {
    abi::CUpti_EventDomainID domain = 0;
    std::uint32_t total_instances = 1; // of the domain in the device
    std::vector<abi::CUpti_EventID> events;
    bool by_instance = false; // counts are kept for each instance, not summed
};

// Groups that are on at the same time.
struct planned_pass {
    std::vector<planned_group> groups;

    [[nodiscard]] bool has(abi::CUpti_EventID event) const noexcept {
        for (planned_group const& group : groups)
            for (abi::CUpti_EventID const each : group.events)
                if (each == event) return true;
        return false;
    }
};

// How events that belong together are counted.
enum class event_coverage : unsigned char {
    missing,   // one of them is in no pass
    scattered, // in several passes: the work may have gone differently in each
    together   // in one pass
};

[[nodiscard]] inline event_coverage coverage(std::span<planned_pass const> passes,
                                             std::span<abi::CUpti_EventID const> events) noexcept {
    for (planned_pass const& pass : passes) {
        bool whole = true;
        for (abi::CUpti_EventID const event : events) whole = whole && pass.has(event);
        if (whole) return event_coverage::together;
    }
    for (abi::CUpti_EventID const event : events) {
        bool counted = false;
        for (planned_pass const& pass : passes) counted = counted || pass.has(event);
        if (!counted) return event_coverage::missing;
    }
    return event_coverage::scattered;
}

// Leaves out every pass without which all sets of events are covered as well. Cost: passes squared,
// times sets.
inline void drop_needless(std::vector<planned_pass>& passes, std::span<std::vector<abi::CUpti_EventID> const> sets) {
    for (std::size_t at = 0; at < passes.size();) {
        std::vector<planned_pass> fewer = passes;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
        bool as_well = true;
        for (auto const& set : sets) as_well = as_well && coverage(fewer, set) == coverage(passes, set);
        if (as_well) passes = std::move(fewer);
        else ++at;
    }
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_PASSES_HPP
