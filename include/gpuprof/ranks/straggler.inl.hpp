// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of straggler.hpp.
#ifndef GPUPROF_RANKS_STRAGGLER_INL_HPP
#define GPUPROF_RANKS_STRAGGLER_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "rank_message.hpp"
#include "straggler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

namespace detail {
namespace speed {
// Of straggler_metrics(), in this order; and what is computed of them on each rank.
enum : std::size_t { instructions, active_cycles, elapsed_cycles, time, memory_stalls, counters };
inline constexpr std::string_view names[counters]{"smsp__inst_executed.sum", "sm__cycles_active.sum",
                                                  "sm__cycles_elapsed.sum", "gpu__time_duration.sum",
                                                  "smsp__warps_issue_stalled_long_scoreboard.sum"};
inline constexpr std::string_view clock = "clock", busy_time = "busy time";
} // namespace speed

// Of a kernel of NCCL, which waits for other ranks while it is active.
[[nodiscard]] inline bool is_collective(std::string_view range) noexcept {
    std::size_t const slash = range.rfind('/');
    std::string_view const last = slash == range.npos ? range : range.substr(slash + 1);
    return last.starts_with("nccl");
}

// The values of a rank, with its clock, as cycles of all multiprocessors a nanosecond, and the time in which they were busy, in
// nanoseconds.
[[nodiscard]] inline rank_message speed_of(report const& mine, std::size_t rank) {
    rank_message made = rank_message::of(mine, rank, false);
    std::size_t const clock = made.metrics.size(), busy = clock + 1;
    made.metrics.emplace_back(speed::clock);
    made.metrics.emplace_back(speed::busy_time);
    for (std::size_t i = 0; i < made.ranges.size() && i < mine.size(); ++i) {
        auto const active = mine.at(i).try_value(speed::names[speed::active_cycles]);
        auto const elapsed = mine.at(i).try_value(speed::names[speed::elapsed_cycles]);
        auto const time = mine.at(i).try_value(speed::names[speed::time]);
        if (!active || !elapsed || !time || !(time->value > 0) || !(elapsed->value > 0)) continue;
        double const cycles_a_nanosecond = elapsed->value / time->value;
        made.rows.push_back({i, clock, {}});
        made.rows.back().values.add(cycles_a_nanosecond, rank);
        made.rows.push_back({i, busy, {}});
        made.rows.back().values.add(active->value / cycles_a_nanosecond, rank);
    }
    return made;
}

// The values of one range over the ranks.
struct range_speed {
    value_summary const* of[speed::counters] = {};
    value_summary const* clock = nullptr;
    value_summary const* busy = nullptr;
};

// How far above (below, if the share is negative) the median a rank is that is an outlier; 0 if it is none.
struct departure {
    double value = 0;
    double share = 0;
};
[[nodiscard]] inline departure departure_of(value_summary const* in, std::size_t rank, outlier_rule const& rule) {
    if (in == nullptr) return {};
    for (ranked_value const& each : in->outliers(rule))
        if (each.rank == rank)
            return {each.value, in->median() > 0 ? each.value / in->median() - 1 : gpuprof::detail::infinite};
    return {};
}

// @pre `slow` is an outlier of busy time
[[nodiscard]] inline straggler cause_of(range_speed const& range, ranked_value const& slow, outlier_rule const& rule) {
    straggler found;
    auto const is = [&](straggler_cause cause, departure const& by, value_summary const& in) {
        found.cause = cause;
        found.measured = by.value;
        found.median_rank = in.median();
    };
    auto const work = departure_of(range.of[speed::instructions], slow.rank, rule);
    auto const clock = departure_of(range.clock, slow.rank, rule);
    auto const stalls = departure_of(range.of[speed::memory_stalls], slow.rank, rule);
    auto const cycles = departure_of(range.of[speed::active_cycles], slow.rank, rule);
    // The clock goes before the work where it explains more of the time, and nothing but both together explains it.
    if (work.share > 0 && work.share >= -clock.share)
        is(straggler_cause::more_work, work, *range.of[speed::instructions]);
    else if (clock.share < 0) is(straggler_cause::lower_clock, clock, *range.clock);
    else if (stalls.share > 0) is(straggler_cause::slower_memory, stalls, *range.of[speed::memory_stalls]);
    else is(straggler_cause::more_cycles, cycles.share > 0 ? cycles : departure{slow.value, 0}, *range.busy);
    return found;
}
} // namespace detail

