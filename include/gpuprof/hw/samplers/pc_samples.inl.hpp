// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of pc_samples.hpp.
#ifndef GPUPROF_HW_SAMPLERS_PC_SAMPLES_INL_HPP
#define GPUPROF_HW_SAMPLERS_PC_SAMPLES_INL_HPP

#include <algorithm>
#include <tuple>

#include "pc_samples.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
[[nodiscard]] inline bool before(pc_record const& a, pc_record const& b) {
    return std::tie(a.module, a.function, a.launch, a.pc_offset) <
           std::tie(b.module, b.function, b.launch, b.pc_offset);
}
} // namespace detail

GPUPROF_INLINE result<double> pc_samples::try_value(std::string_view metric) const {
    constexpr std::string_view prefix = "smsp__pcsamp_";
    std::string_view const which = metric.starts_with(prefix) ? metric.substr(prefix.size()) : std::string_view{};
    auto const known = [&](double value, bool is_known) -> result<double> {
        if (is_known) return value;
        return error{errc::not_collected, 0, metric, "CUPTI did not tell it",
                     "name a newer CUPTI in GPUPROF_CUPTI_PATH"};
    };
    if (which == "sample_count") return static_cast<double>(total);
    if (which == "aggregated_passes") return 1.0;
    if (which == "buffer_size_bytes") return known(static_cast<double>(buffer_bytes), buffer_bytes != 0);
    if (which == "interval") return known(double(period) - double(pc_sampling_options::shortest_period), period != 0);
    if (which == "interval_cycles") return known(static_cast<double>(std::uint64_t{1} << period % 64), period != 0);
    if (which == "dropped_bytes")
        return error{errc::unavailable, 0, metric, "CUPTI counts samples that were dropped, not their bytes",
                     "see pc_samples::dropped"};
    return error{errc::unknown_metric, 0, metric, "samples of instructions have no such metric about themselves",
                 "stall reasons are in the records: see with_instruction_values()"};
}

GPUPROF_INLINE void pc_samples::add(pc_record record) {
    auto const place = std::lower_bound(records.begin(), records.end(), record, detail::before);
    if (place == records.end() || detail::before(record, *place)) {
        std::sort(record.stalls.begin(), record.stalls.end(),
                  [](stall_count const& a, stall_count const& b) { return a.reason < b.reason; });
        records.insert(place, std::move(record));
        return;
    }
    for (stall_count const& more : record.stalls) {
        auto const at =
            std::lower_bound(place->stalls.begin(), place->stalls.end(), more,
                             [](stall_count const& a, stall_count const& b) { return a.reason < b.reason; });
        if (at == place->stalls.end() || at->reason != more.reason) {
            place->stalls.insert(at, more);
        } else {
            at->samples += more.samples;
            at->latency_samples += more.latency_samples;
        }
    }
}

GPUPROF_INLINE std::uint16_t pc_samples::reason_of(std::string_view called) {
    for (std::size_t i = 0; i < reasons.size(); ++i)
        if (reasons[i].name == called) return static_cast<std::uint16_t>(i);
    reasons.push_back({std::string{called}, find_stall_reason(called)});
    return static_cast<std::uint16_t>(reasons.size() - 1);
}

GPUPROF_INLINE result<void> pc_samples::try_merge(pc_samples const& other) {
    if (chip != other.chip || source != other.source || mode != other.mode || period != other.period)
        return error{errc::invalid_argument, 0, "samples that were not taken alike cannot be added",
                     "chip, source, mode or period differ", "compare them instead"};
    std::vector<std::uint16_t> here;
    for (sampled_reason const& each : other.reasons) here.push_back(reason_of(each.name));
    for (pc_record record : other.records) {
        for (stall_count& each : record.stalls) each.reason = here[each.reason];
        add(std::move(record));
    }
    total += other.total;
    dropped += other.dropped;
    non_user += other.non_user;
    unnamed += other.unnamed;
    buffer_full += other.buffer_full;
    lost_records += other.lost_records;
    for (std::uint64_t const each : other.ranges)
        if (std::find(ranges.begin(), ranges.end(), each) == ranges.end()) ranges.push_back(each);
    if (buffer_bytes == 0) buffer_bytes = other.buffer_bytes;
    return {};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_PC_SAMPLES_INL_HPP
