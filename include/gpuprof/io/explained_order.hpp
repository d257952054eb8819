// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order texts and pages write an explanation, and what they group.
#ifndef GPUPROF_IO_EXPLAINED_ORDER_HPP
#define GPUPROF_IO_EXPLAINED_ORDER_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"
#include "../text/numbered_texts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// The places of all ranges in ranges(), those that took the longest first.
[[nodiscard]] inline std::vector<std::size_t> longest_first(explain::explanation const& of) {
    std::vector<std::size_t> order(of.ranges().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return of.ranges()[a].nanoseconds.value_or(0) > of.ranges()[b].nanoseconds.value_or(0);
    });
    return order;
}

// How many findings of each range say what to change.
[[nodiscard]] inline std::vector<std::size_t> advice_of_ranges(explain::explanation const& of) {
    std::vector<std::size_t> counts(of.ranges().size());
    for (explain::finding const& each : of.findings()) counts[each.range] += each.kind == explain::finding_kind::advice;
    return counts;
}

// Findings of one rule in ranges of one path, such as all launches of a kernel in a loop.
struct finding_group {
    std::vector<std::size_t> findings{}; // their places in findings(): the one that saves the most time first
    std::size_t launches = 0;            // of the ranges that have it
    std::size_t of_launches = 0;         // of all ranges of the path
    double share = 0;                    // of all time that they save together; 0 where times are not known
    double weight = 0; // the same for the order, as in findings(): an unknown time counts as all of it
};

// Each finding belongs to one group. Advice comes before information, and the group that saves the most time first.
[[nodiscard]] inline std::vector<finding_group> alike_findings(explain::explanation const& of) {
    gpuprof::detail::numbered_texts paths, kinds;
    std::vector<std::size_t> launches; // by path
    std::vector<std::size_t> path_of;  // each range's
    auto const launches_of = [&of](std::size_t range) {
        return std::max<std::size_t>(of.report().at(range).count(), 1);
    };
    for (explain::explained_range const& each : of.ranges()) {
        path_of.push_back(paths.number_of(each.path));
        launches.resize(paths.size());
        launches[path_of.back()] += launches_of(each.range);
    }
    std::vector<finding_group> groups;
    for (std::size_t i = 0; i < of.findings().size(); ++i) {
        explain::finding const& each = of.findings()[i];
        std::string_view const kind = each.kind == explain::finding_kind::advice ? " advice " : " information ";
        std::size_t const number =
            kinds.number_of(gpuprof::detail::joined({std::to_string(path_of[each.range]), kind, each.id}));
        if (number == groups.size()) groups.emplace_back();
        finding_group& group = groups[number];
        group.findings.push_back(i);
        group.launches += launches_of(each.range);
        group.of_launches = launches[path_of[each.range]];
        double const share = of.ranges()[each.range].share;
        group.share += each.gain.likely * share;
        group.weight += each.gain.likely * (share > 0 ? share : 1);
    }
    std::stable_sort(groups.begin(), groups.end(), [&of](finding_group const& a, finding_group const& b) {
        auto const is_advice = [&of](finding_group const& group) {
            return of.findings()[group.findings.front()].kind == explain::finding_kind::advice;
        };
        if (is_advice(a) != is_advice(b)) return is_advice(a);
        return a.weight > b.weight;
    });
    return groups;
}

// The rules that could not judge for one reason, and of which ranges.
struct silence_group {
    std::string_view why;
    std::vector<std::string_view> rules{};
    std::vector<std::size_t> ranges{};
};

// The reasons in the order in which they come first. They point into the explanation.
[[nodiscard]] inline std::vector<silence_group> silences_by_reason(explain::explanation const& of) {
    gpuprof::detail::numbered_texts numbers;
    std::vector<silence_group> groups;
    auto const add_once = [](auto& list, auto const& each) {
        if (std::find(list.begin(), list.end(), each) == list.end()) list.push_back(each);
    };
    for (explain::unjudged const& each : of.silences()) {
        std::size_t const number = numbers.number_of(each.why);
        if (number == groups.size()) groups.push_back({each.why});
        silence_group& group = groups[number];
        add_once(group.rules, each.id);
        if (group.ranges.empty() || group.ranges.back() != each.range) add_once(group.ranges, each.range);
    }
    return groups;
}

// For each range of `of`, the one of `other` to compare it with: the one of the same path, else of the same name; of several,
// the one that is as many before it. Nothing for a range that `other` does not have.
[[nodiscard]] inline std::vector<std::optional<std::size_t>> matching_ranges(explain::explanation const& of,
                                                                             explain::explanation const& other) {
    std::vector<std::optional<std::size_t>> matches(of.ranges().size());
    for (bool const by_path : {true, false}) {
        auto const key = [by_path](explain::explanation const& from, std::size_t at) {
            return by_path ? from.ranges()[at].path : std::string{from.report().at(at).name()};
        };
        gpuprof::detail::numbered_texts names;
        std::vector<std::vector<std::size_t>> places; // of other's ranges, by the number of their name
        for (std::size_t i = 0; i < other.ranges().size(); ++i) {
            std::size_t const name = names.number_of(key(other, i));
            if (name == places.size()) places.emplace_back();
            places[name].push_back(i);
        }
        std::size_t const known = names.size();
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < matches.size(); ++i) {
            std::size_t const name = names.number_of(key(of, i));
            used.resize(names.size());
            std::size_t const before = used[name]++;
            if (!matches[i] && name < known && before < places[name].size()) matches[i] = places[name][before];
        }
    }
    return matches;
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_EXPLAINED_ORDER_HPP
