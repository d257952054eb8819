// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event domains and events of an embedded chip, with identifiers and limits. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_EVENT_TABLE_HPP
#define GPUPROF_HW_SIM_COUNTERS_EVENT_TABLE_HPP

#include <cmath>       // std::floor
#include <cstddef>     // std::size_t
#include <cstdint>     // counts
#include <map>         // catalogues by chip
#include <mutex>       // made once
#include <string>      // descriptions
#include <string_view> // names
#include <vector>      // domains, events

#include "../../../detail/config.hpp"
#include "../../../legacy/event.hpp"
#include "../../abi/cupti_event.hpp"
#include "../chip/chip_model.hpp"
#include "event_counts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Of a domain on one chip. NVIDIA documents none of these numbers; they are the embedded GPU's own.
struct domain_limits {
    unsigned counters; // events that an instance counts at once
    unsigned profiled; // instances that can be counted, of
    unsigned total;
};

struct chip_event {
    abi::CUpti_EventID id;
    std::string name;
    std::string short_description;
    std::string long_description; // with how exact the count is
    abi::CUpti_EventCategory category;
    std::size_t domain; // an index
    event_count const* count;
    unsigned part;  // of the count, the share this event is,
    unsigned parts; // of so many
};

struct chip_domain {
    abi::CUpti_EventDomainID id;
    char const* name;
    abi::CUpti_EventCollectionMethod method;
    domain_limits limits;
    std::vector<std::size_t> events; // indices
};

// The share number `part` of a whole that is divided as evenly as it can be: earlier shares are the larger ones.
[[nodiscard]] constexpr std::uint64_t share(std::uint64_t whole, unsigned part, unsigned parts) noexcept {
    std::uint64_t const rest = whole % parts;
    auto const up_to = [&](unsigned k) { return (rest * k + parts - 1) / parts; };
    return whole / parts + up_to(part + 1) - up_to(part);
}

// Everything about the events of a chip that does not change. Identifiers begin with the capability: on 5.2 domains are
// 5200 and up, events 52000 and up, metrics 520000 and up, so that none is valid in place of another. Immutable once
// made; the events that metrics alone use stand at the end, in a last domain that is not listed.
class event_table {
public:
    // A counter holds so much; what goes beyond is lost, and reads as an overflow.
    static constexpr std::uint64_t counter_limit = 0xffffffff;

    // The catalogue of a chip, made when first asked for; null for chips of capability 7.5 and later. Thread-safe.
    [[nodiscard]] static event_table const* of(chip_model const& chip) {
        static auto* const all = new std::map<chip_model const*, event_table>;
        static auto* const mutex = new std::mutex;
        if (!chip.events.family()) return nullptr;
        std::lock_guard const lock{*mutex};
        auto found = all->find(&chip);
        if (found == all->end()) found = all->emplace(&chip, event_table{chip}).first;
        return &found->second;
    }

    [[nodiscard]] chip_model const& chip() const noexcept { return *chip_; }
    [[nodiscard]] std::vector<chip_domain> const& domains() const noexcept { return domains_; }
    [[nodiscard]] std::size_t listed_domains() const noexcept { return domains_.size() - 1; }
    [[nodiscard]] std::vector<chip_event> const& events() const noexcept { return events_; }
    [[nodiscard]] unsigned id_base() const noexcept {
        return static_cast<unsigned>(chip_->capability().generation * 10 + chip_->capability().revision) * 100;
    }

    // Null for what the chip does not have.
    [[nodiscard]] chip_domain const* find_domain(abi::CUpti_EventDomainID id) const noexcept {
        return id >= id_base() && id - id_base() < domains_.size() ? &domains_[id - id_base()] : nullptr;
    }
    [[nodiscard]] chip_event const* find_event(abi::CUpti_EventID id) const noexcept {
        return id >= id_base() * 10 && id - id_base() * 10 < events_.size() ? &events_[id - id_base() * 10] : nullptr;
    }
    [[nodiscard]] chip_event const* find_event(std::string_view name) const noexcept {
        for (chip_event const& each : events_)
            if (each.name == name) return &each;
        return nullptr;
    }
    [[nodiscard]] chip_domain const& domain_of(chip_event const& event) const noexcept {
        return domains_[event.domain];
    }

