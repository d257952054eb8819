// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of the event hardware, and the domains that count them.
#ifndef GPUPROF_LEGACY_EVENT_HPP
#define GPUPROF_LEGACY_EVENT_HPP

#include <span>
#include <string_view>

#include "capability_family.hpp"
#include "../detail/config.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// What an event is about. The values are CUpti_EventCategory's (CUPTI 5.0, Event API).
enum class event_category : unsigned char { instruction, memory, cache, profile_trigger, system };

// How a domain's events are counted. The values are CUpti_EventCollectionMethod's: by the hardware performance monitor,
// by the multiprocessors' own counters, by code added to the kernel, or by the NVLink counters.
enum class event_collection : unsigned char { performance_monitor, multiprocessor, instrumented, nvlink };

// What there is one domain instance for each of. Fewer instances may be counted than there are (CUPTI 12.0, 2.6).
enum class event_instances : unsigned char { multiprocessor, memory_partition, device };

// A countable occurrence. A name means the same on every device that has it (CUPTI 12.0, 2.5), so a descriptor exists
// once; which devices have it is the matter of an event_set. `of` is the unit of its count, summed over all instances.
struct event_descriptor {
    char const* name;
    unit of;
    event_category category;
    char const* meaning;
};

// A group of events that the same counters count. `name` is CUPTI's: unique within a device only.
struct event_domain {
    char const* name;
    event_collection collection;
    event_instances instances;
    char const* meaning;
};

// An event of a family, and the index of its domain there.
struct event_place {
    event_descriptor const* event;
    unsigned char domain;
    capability_revisions only = any_revision; // of the family, those that have it
};

// The events of one capability family. Refers to static storage. A family's list is the union of its devices': one device
// may lack some.
struct event_set {
    capability_family family;
    std::span<event_domain const> domains;
    std::span<event_place const> events;

    // Where the event of that name is, or null. Cost: a linear search of at most 150 names.
    [[nodiscard]] constexpr event_place const* find(std::string_view name) const noexcept {
        for (event_place const& each : events)
            if (each.event->name == name) return &each;
        return nullptr;
    }
    [[nodiscard]] constexpr event_domain const& domain_of(event_place const& place) const noexcept {
        return domains[place.domain];
    }
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENT_HPP
