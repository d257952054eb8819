// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of marker_ranges.hpp.
#ifndef GPUPROF_IO_MARKER_RANGES_INL_HPP
#define GPUPROF_IO_MARKER_RANGES_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../hw/abi/cupti_activity_enums.hpp"
#include "marker_ranges.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE marker_ranges::marker_ranges() : nodes_{{0, 0}, {0, 1}}, names_{"", "(others)"} {}

// --- records

GPUPROF_INLINE marker_ranges::thread_events* marker_ranges::events_of(std::uint32_t thread) {
    auto const found = threads_.find(thread);
    if (found != threads_.end()) return &found->second;
    if (threads_.size() >= most_threads) {
        if (refused_++ % 1024 != 0) return nullptr; // threads may have ended since the last look
        settle_all();
        std::erase_if(threads_, [](auto const& each) { return each.second.size() == 0 && each.second.open.empty(); });
        if (threads_.size() >= most_threads) return nullptr;
        refused_ = 0;
    }
    return &threads_[thread];
}

GPUPROF_INLINE void marker_ranges::add(activity::marker const& of) {
    bool const begins = (of.flags & abi::CUPTI_ACTIVITY_FLAG_MARKER_START) != 0;
    auto const thread = of.object.thread();
    if (!thread || (!begins && (of.flags & abi::CUPTI_ACTIVITY_FLAG_MARKER_END) == 0)) return;
    has_ranges_ = true;
    thread_events* const events = events_of(*thread);
    if (events == nullptr || of.time.ticks < events->settled || !of.time.known()) {
        ++late_;
        if (events != nullptr && !begins) step(*events, {of.time.ticks, of.id, 0}); // it would be open for ever
        return;
    }
    events->markers.push_back({of.time.ticks, of.id, begins ? name_of(of.domain, of.name) : 0});
    if (++events_ >= most_events) settle_old_events();
}

GPUPROF_INLINE void marker_ranges::add(activity::api_call const& of) {
    if (of.correlation == 0) return;
    thread_events* const events = events_of(of.thread);
    if (events == nullptr || of.time.start.ticks < events->settled || !of.time.start.known()) {
        remember(of.correlation, not_known);
        return;
    }
    events->calls.push_back({of.time.start.ticks, of.correlation});
    if (++events_ >= most_events) settle_old_events();
}

GPUPROF_INLINE void marker_ranges::add(activity_group group, std::uint32_t correlation, std::uint64_t length) {
    work const all{correlation, group, 1, length};
    if (path_of_call const* const found = find(correlation)) return sum(all, found->path);
    if (!work_.empty() && work_.back().correlation == correlation && work_.back().group == group) { // of one graph
        ++work_.back().count;
        work_.back().length += length;
        return;
    }
    work_.push_back(all);
    if (work_.size() >= most_work) settle_old_work();
}

// --- names and paths

GPUPROF_INLINE std::uint32_t marker_ranges::name_of(std::string_view domain, std::string_view name) {
    std::string text;
    if (!domain.empty()) text.append(domain.substr(0, longest_name)).append(1, ':');
    text.append(name.empty() ? std::string_view{"(without a name)"} : name.substr(0, longest_name));
    auto const found = numbers_of_names_.find(text);
    if (found != numbers_of_names_.end()) return found->second;
    if (names_.size() > most_names) return 1;
    auto const number = static_cast<std::uint32_t>(names_.size());
    names_.push_back(text);
    numbers_of_names_.emplace(std::move(text), number);
    return number;
}

GPUPROF_INLINE std::uint32_t marker_ranges::child(std::uint32_t parent, std::uint32_t name) {
    if (parent == 1 || nodes_[parent].depth >= most_levels) return parent;
    std::uint64_t const key = (std::uint64_t{parent} << 32) + name;
    auto const found = children_.find(key);
    if (found != children_.end()) return found->second;
    if (nodes_.size() > most_names) return 1;
    auto const number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({parent, name, nodes_[parent].depth + 1});
    children_.emplace(key, number);
    return number;
}

// Of the ranges that are open now.
GPUPROF_INLINE std::uint32_t marker_ranges::path_of(thread_events& of) {
    std::size_t at = of.open.size();
    while (at > 0 && of.open[at - 1].path == not_known) --at;
    std::uint32_t path = at > 0 ? of.open[at - 1].path : 0;
    for (; at < of.open.size(); ++at) path = of.open[at].path = child(path, of.open[at].name);
    return path;
}

GPUPROF_INLINE std::string marker_ranges::text_of(std::uint32_t path) const {
    std::string text = names_[nodes_[path].name];
    while ((path = nodes_[path].parent) != 0) text.insert(0, names_[nodes_[path].name] + "/");
    return text;
}

// --- what is settled

GPUPROF_INLINE void marker_ranges::step(thread_events& of, marker_event const& marker) {
    if (marker.name != 0) {
        if (open_ >= most_open) {
            ++late_;
            return;
        }
        ++open_;
        of.open.push_back({marker.id, marker.name, not_known});
        return;
    }
    for (std::size_t at = of.open.size(); at > 0; --at)
        if (of.open[at - 1].id == marker.id) {
            of.open.erase(of.open.begin() + static_cast<std::ptrdiff_t>(at - 1));
            for (; at <= of.open.size(); ++at) of.open[at - 1].path = not_known; // it stood around these
            --open_;
            return;
        }
}

