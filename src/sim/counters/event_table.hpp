// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event domains and events of an embedded chip, with identifiers and limits.
#ifndef GPUPROF_SRC_SIM_COUNTERS_EVENT_TABLE_HPP
#define GPUPROF_SRC_SIM_COUNTERS_EVENT_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_event.hpp>
#include <gpuprof/legacy/event.hpp>

#include "../chip/chip_model.hpp"
#include "event_counts.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The limits of a domain on one chip. NVIDIA documents none of these numbers; they are the embedded
// GPU's own.
struct domain_limits {
    unsigned counters; // events that an instance counts at once
    unsigned profiled; // instances that can be counted
    unsigned total;    // instances
};

struct chip_event {
    abi::CUpti_EventID id;
    std::string name;
    std::string short_description;
    std::string long_description; // with how exact the count is
    abi::CUpti_EventCategory category;
    std::size_t domain; // an index
    event_count const* count;
    unsigned part;  // the number of the share of the count that this event is
    unsigned parts; // shares of the count
};

struct chip_domain {
    abi::CUpti_EventDomainID id;
    char const* name;
    abi::CUpti_EventCollectionMethod method;
    domain_limits limits;
    std::vector<std::size_t> events; // indices
};

// Share number `part` of a whole that is divided as evenly as possible: earlier shares are the
// larger ones.
[[nodiscard]] constexpr std::uint64_t share(std::uint64_t whole, unsigned part, unsigned parts) noexcept {
    std::uint64_t const rest = whole % parts;
    auto const up_to = [&](unsigned k) { return (rest * k + parts - 1) / parts; };
    return whole / parts + up_to(part + 1) - up_to(part);
}

// The event domains and events of a chip. Immutable. Identifiers begin with the capability: on 5.2
// domains are 5200 and up, events 52000 and up, metrics 520000 and up, so that none is valid in
// place of another. The events that only metrics use stand at the end, in a last domain that is not
// listed.
class event_table {
public:
    // The most that a counter holds; a greater count reads as an overflow.
    static constexpr std::uint64_t counter_limit = 0xffffffff;

    // The table of a chip, built at the first call; null for chips of capability 7.5 and later.
    // Thread-safe.
    [[nodiscard]] static event_table const* of(chip_model const& chip);

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
    [[nodiscard]] chip_event const* find_event(std::string_view name) const noexcept;
    [[nodiscard]] chip_domain const& domain_of(chip_event const& event) const noexcept {
        return domains_[event.domain];
    }

    // What one instance of the event's domain counted, if the chip counted `counted`.
    [[nodiscard]] std::uint64_t count(chip_event const& event, unsigned instance,
                                      counter_values const& counted) const noexcept;

    // Whether a name is the pattern with a digit for each `*`.
    [[nodiscard]] static bool matches(std::string_view pattern, std::string_view name) noexcept;

private:
    explicit event_table(chip_model const& chip);

    [[nodiscard]] bool is_on(event_count const& count) const noexcept;
    // Whether devices of the chip's capability have the event, and this chip has it.
    [[nodiscard]] bool exists(event_place const& place) const noexcept;
    [[nodiscard]] event_count const* count_of(std::string_view name) const noexcept;
    [[nodiscard]] domain_limits limits_of(event_domain const& domain) const noexcept;

    void add_domain(char const* name, event_collection collection, domain_limits limits);
    // Both add to the last domain. add_listed() finds out which share of its count the event is.
    void add_listed(event_set const& set, event_descriptor const& event, event_count const& count);
    void add(char const* name, char const* meaning, event_category category, event_count const& count, unsigned part,
             unsigned parts);

    chip_model const* chip_;
    std::vector<chip_domain> domains_;
    std::vector<chip_event> events_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_EVENT_TABLE_HPP
