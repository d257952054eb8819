// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legacy metrics and events whose names are known only at run time.
#ifndef GPUPROF_LEGACY_INFO_HPP
#define GPUPROF_LEGACY_INFO_HPP

#include <string>
#include <string_view>
#include <utility>

#include "../core/compute_capability.hpp"
#include "../core/result.hpp"
#include "../metric/info.hpp"
#include "asked_name.hpp"
#include "lookup.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::detail {

[[nodiscard]] inline metric_info info_of(std::string_view text, unit of, gpuprof::aggregation how) {
    bool const counts = how == gpuprof::aggregation::sum;
    return metric_ref{text, of, how, counts ? metric_kind::counter : metric_kind::ratio, metric_source::hardware};
}

} // namespace legacy::detail

// The legacy metric of that name, or the event if no metric bears it, for a profiler: what legacy_metric<"..."> and
// legacy_event<"..."> are at compile time. "legacy:" may stand before the name; a profiler takes it either way. "@3" after it
// is for instance 3 of what the event hardware counts it in, and 0 the first. Fails with errc::unknown_metric, and the
// nearest names, for a name that no capability has. Allocates the name; thread-safe.
[[nodiscard]] inline result<metric_info> try_legacy_metric(std::string_view text) {
    std::string_view const name = legacy::parse_asked_name(text).name;
    if (legacy_metric_descriptor const* const metric = legacy::find_metric(name))
        return legacy::detail::info_of(text, metric->of, metric->aggregation());
    if (event_descriptor const* const event = legacy::find_event(name))
        return legacy::detail::info_of(text, event->of, aggregation::sum);
    return legacy::detail::unknown_row(name, "no capability has a legacy metric or event of that name",
                                       legacy::metrics_of(capability_family::cc_70).rows);
}

// The same for a device of that capability: on event hardware one that its devices have, on newer ones one that has an
// equivalent there. Fails with errc::unavailable besides; the error says which capabilities have it.
[[nodiscard]] inline result<metric_info> try_legacy_metric(std::string_view text, compute_capability capability) {
    auto info = try_legacy_metric(text);
    if (!info) return info;
    std::string_view const name = legacy::parse_asked_name(text).name;
    bool const is_metric = legacy::find_metric(name) != nullptr;
    if (capability.has_event_hardware()) {
        auto metric = is_metric ? legacy::try_metric(name, capability).has_value() : false;
        auto event = legacy::try_event(name, capability).has_value();
        if (metric || event) return info;
        if (!capability.has_range_hardware())
            return is_metric ? legacy::try_metric(name, capability).error()
                             : legacy::try_event(name, capability).error();
    }
    if (auto const* const event = legacy::mapping_of_event(name); event != nullptr && event->has_equivalent())
        return info;
    auto mapped = legacy::try_range_formula(name);
    if (!mapped) return std::move(mapped).error();
    return info;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_INFO_HPP
