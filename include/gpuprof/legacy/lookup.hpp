// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legacy events, metrics and mappings by name.
#ifndef GPUPROF_LEGACY_LOOKUP_HPP
#define GPUPROF_LEGACY_LOOKUP_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../core/compute_capability_text.hpp"
#include "../metric/nearest.hpp"
#include "../core/result.hpp"
#include "event_rows.hpp"
#include "metric_rows.hpp"
#include "range_mappings.hpp"

GPUPROF_NAMESPACE_BEGIN

// Everything here is constant data: thread-safe, and pointers stay valid as long as the program. Lookups are linear, at
// most 300 comparisons; those that return a result allocate the texts of an error, and nothing else.
namespace legacy {

// A family's events, and its metrics.
[[nodiscard]] constexpr event_set const& events_of(capability_family family) noexcept {
    constexpr event_set const* sets[]{&events_2x, &events_3x, &events_5x, &events_6x, &events_70};
    return *sets[static_cast<unsigned>(family)];
}
[[nodiscard]] constexpr legacy_metric_set const& metrics_of(capability_family family) noexcept {
    constexpr legacy_metric_set const* sets[]{&metrics_2x, &metrics_3x, &metrics_5x, &metrics_6x, &metrics_70};
    return *sets[static_cast<unsigned>(family)];
}

// The event or metric of that name in any family; null if none has it.
[[nodiscard]] constexpr event_descriptor const* find_event(std::string_view name) noexcept {
    for (capability_family const family : all_capability_families)
        if (event_place const* const place = events_of(family).find(name)) return place->event;
    return nullptr;
}
[[nodiscard]] constexpr legacy_metric_descriptor const* find_metric(std::string_view name) noexcept {
    for (legacy_metric_descriptor const* const each : all_metrics)
        if (each->name == name) return each;
    return nullptr;
}

// All rows of NVIDIA's mapping tables, also those without an equivalent, by name (CUPTI 12.0, tables 7 and 8).
[[nodiscard]] constexpr std::span<range_mapping const> metric_mappings() noexcept { return detail::metric_mappings; }
[[nodiscard]] constexpr std::span<range_mapping const> event_mappings() noexcept { return detail::event_mappings; }

// What a legacy metric, or event, is on capability 7.0 and later; null where no table names it. Ask has_equivalent() of the
// rest. Some names of capability 2.x and 3.x, which the tables lack, are mapped, too.
[[nodiscard]] constexpr range_mapping const* mapping_of_metric(std::string_view name) noexcept {
    for (range_mapping const& each : detail::metric_mappings)
        if (each.name == name) return &each;
    for (range_mapping const& each : detail::other_metric_mappings)
        if (each.name == name) return &each;
    return nullptr;
}
[[nodiscard]] constexpr range_mapping const* mapping_of_event(std::string_view name) noexcept {
    for (range_mapping const& each : detail::event_mappings)
        if (each.name == name) return &each;
    return nullptr;
}

namespace detail {
[[nodiscard]] constexpr std::string_view name_of(event_place const& place) noexcept { return place.event->name; }
[[nodiscard]] constexpr std::string_view name_of(legacy_metric_row const& row) noexcept { return row.metric->name; }
[[nodiscard]] constexpr std::string_view name_of(range_mapping const& row) noexcept {
    return row.has_equivalent() ? row.name : ""; // no candidate
}

// The error for a name that is not among `rows`, with the nearest of those as the remedy.
template <class Row>
[[nodiscard]] GPUPROF_COLD error unknown_row(std::string_view name, std::string_view cause, std::span<Row const> rows) {
    std::array<std::string_view, 256> names;
    std::size_t count = 0;
    for (Row const& row : rows)
        if (count < names.size()) names[count++] = name_of(row);
    return unknown_name(name, cause, std::span{names}.first(count));
}

// "capability 5.x has no such metric, unlike 2.x and 3.x"
template <class Has>
[[nodiscard]] GPUPROF_COLD std::string who_has(std::string_view kind, capability_family asked, Has const& has) {
    std::string text = "capability " + std::string{gpuprof::name(asked)} + " has no such " + std::string{kind};
    char const* joint = ", unlike ";
    for (capability_family const family : all_capability_families) {
        if (!has(family)) continue;
        text += joint + std::string{gpuprof::name(family)};
        joint = " and ";
    }
    return text;
}

// "of capability 5.x, only 5.0 and 5.2 have this metric; this is 5.3"
[[nodiscard]] GPUPROF_COLD inline std::string who_of_family_has(capability_family family, capability_revisions only,
                                                                compute_capability asked,
                                                                std::string_view kind = "metric") {
    std::string text = "of capability " + std::string{gpuprof::name(family)} + ", only ";
    char const* joint = "";
    int number = 0;
    for (int revision = 0; revision < 8; ++revision) {
        if ((only >> revision & 1) == 0) continue;
        text += joint + capability_text({asked.generation, revision});
        joint = " and ";
        ++number;
    }
    text += (number == 1 ? " has this " : " have this ") + std::string{kind};
    return text + "; this is " + capability_text(asked);
}
} // namespace detail

// The event of that name on a family's devices, and the domain that counts it. Fails with errc::unknown_metric; the error
// names the families that have it, and the nearest names of this one.
[[nodiscard]] inline result<event_place const*> try_event(std::string_view name, capability_family family) {
    if (event_place const* const place = events_of(family).find(name)) return place;
    auto const has = [&](capability_family each) { return events_of(each).find(name) != nullptr; };
    return detail::unknown_row(name, detail::who_has("event", family, has), events_of(family).events);
}

// The metric of that name on a family's devices: what it means, and its formula or that CUPTI has to be asked. Fails as
// try_event does.
[[nodiscard]] inline result<legacy_metric_row const*> try_metric(std::string_view name, capability_family family) {
    if (legacy_metric_row const* const row = metrics_of(family).find(name)) return row;
    auto const has = [&](capability_family each) { return metrics_of(each).find(name) != nullptr; };
    return detail::unknown_row(name, detail::who_has("metric", family, has), metrics_of(family).rows);
}

// The same on devices of one capability, some of which lack what others of their family have (CUPTI 12.0, tables 4 to 6).
// Fails with errc::unavailable then, and for capabilities without event hardware; the error says which have it.
[[nodiscard]] inline result<legacy_metric_row const*> try_metric(std::string_view name, compute_capability capability) {
    auto const family = family_of(capability);
    if (!family)
        return error{errc::unavailable, 0, std::string{name},
                     "capability " + capability_text(capability) + " has no event hardware",
                     "see try_range_formula for 7.5 and later"};
    auto row = try_metric(name, *family);
    if (row && !is_among((*row)->only, capability))
        return error{errc::unavailable, 0, std::string{name},
                     detail::who_of_family_has(*family, (*row)->only, capability), "choose a metric of this device"};
    return row;
}
[[nodiscard]] inline result<event_place const*> try_event(std::string_view name, compute_capability capability) {
    auto const family = family_of(capability);
    if (!family)
        return error{errc::unavailable, 0, std::string{name},
                     "capability " + capability_text(capability) + " has no event hardware",
                     "see mapping_of_event for 7.5 and later"};
    auto place = try_event(name, *family);
    if (place && !is_among((*place)->only, capability))
        return error{errc::unavailable, 0, std::string{name},
                     detail::who_of_family_has(*family, (*place)->only, capability, "event"),
                     "choose an event of this device"};
    return place;
}

// The formula of a legacy metric over metrics of the range hardware. Fails with errc::unavailable for a metric that has no
// equivalent there, and with errc::unknown_metric, and the nearest mapped names, for a name that is no legacy metric's.
[[nodiscard]] inline result<formula> try_range_formula(std::string_view name) {
    range_mapping const* const row = mapping_of_metric(name);
    if (row != nullptr && row->has_equivalent()) return row->formula;
    if (row == nullptr && find_metric(name) == nullptr)
        return detail::unknown_row(name, "no capability has a legacy metric of that name", metric_mappings());
    error why;
    why.code = errc::unavailable;
    why.what = std::string{name};
    why.cause = "the range hardware of capability 7.0 and later has no equivalent";
    why.remedy = "measure it on event hardware, or choose a metric of this device";
    return why;
}

} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_LOOKUP_HPP
