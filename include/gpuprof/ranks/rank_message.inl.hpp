// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rank_message.hpp.
#ifndef GPUPROF_RANKS_RANK_MESSAGE_INL_HPP
#define GPUPROF_RANKS_RANK_MESSAGE_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/hash.hpp"
#include "../hw/machine/platform/host_name.hpp"
#include "../recording/saved_report.hpp"
#include "message.hpp"
#include "rank_message.hpp"
#include "tree.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

GPUPROF_INLINE std::uint64_t work_of(report const& of) {
    std::uint64_t hash = gpuprof::detail::fnv1a_start;
    for (report_range const& each : of.whole().ranges) {
        hash = gpuprof::detail::fnv1a(hash, std::string_view{each.name});
        for (std::size_t const number : {each.parent, each.count, each.launches.kernels, each.launches.graphs})
            hash = gpuprof::detail::fnv1a(hash, std::uint64_t{number});
        hash = gpuprof::detail::fnv1a(hash, std::string_view{each.launches.kernel});
    }
    return hash;
}

GPUPROF_INLINE rank_message rank_message::of(report const& mine, std::size_t rank, bool with_share) {
    rank_message made;
    made.heard = 1;
    std::uint64_t share = gpuprof::detail::fnv1a_start;
    for (metric_info const& each : mine.metrics()) {
        made.metrics.push_back(each.name);
        share = gpuprof::detail::fnv1a(share, std::string_view{each.name});
    }
    for (range_view const range : mine) {
        if (made.ranges.size() == rank_report::most_ranges) {
            ++made.left_out;
            continue;
        }
        for (std::size_t i = 0; i < made.metrics.size(); ++i)
            if (auto const value = range.try_value(made.metrics[i])) {
                made.rows.push_back({made.ranges.size(), i, {}});
                made.rows.back().values.add(value->value, rank);
            }
        made.ranges.push_back(range.path());
    }
    std::uint64_t const work = work_of(mine);
    made.work.push_back({work, 1, {rank}});
    made.places.push_back({rank, platform::host_name() + ", " + std::string{mine.device()}});
    for (error const& each : mine.completeness().problems) {
        made.problems.push_back(each);
        made.problems.back().what = "rank " + std::to_string(rank) + ": " + each.what;
        if (made.problems.size() == most_problems) break;
    }
    if (with_share) made.shares.push_back({share, rank, work, saved_text(mine)});
    return made;
}

// Ranks open the same ranges in the same order, as a rule: the next one is at the hint.
GPUPROF_INLINE std::size_t rank_message::place(std::vector<std::string>& list, std::string_view name, std::size_t hint,
                                               std::size_t most) {
    if (hint < list.size() && list[hint] == name) return hint;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i] == name) return i;
    if (list.size() < most) list.emplace_back(name);
    else return list.size();
    return list.size() - 1;
}