    // What one instance of the event's domain counted, of what the chip did.
    [[nodiscard]] std::uint64_t count(chip_event const& event, unsigned instance,
                                      counter_values const& counted) const noexcept {
        auto const whole = static_cast<std::uint64_t>(std::floor(evaluate(event.count->value, counted) + 0.5));
        std::uint64_t const mine =
            event.count->clock ? whole
                               : share(share(whole, event.part, event.parts), instance, domain_of(event).limits.total);
        return mine > counter_limit ? abi::cupti_event_overflow : mine;
    }

    // Whether a name is the pattern with a digit for each `*`.
    [[nodiscard]] static bool matches(std::string_view pattern, std::string_view name) noexcept {
        if (pattern.size() != name.size()) return false;
        for (std::size_t i = 0; i < name.size(); ++i)
            if (pattern[i] == '*' ? name[i] < '0' || name[i] > '9' : pattern[i] != name[i]) return false;
        return true;
    }

private:
    explicit event_table(chip_model const& chip) : chip_{&chip} {
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
        add_domain("unlisted", event_collection::instrumented, {instrumented_counters, 1, 1});
        for (event_count const& count : unlisted_event_counts)
            if (is_on(count)) add(count.name, "An event of metrics.", event_category::system, count, 0, 1);
    }

    static constexpr unsigned instrumented_counters = 16;

    [[nodiscard]] bool is_on(event_count const& count) const noexcept {
        return count.first <= chip_->events.family() && chip_->events.family() <= count.last;
    }
    // Whether devices of the chip's capability have the event, and this one.
    [[nodiscard]] bool exists(event_place const& place) const noexcept {
        if (!is_among(place.only, chip_->capability())) return false;
        std::string_view const name = place.event->name;
        if (chip_->events.family() != capability_family::cc_2x || !name.starts_with("fb")) return true;
        return name.starts_with("fb_") != chip_->events.halves_memory_partitions;
    }
    [[nodiscard]] event_count const* count_of(std::string_view name) const noexcept {
        for (event_count const& each : event_counts)
            if (is_on(each) && matches(each.name, name)) return &each;
        return nullptr;
    }

    [[nodiscard]] domain_limits limits_of(event_domain const& domain) const noexcept {
        event_traits const& traits = chip_->events;
        unsigned total = 1;
        if (domain.instances == event_instances::multiprocessor)
            total = static_cast<unsigned>(chip_->count(hardware_unit::sm));
        else if (domain.instances == event_instances::memory_partition) total = traits.memory_partitions;
        bool const halved = domains_.empty() && traits.counts_half_of_its_first_domain;
        unsigned counters = 4;
        if (domain.collection == event_collection::instrumented) counters = instrumented_counters;
        else if (domain.collection == event_collection::multiprocessor) counters = traits.multiprocessor_counters;
        return {counters, halved ? total / 2 : total, total};
    }

    void add_domain(char const* name, event_collection collection, domain_limits limits) {
        domains_.push_back({id_base() + static_cast<unsigned>(domains_.size()),
                            name,
                            static_cast<abi::CUpti_EventCollectionMethod>(collection),
                            limits,
                            {}});
    }
    void add_listed(event_set const& set, event_descriptor const& event, event_count const& count) {
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
    // To the last domain.
    void add(char const* name, char const* meaning, event_category category, event_count const& count, unsigned part,
             unsigned parts) {
        char const* const how = count.how == fidelity::exact      ? " Exact: counted as the kernel runs."
                                : count.how == fidelity::modelled ? " Modelled: follows from caches, memory and time."
                                                                  : " Estimated from PTX instructions.";
        std::size_t const domain = domains_.size() - 1;
        domains_[domain].events.push_back(events_.size());
        events_.push_back({id_base() * 10 + static_cast<unsigned>(events_.size()), name, meaning,
                           std::string{meaning} + how, static_cast<abi::CUpti_EventCategory>(category), domain, &count,
                           part, parts});
    }

    chip_model const* chip_;
    std::vector<chip_domain> domains_;
    std::vector<chip_event> events_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_EVENT_TABLE_HPP