GPUPROF_INLINE result<std::vector<metric_info>> try_straggler_metrics() {
    std::vector<metric_info> list;
    for (std::string_view const each : detail::speed::names) {
        auto found = try_metric(each);
        if (!found) return std::move(found).error();
        list.push_back(*std::move(found));
    }
    return list;
}

GPUPROF_INLINE result<straggler_report> try_find_stragglers(communicator& ranks, report const& mine,
                                                            straggler_options const& options) {
    namespace speed = detail::speed;
    auto all = detail::speed_of(mine, ranks.rank());
    if (auto done = all.try_reduce(ranks, ranks.next_operation(), options.deadline_ms); !done)
        return std::move(done).error();
    rank_report const gathered = std::move(all).report_of(ranks, mine.metrics(), false);
    straggler_report made;
    made.size = gathered.size;
    made.heard = gathered.heard;
    made.silent = gathered.silent;
    made.problems = gathered.problems;
    made.options = options;
    if (ranks.rank() != 0) return result<straggler_report>{std::move(made)};
    double whole = 0; // the median time of all outermost ranges
    for (range_view const range : mine)
        if (range.depth() == 1)
            if (auto const time = gathered.try_values(range.path(), speed::names[speed::time]); time)
                whole += time->median();
    std::string_view missing;
    for (std::size_t begin = 0, end = 0; begin < gathered.rows.size(); begin = end) {
        std::string const& path = gathered.rows[begin].range;
        detail::range_speed range;
        for (; end < gathered.rows.size() && gathered.rows[end].range == path; ++end) {
            rank_row const& row = gathered.rows[end];
            for (std::size_t i = 0; i < speed::counters; ++i)
                if (row.metric.name == speed::names[i]) range.of[i] = &row.values;
            if (row.metric.name == speed::clock) range.clock = &row.values;
            if (row.metric.name == speed::busy_time) range.busy = &row.values;
        }
        if (detail::is_collective(path)) continue;
        if (range.busy == nullptr) {
            for (std::size_t const needed : {speed::active_cycles, speed::elapsed_cycles, speed::time})
                if (range.of[needed] == nullptr) missing = speed::names[needed];
            continue;
        }
        auto const add = [&](straggler found, ranked_value const& slow, value_summary const& in) {
            found.nanoseconds = slow.value - in.median();
            if (!(found.nanoseconds > 0) || found.nanoseconds < options.least_share * whole) return;
            found.rank = slow.rank;
            found.place = std::string{gathered.place_of(slow.rank)};
            found.range = path;
            found.longer = in.median() > 0 ? found.nanoseconds / in.median() : gpuprof::detail::infinite;
            made.found.push_back(std::move(found));
        };
        auto const slow = range.busy->outliers(options.rule);
        for (ranked_value const& each : slow)
            if (each.value > range.busy->median()) add(detail::cause_of(range, each, options.rule), each, *range.busy);
        if (range.of[speed::time] == nullptr) continue;
        value_summary const& times = *range.of[speed::time];
        for (ranked_value const& each : times.outliers(options.rule)) {
            auto const is_busy = [&](ranked_value const& other) { return other.rank == each.rank; };
            if (each.value < times.median() || std::any_of(slow.begin(), slow.end(), is_busy)) continue;
            straggler found;
            found.cause = straggler_cause::late_host;
            found.measured = each.value;
            found.median_rank = times.median();
            add(std::move(found), each, times);
        }
    }
    std::stable_sort(made.found.begin(), made.found.end(),
                     [](straggler const& a, straggler const& b) { return a.nanoseconds > b.nanoseconds; });
    if (!missing.empty())
        made.problems.push_back({errc::not_collected, 0, "in some range nobody can tell which rank is slower",
                                 std::string{missing} + " has no value there",
                                 "measure what try_straggler_metrics() names"});
    if (made.heard < 3)
        made.problems.push_back({errc::not_collected, 0, "nobody can tell which rank is slower",
                                 "fewer than three ranks were heard", "compare the rows of try_gather() instead"});
    return result<straggler_report>{std::move(made)};
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_STRAGGLER_INL_HPP
