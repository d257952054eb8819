// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order texts and pages write an explanation, and what they group.
#ifndef GPUPROF_IO_EXPLAINED_ORDER_HPP
#define GPUPROF_IO_EXPLAINED_ORDER_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"

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

// The rules that could not judge for one reason, and of which ranges.
struct silence_group {
    std::string_view why;
    std::vector<std::string_view> rules{};
    std::vector<std::size_t> ranges{};
};

// The reasons in the order in which they come first. They point into the explanation.
[[nodiscard]] inline std::vector<silence_group> silences_by_reason(explain::explanation const& of) {
    std::unordered_map<std::string_view, std::size_t> places;
    std::vector<silence_group> groups;
    auto const add_once = [](auto& list, auto const& each) {
        if (std::find(list.begin(), list.end(), each) == list.end()) list.push_back(each);
    };
    for (explain::unjudged const& each : of.silences()) {
        auto const [place, is_new] = places.try_emplace(each.why, groups.size());
        if (is_new) groups.push_back({each.why});
        silence_group& group = groups[place->second];
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
        std::unordered_map<std::string, std::vector<std::size_t>> places;
        std::unordered_map<std::string, std::size_t> used;
        for (std::size_t i = 0; i < other.ranges().size(); ++i) places[key(other, i)].push_back(i);
        for (std::size_t i = 0; i < matches.size(); ++i) {
            std::string const name = key(of, i);
            std::size_t const before = used[name]++;
            auto const found = places.find(name);
            if (!matches[i] && found != places.end() && before < found->second.size())
                matches[i] = found->second[before];
        }
    }
    return matches;
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_EXPLAINED_ORDER_HPP