GPUPROF_INLINE void rank_message::merge(rank_message&& other) {
    heard += other.heard;
    left_out += other.left_out;
    // The order of ranges is that of the lowest rank, whose own message comes first in each rank of the tree.
    constexpr std::size_t most_metrics = 4096, nowhere = static_cast<std::size_t>(-1);
    std::vector<std::size_t> range_at(other.ranges.size()), metric_at(other.metrics.size());
    for (std::size_t i = 0, hint = 0; i < range_at.size(); ++i, hint = range_at[i - 1] + 1) {
        range_at[i] = place(ranges, other.ranges[i], hint, rank_report::most_ranges);
        if (range_at[i] == rank_report::most_ranges) ++left_out;
    }
    for (std::size_t i = 0, hint = 0; i < metric_at.size(); ++i, hint = metric_at[i - 1] + 1)
        metric_at[i] = place(metrics, other.metrics[i], hint, most_metrics);
    std::vector<std::size_t> row_at(ranges.size() * metrics.size(), nowhere);
    for (std::size_t i = 0; i < rows.size(); ++i) row_at[rows[i].range * metrics.size() + rows[i].metric] = i;
    for (row& each : other.rows) {
        if (each.range >= range_at.size() || each.metric >= metric_at.size()) continue; // a damaged message
        std::size_t const range = range_at[each.range], metric = metric_at[each.metric];
        if (range >= ranges.size() || metric >= metrics.size()) continue; // there was no room
        std::size_t& at = row_at[range * metrics.size() + metric];
        if (at != nowhere) {
            rows[at].values.merge(each.values);
            continue;
        }
        at = rows.size();
        rows.push_back({range, metric, std::move(each.values)});
    }
    for (like_ranks& each : other.work) {
        auto const same = std::find_if(work.begin(), work.end(), [&](auto const& w) { return w.work == each.work; });
        if (same == work.end()) {
            if (work.size() < most_works) work.push_back(std::move(each));
            continue;
        }
        same->count += each.count;
        same->first.insert(same->first.end(), each.first.begin(), each.first.end());
        std::sort(same->first.begin(), same->first.end());
        if (same->first.size() > value_summary::most_extremes) same->first.resize(value_summary::most_extremes);
    }
    silent.insert(silent.end(), other.silent.begin(), other.silent.end());
    for (rank_place& each : other.places) places.push_back(std::move(each));
    forget_places();
    for (error& each : other.problems)
        if (problems.size() < most_problems) problems.push_back(std::move(each));
    for (share_report& each : other.shares) shares.push_back(std::move(each));
    auto const by_rank = [](share_report const& a, share_report const& b) {
        return a.share != b.share ? a.share < b.share : a.rank < b.rank;
    };
    std::sort(shares.begin(), shares.end(), by_rank);
    std::vector<share_report> kept;
    std::size_t of_share = 0;
    for (share_report& each : shares) {
        of_share = !kept.empty() && kept.back().share == each.share ? of_share + 1 : 0;
        if (of_share < reports_of_share && kept.size() < most_shares) kept.push_back(std::move(each));
    }
    shares = std::move(kept);
}

// Those of ranks that nothing names. With few ranks all stay.
GPUPROF_INLINE void rank_message::forget_places() {
    constexpr std::size_t few = 64;
    if (places.size() <= few) return;
    std::vector<std::size_t> named;
    for (row const& each : rows)
        for (auto const* const list : {&each.values.lowest(), &each.values.highest()})
            for (ranked_value const& value : *list) named.push_back(value.rank);
    for (like_ranks const& each : work) named.insert(named.end(), each.first.begin(), each.first.end());
    std::sort(named.begin(), named.end());
    std::erase_if(places, [&](auto const& p) { return !std::binary_search(named.begin(), named.end(), p.rank); });
}

inline constexpr std::uint64_t first_bytes = 0x31'6b6e'6172'7067; // "gprank1"

GPUPROF_INLINE std::string rank_message::written() const {
    message_writer to;
    auto const text = [&](std::string const& each) { to.text(each); };
    to.number(first_bytes);
    to.small(heard);
    to.small(left_out);
    to.list(ranges, text);
    to.list(metrics, text);
    to.list(rows, [&](row const& each) {
        to.small(each.range);
        to.small(each.metric);
        summary_message::write(to, each.values);
    });
    to.list(work, [&](like_ranks const& each) {
        to.number(each.work);
        to.small(each.count);
        to.list(each.first, [&](std::size_t rank) { to.small(rank); });
    });
    write_silent(to, silent);
    to.list(places, [&](rank_place const& each) {
        to.small(each.rank);
        to.text(each.name);
    });
    to.list(problems, [&](error const& each) { to.failure(each); });
    to.list(shares, [&](share_report const& each) {
        to.number(each.share);
        to.small(each.rank);
        to.number(each.work);
        to.text(each.saved);
    });
    return to.take();
}

