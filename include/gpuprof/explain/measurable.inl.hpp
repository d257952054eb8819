// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of measurable.hpp.
#ifndef GPUPROF_EXPLAIN_MEASURABLE_INL_HPP
#define GPUPROF_EXPLAIN_MEASURABLE_INL_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../hw/counters/range/range_registration.hpp"
#include "../hw/counters/registry.hpp"
#include "../hw/machine/recorder.hpp"
#include "measurable.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
// Keeps the names that the device has: all of them if a plan takes them, else those of each half. @param first the error
// of the first name that is refused. @return whether one plan took them all
[[nodiscard]] result<bool> keep_known(device const& gpu, std::span<std::string const> names,
                                      std::vector<std::string>& kept, std::optional<error>& first, range_mode ranges);
GPUPROF_INLINE result<bool> keep_known(device const& gpu, std::span<std::string const> names,
                                       std::vector<std::string>& kept, std::optional<error>& first, range_mode ranges) {
    if (names.empty()) return true;
    auto planned = hw::try_plan_counters(gpu, names, ranges);
    if (planned) {
        kept.insert(kept.end(), names.begin(), names.end());
        return true;
    }
    // What concerns the device concerns all names. Anything else is the fault of a name, whatever CUPTI answers.
    errc const code = planned.error().code;
    if (code == errc::permission || code == errc::busy || code == errc::device_lost || code == errc::version_mismatch ||
        code == errc::inside_callback)
        return std::move(planned).error();
    if (names.size() == 1) {
        if (!first) first = std::move(planned).error();
        return false;
    }
    std::size_t const half = names.size() / 2;
    if (auto left = keep_known(gpu, names.first(half), kept, first, ranges); !left) return left;
    if (auto right = keep_known(gpu, names.subspan(half), kept, first, ranges); !right) return right;
    return false;
}

// Drops the names that do not go together with those before them: on a GPU without a link, CUPTI plans NVLink's metrics alone
// and refuses them beside others.
[[nodiscard]] result<void> drop_misfits(device const& gpu, std::vector<std::string>& names, range_mode ranges);
GPUPROF_INLINE result<void> drop_misfits(device const& gpu, std::vector<std::string>& names, range_mode ranges) {
    while (!names.empty()) {
        auto planned = hw::try_plan_counters(gpu, names, ranges);
        if (planned) break;
        std::size_t good = 0, bad = names.size(); // how many from the front can be planned, and how many cannot
        if (bad == 1) return std::move(planned).error();
        while (bad - good > 1) {
            std::size_t const middle = good + (bad - good) / 2;
            (hw::try_plan_counters(gpu, std::span<std::string const>{names}.first(middle), ranges) ? good : bad) =
                middle;
        }
        names.erase(names.begin() + static_cast<std::ptrdiff_t>(bad - 1));
    }
    return {};
}
} // namespace detail

GPUPROF_INLINE result<std::vector<metric_info>> try_measurable(device const& gpu, std::vector<std::string> const& names,
                                                               range_mode ranges) {
    std::vector<metric_info> metrics;
    std::vector<std::string> counters;
    for (std::string const& name : names) {
        auto metric = try_metric(name);
        if (!metric) return std::move(metric).error();
        bool const counted = metric->source == metric_source::hardware || metric->source == metric_source::sass;
        if (counted) counters.push_back(name);
        metrics.push_back(*std::move(metric));
    }
    std::vector<std::string> known;
    std::optional<error> refused;
    if (gpu.machine().recorded != nullptr) { // a recording plans nothing
        for (std::string const& name : counters)
            if (hw::program_recorder->has_metric(gpu, name)) known.push_back(name);
    } else {
        auto const whole = detail::keep_known(gpu, counters, known, refused, ranges);
        if (!whole) return whole.error();
        if (!*whole)
            if (auto fitting = detail::drop_misfits(gpu, known, ranges); !fitting) return std::move(fitting).error();
    }
    if (known.empty() && !counters.empty() && refused) return *std::move(refused);
    std::vector<metric_info> had;
    std::size_t next = 0;
    for (metric_info& each : metrics) {
        bool const counted = each.source == metric_source::hardware || each.source == metric_source::sass;
        if (counted && (next == known.size() || known[next] != each.name)) continue;
        if (counted) ++next;
        had.push_back(std::move(each));
    }
    return had;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEASURABLE_INL_HPP
