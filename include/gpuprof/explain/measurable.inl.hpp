// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of measurable.hpp.
#ifndef GPUPROF_EXPLAIN_MEASURABLE_INL_HPP
#define GPUPROF_EXPLAIN_MEASURABLE_INL_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../hw/counters/config_cache.hpp"
#include "../hw/counters/counter_availability.hpp"
#include "../hw/counters/range/metric_host.hpp"
#include "../hw/counters/range/range_registration.hpp"
#include "../hw/counters/registry.hpp"
#include "../hw/machine/recorder.hpp"
#include "measurable.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
// What concerns the device concerns all names. Anything else is the fault of a name, whatever CUPTI answers.
[[nodiscard]] inline bool is_of_the_device(errc code) noexcept {
    return code == errc::permission || code == errc::busy || code == errc::device_lost ||
           code == errc::version_mismatch || code == errc::inside_callback;
}

// Removes the names that CUPTI says the chip does not have, without a plan: one that fails looks for what to say of it, 60 ms
// (set::full on a GPU, where bisection took 97 of them and 6 s). Names that belong to other counters than the range profiler's stay.
inline void remove_unknown(device const& gpu, std::vector<std::string>& names) {
    auto const host = hw::metric_host::try_open(gpu.cupti(), gpu.chip(), {}, gpu.source());
    if (!host) return;
    std::erase_if(names, [&host](std::string const& each) {
        return each.find("__") != each.npos && !each.starts_with("__") && !host->has(each);
    });
}

// Adds the names that can be planned beside those that are kept: all of them if one plan takes them, else those of each half.
// @param first the error of the first name that is refused alone
[[nodiscard]] result<void> keep_planned(device const& gpu, std::span<std::string const> names, range_mode ranges,
                                        std::vector<std::string>& kept, std::optional<error>& first);
GPUPROF_INLINE result<void> keep_planned(device const& gpu, std::span<std::string const> names, range_mode ranges,
                                         std::vector<std::string>& kept, std::optional<error>& first) {
    if (names.empty()) return {};
    std::size_t const before = kept.size();
    kept.insert(kept.end(), names.begin(), names.end());
    auto planned = hw::try_plan_counters(gpu, kept, ranges);
    if (planned) return {};
    kept.resize(before);
    if (is_of_the_device(planned.error().code)) return std::move(planned).error();
    if (names.size() == 1) {
        if (!first) first = std::move(planned).error();
        return {};
    }
    std::size_t const half = names.size() / 2;
    if (auto left = keep_planned(gpu, names.first(half), ranges, kept, first); !left) return left;
    return keep_planned(gpu, names.subspan(half), ranges, kept, first);
}

// The names that can be planned together, those before going before those behind. What was found for a list is remembered by
// chip, CUPTI and what the device can count, as configurations are.
[[nodiscard]] result<std::vector<std::string>> try_planned(device const& gpu, std::vector<std::string> const& names,
                                                           range_mode ranges);
GPUPROF_INLINE result<std::vector<std::string>> try_planned(device const& gpu, std::vector<std::string> const& names,
                                                            range_mode ranges) {
    hw::config_cache& cache = hw::config_cache::shared();
    std::string key = gpuprof::detail::joined(
        {"measurable\n", hw::availability_key(gpu), "\n", ranges == range_mode::auto_range ? "kernels\n" : "ranges\n"});
    for (std::string const& each : names) key += each + '\n';
    if (auto const known = cache.find(key); known && known->blob.size() == names.size()) {
        std::vector<std::string> kept;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (known->blob[i] != 0) kept.push_back(names[i]);
        if (!kept.empty() && hw::try_plan_counters(gpu, kept, ranges)) return kept;
    }
    auto whole = hw::try_plan_counters(gpu, names, ranges);
    if (whole) return names;
    if (is_of_the_device(whole.error().code)) return std::move(whole).error();
    std::vector<std::string> had = names, kept;
    remove_unknown(gpu, had);
    std::optional<error> first;
    // Where all are known, it is no news that they cannot be planned together.
    std::size_t const parts = had.size() == names.size() && had.size() > 1 ? 2 : 1;
    std::span<std::string const> const all{had};
    for (std::size_t part = 0; part < parts; ++part) {
        std::size_t const begin = part * all.size() / parts, end = (part + 1) * all.size() / parts;
        auto done = keep_planned(gpu, all.subspan(begin, end - begin), ranges, kept, first);
        if (!done) return std::move(done).error();
    }
    if (kept.empty()) return first ? *std::move(first) : std::move(whole).error();
    std::vector<std::uint8_t> is_kept;
    std::size_t next = 0;
    for (std::string const& each : names) {
        bool const here = next < kept.size() && kept[next] == each;
        is_kept.push_back(here ? 1 : 0);
        if (here) ++next;
    }
    cache.store(key, {std::move(is_kept), kept.size()});
    return kept;
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
    if (gpu.machine().recorded != nullptr) { // a recording plans nothing
        for (std::string const& name : counters)
            if (hw::program_recorder->has_metric(gpu, name)) known.push_back(name);
    } else if (!counters.empty()) {
        auto planned = detail::try_planned(gpu, counters, ranges);
        if (!planned) return std::move(planned).error();
        known = *std::move(planned);
    }
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
