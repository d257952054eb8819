// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The known names nearest to an unknown one, and the error that offers them.
#ifndef GPUPROF_METRIC_NEAREST_HPP
#define GPUPROF_METRIC_NEAREST_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base_name.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../core/error.hpp"
#include "../text/printable.hpp"

GPUPROF_NAMESPACE_BEGIN

// Longer names are compared with nothing: no metric's name comes near, and the cost of `nearest` stays bounded.
inline constexpr std::size_t longest_comparable_name = 200;

namespace detail {
// The least number of characters to insert, remove, replace or swap with a neighbour that turns a into b (optimal string
// alignment). @pre neither is longer than longest_comparable_name.
[[nodiscard]] constexpr std::size_t edit_distance(std::string_view a, std::string_view b) noexcept {
    // This row of the table and the two before it, in turn.
    std::size_t rows[3][longest_comparable_name + 1]{};
    for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto const& two_before = rows[(i + 1) % 3];
        auto const& before = rows[(i + 2) % 3];
        auto& current = rows[i % 3];
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t least = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            if (before[j] + 1 < least) least = before[j] + 1;
            if (current[j - 1] + 1 < least) least = current[j - 1] + 1;
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && two_before[j - 2] + 1 < least) least = two_before[j - 2] + 1;
            current[j] = least;
        }
    }
    return rows[a.size() % 3][b.size()];
}

// The next word of a metric's name; words are parted by '_' and '.'. Takes it off `rest`; empty at the end.
[[nodiscard]] constexpr std::string_view next_compared_word(std::string_view& rest) noexcept {
    std::size_t const begin = rest.find_first_not_of("_.");
    if (begin == std::string_view::npos) return rest = {};
    std::string_view const tail = rest.substr(begin);
    std::string_view const word = tail.substr(0, tail.find_first_of("_."));
    rest = tail.substr(word.size());
    return word;
}

[[nodiscard]] constexpr bool has_word(std::string_view name, std::string_view word) noexcept {
    for (std::string_view rest = name, each = next_compared_word(rest); !each.empty(); each = next_compared_word(rest))
        if (each == word) return true;
    return false;
}

struct word_count {
    std::size_t shared = 0;
    std::size_t missing = 0;
};

[[nodiscard]] constexpr word_count count_words(std::string_view of, std::string_view in) noexcept {
    word_count count;
    for (std::string_view rest = of, word = next_compared_word(rest); !word.empty(); word = next_compared_word(rest))
        ++(has_word(in, word) ? count.shared : count.missing);
    return count;
}

// How unlike a name is to a candidate. Alike enough to be offered: a third of the characters differ at most, or more than
// half of the words are there, in whatever order.
struct unlikeness {
    std::size_t cost = 0; // lower is nearer
    bool offered = false;
};

[[nodiscard]] constexpr unlikeness compare_names(std::string_view name, std::string_view candidate) noexcept {
    word_count const found = count_words(name, candidate);
    std::size_t const distance = edit_distance(name, candidate);
    // A word that the other lacks weighs as much as eight characters: dram__read_bytes means dram__bytes_read, which has
    // its words, rather than pcie__read_bytes, which has more of its characters.
    std::size_t const extra = count_words(candidate, name).missing;
    return {distance + 8 * (found.missing > extra ? found.missing : extra),
            distance <= name.size() / 3 || found.shared > found.missing};
}

template <class Candidate>
[[nodiscard]] constexpr std::string_view candidate_name(Candidate const& candidate) noexcept {
    if constexpr (requires { std::string_view{candidate.name}; }) return candidate.name;
    else return candidate;
}
} // namespace detail