GPUPROF_INLINE bool rank_message::read(std::string_view bytes, rank_message& into) {
    message_reader from{bytes};
    if (from.number() != first_bytes) return false;
    into.heard = from.small();
    into.left_out = from.small();
    from.list([&] { into.ranges.push_back(from.text()); });
    from.list([&] { into.metrics.push_back(from.text()); });
    from.list([&] {
        row& made = into.rows.emplace_back();
        made.range = from.small();
        made.metric = from.small();
        summary_message::read(from, made.values);
    });
    from.list([&] {
        like_ranks& made = into.work.emplace_back();
        made.work = from.number();
        made.count = from.small();
        from.list([&] { made.first.push_back(from.small()); });
    });
    read_silent(from, into.silent);
    from.list([&] {
        std::size_t const rank = from.small();
        into.places.push_back({rank, from.text()});
    });
    from.list([&] { into.problems.push_back(from.failure()); });
    from.list([&] {
        share_report& made = into.shares.emplace_back();
        made.share = from.number();
        made.rank = from.small();
        made.work = from.number();
        made.saved = from.text();
    });
    return from.whole();
}

GPUPROF_INLINE result<void> rank_message::try_reduce(communicator& ranks, std::uint64_t number, unsigned deadline_ms) {
    auto found = try_take(ranks, number, deadline_ms, [this](std::string_view bytes) {
        rank_message below;
        if (!read(bytes, below)) return false;
        merge(std::move(below));
        return true;
    });
    if (!found) return std::move(found).error();
    silent.insert(silent.end(), found->begin(), found->end());
    if (tree_place{ranks.rank(), ranks.size()}.is_root()) return {};
    return try_pass_on(ranks, number, written(), deadline_ms);
}

GPUPROF_INLINE rank_report rank_message::report_of(communicator const& ranks, std::span<metric_info const> known,
                                                   bool must_be_alike) && {
    rank_report made;
    made.rank = ranks.rank();
    made.size = ranks.size();
    made.heard = heard;
    made.left_out = left_out;
    // Metrics in the order of the program's list, then those that it does not have.
    std::vector<metric_info> infos(metrics.size());
    std::vector<std::size_t> order(metrics.size());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        infos[i].name = metrics[i];
        order[i] = known.size() + i;
        for (std::size_t k = 0; k < known.size(); ++k)
            if (known[k].name == metrics[i]) {
                infos[i] = known[k];
                order[i] = k;
            }
    }
    auto const earlier = [&](row const& a, row const& b) {
        return a.range != b.range ? a.range < b.range : order[a.metric] < order[b.metric];
    };
    std::sort(rows.begin(), rows.end(), earlier);
    for (row& each : rows) made.rows.push_back({this->ranges[each.range], infos[each.metric], std::move(each.values)});
    std::stable_sort(work.begin(), work.end(), [](auto const& a, auto const& b) { return a.count > b.count; });
    made.work = std::move(work);
    made.silent = std::move(silent);
    made.places = std::move(places);
    if (!made.silent.empty()) made.problems.push_back(problem_of(made.silent));
    if (must_be_alike && made.work.size() > 1) {
        std::string others;
        for (std::size_t i = 1; i < made.work.size(); ++i)
            for (std::size_t const rank : made.work[i].first)
                others += (others.empty() ? "" : ", ") + std::to_string(rank);
        made.problems.push_back(
            {errc::replay_mismatch, 0,
             "ranks differ: " + std::to_string(made.work.front().count) + " of " + std::to_string(heard) +
                 " did the same work, others not (rank " + others + ")",
             "their ranges have other names or counts, or other kernels were launched in them",
             "where ranks do different work by intention, give each kind a communicator of its own"});
    }
    if (left_out != 0)
        made.problems.push_back(
            {errc::too_many_ranges, 0, std::to_string(left_out) + " ranges of ranks are left out",
             "ranks have more than " + std::to_string(rank_report::most_ranges) + " different ranges",
             "give ranges of all ranks the same names"});
    for (error& each : problems) made.problems.push_back(std::move(each));
    return made;
}

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_RANK_MESSAGE_INL_HPP
