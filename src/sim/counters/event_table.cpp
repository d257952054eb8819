// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_table.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <gpuprof/core/fidelity.hpp>
#include <gpuprof/hw/abi/cupti_event.hpp>
#include <gpuprof/legacy/capability_family.hpp>
#include <gpuprof/legacy/event.hpp>

#include "../chip/chip_model.hpp"
#include "event_counts.hpp"
#include "metric_row.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static constexpr unsigned instrumented_event_counters = 16;

event_table const* event_table::of(chip_model const& chip) {
    static auto* const tables = new std::map<chip_model const*, event_table>;
    static auto* const mutex = new std::mutex;
    if (!chip.events.family()) return nullptr;
    std::lock_guard const lock{*mutex};
    auto found = tables->find(&chip);
    if (found == tables->end()) found = tables->emplace(&chip, event_table{chip}).first;
    return &found->second;
}

chip_event const* event_table::find_event(std::string_view name) const noexcept {
    for (chip_event const& event : events_)
        if (event.name == name) return &event;
    return nullptr;
}

std::uint64_t event_table::count(chip_event const& event, unsigned instance,
                                 counter_values const& counted) const noexcept {
    auto const whole = static_cast<std::uint64_t>(std::floor(evaluate(event.count->value, counted) + 0.5));
    std::uint64_t const mine =
        event.count->clock ? whole
                           : share(share(whole, event.part, event.parts), instance, domain_of(event).limits.total);
    return mine > counter_limit ? abi::cupti_event_overflow : mine;
}

bool event_table::matches(std::string_view pattern, std::string_view name) noexcept {
    if (pattern.size() != name.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i)
        if (pattern[i] == '*' ? name[i] < '0' || name[i] > '9' : pattern[i] != name[i]) return false;
    return true;
}

event_table::event_table(chip_model const& chip) : chip_{&chip} {
    event_set const& set = *chip.events.set;
    for (std::size_t i = 0; i < set.domains.size(); ++i) {
        bool added = false; // a domain without events is left out
        for (event_place const& place : set.events) {
            bool const here = place.domain == i && exists(place);
            event_count const* const count = here ? count_of(place.event->name) : nullptr;
            if (count == nullptr) continue;
            if (!added) add_domain(set.domains[i].name, set.domains[i].collection, limits_of(set.domains[i]));
            added = true;
            add_listed(set, *place.event, *count);
        }
    }
    add_domain("unlisted", event_collection::instrumented, {instrumented_event_counters, 1, 1});
    for (event_count const& count : unlisted_event_counts())
        if (is_on(count)) add(count.name, "An event of metrics.", event_category::system, count, 0, 1);
}

bool event_table::is_on(event_count const& count) const noexcept {
    return count.first <= chip_->events.family() && chip_->events.family() <= count.last;
}
bool event_table::exists(event_place const& place) const noexcept {
    if (!is_among(place.only, chip_->capability())) return false;
    std::string_view const name = place.event->name;
    if (chip_->events.family() != capability_family::cc_2x || !name.starts_with("fb")) return true;
    return name.starts_with("fb_") != chip_->events.halves_memory_partitions;
}
event_count const* event_table::count_of(std::string_view name) const noexcept {
    for (event_count const& count : event_counts())
        if (is_on(count) && matches(count.name, name)) return &count;
    return nullptr;
}

domain_limits event_table::limits_of(event_domain const& domain) const noexcept {
    event_traits const& traits = chip_->events;
    unsigned total = 1;
    if (domain.instances == event_instances::multiprocessor)
        total = static_cast<unsigned>(chip_->count(hardware_unit::sm));
    else if (domain.instances == event_instances::memory_partition) total = traits.memory_partitions;
    bool const halved = domains_.empty() && traits.counts_half_of_its_first_domain;
    unsigned counters = 4;
    if (domain.collection == event_collection::instrumented) counters = instrumented_event_counters;
    else if (domain.collection == event_collection::multiprocessor) counters = traits.multiprocessor_counters;
    return {counters, halved ? total / 2 : total, total};
}

void event_table::add_domain(char const* name, event_collection collection, domain_limits limits) {
    domains_.push_back({id_base() + static_cast<unsigned>(domains_.size()),
                        name,
                        static_cast<abi::CUpti_EventCollectionMethod>(collection),
                        limits,
                        {}});
}
void event_table::add_listed(event_set const& set, event_descriptor const& event, event_count const& count) {
    std::string_view const name = event.name;
    unsigned part = count.part;
    unsigned parts = count.parts;
    std::size_t const digit = std::string_view{count.name}.find('*');
    if (digit != std::string_view::npos) {
        part = static_cast<unsigned>(name[digit] - '0');
        for (event_place const& other : set.events)
            if (exists(other) && matches(count.name, other.event->name)) ++parts;
    }
    add(event.name, event.meaning, event.category, count, part, parts == 0 ? 1 : parts);
}
void event_table::add(char const* name, char const* meaning, event_category category, event_count const& count,
                      unsigned part, unsigned parts) {
    char const* const how = count.how == fidelity::exact      ? " Exact: counted as the kernel runs."
                            : count.how == fidelity::modelled ? " Modelled: follows from caches, memory and time."
                                                              : " Estimated from PTX instructions.";
    std::size_t const domain = domains_.size() - 1;
    domains_[domain].events.push_back(events_.size());
    events_.push_back({id_base() * 10 + static_cast<unsigned>(events_.size()), name, meaning,
                       std::string{meaning} + how, static_cast<abi::CUpti_EventCategory>(category), domain, &count,
                       part, parts});
}

} // namespace sim
GPUPROF_NAMESPACE_END