// The candidates most like `name`, nearest first, written to the front of `best`; returns the part written, which is empty
// when none is alike and never longer than 8. Candidates are strings, or have a member `name` (a catalogue's base metrics); ties keep their order.
// @pre the candidates' characters outlive the result. Never fails, never allocates. Cost: one edit distance for each
// candidate, about 10 ms for a chip's catalogue; nothing for a name over longest_comparable_name.
template <class Candidates>
[[nodiscard]] constexpr std::span<std::string_view> nearest(std::string_view name, Candidates const& candidates,
                                                            std::span<std::string_view> best) noexcept {
    if (name.empty() || best.empty() || name.size() > longest_comparable_name) return best.first(0);
    constexpr std::size_t most = 8;
    std::size_t costs[most]{};
    std::size_t const room = best.size() < most ? best.size() : most;
    std::size_t found = 0;
    for (auto const& each : candidates) {
        std::string_view const candidate = detail::candidate_name(each);
        if (candidate.empty() || candidate.size() > longest_comparable_name) continue;
        auto const [cost, offered] = detail::compare_names(name, candidate);
        if (!offered || (found == room && cost >= costs[room - 1])) continue;
        std::size_t at = found < room ? found++ : room - 1;
        for (; at > 0 && cost < costs[at - 1]; --at) {
            costs[at] = costs[at - 1];
            best[at] = best[at - 1];
        }
        costs[at] = cost;
        best[at] = candidate;
    }
    return best.first(found);
}

namespace detail {
// "perhaps this, that", or nothing when there are no names.
[[nodiscard]] GPUPROF_COLD inline std::string perhaps(std::span<std::string_view const> names,
                                                      std::string_view before = {}, std::string_view after = {}) {
    std::string text;
    for (std::string_view const each : names) text += joined({text.empty() ? "perhaps " : ", ", before, each, after});
    return text;
}
// The same of those candidates that are like `name`. Cost: as `nearest`.
template <class Candidates>
[[nodiscard]] GPUPROF_COLD std::string perhaps(std::string_view name, Candidates const& candidates,
                                               std::string_view before = {}, std::string_view after = {}) {
    std::string_view best[3];
    return perhaps(nearest(name, candidates, best), before, after);
}
} // namespace detail

// The error for a name that is none of the candidates: "unknown metric: gld_request; because GM200 has no event of that
// name; remedy: perhaps gld_requests". All lookups by name end in it. Any input is fine, also 10,000 characters or none.
// remedy: of a name that is not known as it stands; without one the nearest candidates are offered. Cost: as `nearest`.
template <class Candidates>
[[nodiscard]] GPUPROF_COLD error unknown_name(std::string_view name, std::string_view cause,
                                              Candidates const& candidates, std::string remedy = {}) {
    if (remedy.empty()) remedy = detail::perhaps(name, candidates);
    if (remedy.empty()) remedy = "list the names that it has";
    return {errc::unknown_metric, 0, name.empty() ? "an empty name" : detail::printable(name), cause, remedy};
}

// The error for a metric name that `place` ("GH100", "this device") does not know. `bases` are the base metrics that it has
// and `sub_metrics` (with their dots) what may follow this name's base, if that is one of them; the nearest are offered as
// the remedy: "unknown metric: sm__inst_execute.sum; because GH100 has no sm__inst_execute; remedy: perhaps
// sm__inst_executed.sum". Any input is fine, also 10,000 characters or none. Cost: as `nearest`.
// lacks: the verb for a place that might have the metric, such as "does not model" for the embedded GPU.
template <class Bases, class SubMetrics>
[[nodiscard]] GPUPROF_COLD error unknown_metric(std::string_view name, std::string_view place, Bases const& bases,
                                                SubMetrics const& sub_metrics, std::string_view lacks = "has no") {
    std::string_view const base = base_name(name);
    std::string_view const rest = name.substr(base.size());
    bool known = false;
    for (auto const& each : bases) known = known || detail::candidate_name(each) == base;

    std::string cause = detail::joined(
        {place, " ", known ? "has" : lacks, " ", base.empty() ? std::string{"such name"} : detail::printable(base)});
    if (known && rest.empty()) cause += ", which has a value only with a roll-up or sub-metric";
    else if (known) cause += detail::joined({", but not with ", detail::printable(rest)});

    std::string remedy = known ? detail::perhaps(rest.empty() ? ".sum" : rest, sub_metrics, base)
                               : detail::perhaps(base, bases, {}, detail::printable(rest));
    if (remedy.empty()) remedy = "list the names that it has";
    return unknown_name(name, std::move(cause), bases, std::move(remedy));
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_NEAREST_HPP
