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
// of the first name that is refused
[[nodiscard]] result<void> keep_known(device const& gpu, std::span<std::string const> names,
                                      std::vector<std::string>& kept, std::optional<error>& first);
GPUPROF_INLINE result<void> keep_known(device const& gpu, std::span<std::string const> names,
                                       std::vector<std::string>& kept, std::optional<error>& first) {
    if (names.empty()) return {};
    auto planned = hw::try_plan_counters(gpu, names);
    if (planned) {
        kept.insert(kept.end(), names.begin(), names.end());
        return {};
    }
    // What concerns the device concerns all names. Anything else is the fault of a name, whatever CUPTI answers.
    errc const code = planned.error().code;
    if (code == errc::permission || code == errc::busy || code == errc::device_lost || code == errc::version_mismatch ||
        code == errc::inside_callback)
        return std::move(planned).error();
    if (names.size() == 1) {
        if (!first) first = std::move(planned).error();
        return {};
    }
    std::size_t const half = names.size() / 2;
    if (auto left = keep_known(gpu, names.first(half), kept, first); !left) return left;
    return keep_known(gpu, names.subspan(half), kept, first);
}
} // namespace detail

GPUPROF_INLINE result<std::vector<metric_info>> try_measurable(device const& gpu,
                                                               std::vector<std::string> const& names) {
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
    } else if (auto asked = detail::keep_known(gpu, counters, known, refused); !asked) {
        return std::move(asked).error();
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