GPUPROF_INLINE void marker_ranges::settle(thread_events& of, std::uint64_t until) {
    auto const earlier = [](auto const& a, auto const& b) { return a.time < b.time; };
    auto const earlier_marker = [](marker_event const& a, marker_event const& b) {
        // A range may end in the nanosecond in which it began; ids are counted up.
        if (a.time != b.time) return a.time < b.time;
        return (a.name == 0) != (b.name == 0) ? a.name != 0 : a.id < b.id;
    };
    if (!std::is_sorted(of.markers.begin(), of.markers.end(), earlier_marker))
        std::sort(of.markers.begin(), of.markers.end(), earlier_marker);
    if (!std::is_sorted(of.calls.begin(), of.calls.end(), earlier))
        std::sort(of.calls.begin(), of.calls.end(), earlier);
    auto marker = of.markers.begin();
    auto each = of.calls.begin();
    for (; each != of.calls.end() && until > each->time; ++each) {
        for (; marker != of.markers.end() && marker->time <= each->time; ++marker) step(of, *marker);
        remember(each->correlation, path_of(of));
    }
    for (; marker != of.markers.end() && until > marker->time; ++marker) step(of, *marker);
    std::size_t const before = of.size();
    of.markers.erase(of.markers.begin(), marker);
    of.calls.erase(of.calls.begin(), each);
    events_ -= before - of.size();
    of.settled = until;
}

GPUPROF_INLINE void marker_ranges::settle_half(thread_events& of) {
    std::vector<std::uint64_t> times;
    times.reserve(of.size());
    for (marker_event const& each : of.markers) times.push_back(each.time);
    for (call const& each : of.calls) times.push_back(each.time);
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    settle(of, *middle + 1); // at least the middle one
}

GPUPROF_INLINE void marker_ranges::settle_all() {
    for (auto& thread : threads_) {
        std::uint64_t last = 0;
        for (marker_event const& each : thread.second.markers) last = last < each.time ? each.time : last;
        for (call const& each : thread.second.calls) last = last < each.time ? each.time : last;
        if (last != 0) settle(thread.second, last + 1);
    }
}

// Of the threads with the most events, so that the few of another one may still come late.
GPUPROF_INLINE void marker_ranges::settle_old_events() {
    std::vector<thread_events*> all;
    all.reserve(threads_.size());
    for (auto& thread : threads_) all.push_back(&thread.second);
    std::sort(all.begin(), all.end(),
              [](thread_events const* a, thread_events const* b) { return a->size() > b->size(); });
    for (thread_events* const thread : all) {
        if (events_ <= most_events * 5 / 8) break;
        if (thread->size() != 0) settle_half(*thread);
    }
    settle_work();
}

GPUPROF_INLINE void marker_ranges::settle_work() {
    auto kept = work_.begin();
    for (work const& each : work_) {
        if (path_of_call const* const found = find(each.correlation)) sum(each, found->path);
        else *kept++ = each;
    }
    work_.erase(kept, work_.end());
}

// At first that of old calls; the newer ones may lack markers that come.
GPUPROF_INLINE void marker_ranges::settle_old_work() {
    constexpr std::size_t few = most_work / 4 * 3;
    settle_work();
    if (work_.size() <= few) return;
    for (auto& thread : threads_)
        if (thread.second.size() != 0) settle_half(thread.second);
    settle_work();
    if (work_.size() <= few) return;
    settle_all();
    settle_work();
    if (work_.size() <= few) return;
    auto const middle = work_.begin() + static_cast<std::ptrdiff_t>(work_.size() / 2);
    std::for_each(work_.begin(), middle, [this](work const& each) { sum(each, not_known); });
    work_.erase(work_.begin(), middle);
}

GPUPROF_INLINE void marker_ranges::remember(std::uint32_t correlation, std::uint32_t path) {
    if (paths_of_calls_.empty()) paths_of_calls_.resize(most_calls);
    paths_of_calls_[correlation % most_calls] = {correlation, path};
}

GPUPROF_INLINE marker_ranges::path_of_call const* marker_ranges::find(std::uint32_t correlation) const noexcept {
    if (paths_of_calls_.empty()) return nullptr;
    path_of_call const& at = paths_of_calls_[correlation % most_calls];
    return at.correlation == correlation && correlation != 0 ? &at : nullptr;
}

GPUPROF_INLINE void marker_ranges::sum(work const& of, std::uint32_t path) {
    (path == not_known ? not_known_sum_ : nodes_[path].sum).add(of.group, of.count, of.length);
}

GPUPROF_INLINE std::vector<scope_line> marker_ranges::lines() const {
    marker_ranges settled{*this};
    settled.settle_all();
    settled.settle_work();
    for (work const& each : settled.work_) settled.sum(each, not_known);
    if (!has_ranges_) {
        settled.nodes_[0].sum.add(settled.not_known_sum_);
        settled.not_known_sum_ = {};
    }
    std::vector<scope_line> all;
    auto const add = [&all](scope_line line, std::string text, bool is_known) {
        if (!line.has_work()) return;
        line.scope = std::move(text);
        line.is_known = is_known;
        all.push_back(std::move(line));
    };
    for (std::uint32_t path = 0; path < settled.nodes_.size(); ++path)
        add(settled.nodes_[path].sum, path == 0 ? std::string{} : settled.text_of(path), true);
    add(settled.not_known_sum_, {}, false);
    return all;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_MARKER_RANGES_INL_HPP
