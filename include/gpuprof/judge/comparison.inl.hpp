// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of comparison.hpp.
#ifndef GPUPROF_JUDGE_COMPARISON_INL_HPP
#define GPUPROF_JUDGE_COMPARISON_INL_HPP

#include <string>
#include <string_view>
#include <utility>

#include "../core/counted.hpp"
#include "comparison.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

namespace detail {

using gpuprof::detail::counted;
using gpuprof::detail::grouped_number;

[[nodiscard]] std::string text_of(limits const& of, std::string_view unit);
GPUPROF_INLINE std::string text_of(limits const& of, std::string_view unit) {
    using gpuprof::detail::joined;
    switch (of.kind) {
        case bound_kind::around:
            return joined({"near ", counted(of.middle, unit), " (within ",
                           gpuprof::detail::grouped_number(of.tolerance),
                           " %: ", gpuprof::detail::grouped_number(of.low), " to ",
                           gpuprof::detail::grouped_number(of.high), ")"});
        case bound_kind::at_most: return joined({"at most ", counted(of.high, unit)});
        case bound_kind::at_least: return joined({"at least ", counted(of.low, unit)});
        case bound_kind::between:
            return joined({"between ", gpuprof::detail::grouped_number(of.low), " and ", counted(of.high, unit)});
        case bound_kind::exactly: break;
    }
    return joined({"exactly ", counted(of.low, unit)});
}

// The outcome of two sides: their evidence is looked at first, and told if the check does not pass.
[[nodiscard]] outcome outcome_of(evidence const& from, bool exact_demanded, bool holds, std::string expanded);
GPUPROF_INLINE outcome outcome_of(evidence const& from, bool exact_demanded, bool holds, std::string expanded) {
    outcome made;
    made.expanded = std::move(expanded);
    if (auto against = objection(from, exact_demanded)) {
        made.verdict = verdict::inconclusive;
        made.reason = *std::move(against);
    } else if (!holds) {
        made.verdict = verdict::fail;
    }
    if (!made) made.details = details_of(from);
    return made;
}

[[nodiscard]] std::string shown(side const& of);
GPUPROF_INLINE std::string shown(side const& of) {
    if (of.from != nullptr && of.from->missing) return "(no value)";
    return counted(of.value, of.unit);
}

} // namespace detail

GPUPROF_INLINE outcome compared(side const& left, relation how, side const& right) {
    constexpr std::string_view signs[]{" == ", " != ", " < ", " <= ", " > ", " >= "};
    bool holds = false;
    switch (how) {
        case relation::equal: holds = left.value == right.value; break;
        case relation::not_equal: holds = left.value < right.value || left.value > right.value; break;
        case relation::less: holds = left.value < right.value; break;
        case relation::at_most: holds = left.value <= right.value; break;
        case relation::greater: holds = left.value > right.value; break;
        case relation::at_least: holds = left.value >= right.value; break;
    }
    evidence both;
    if (left.from != nullptr) both = *left.from;
    if (right.from != nullptr) both = merged(both, *right.from);
    return detail::outcome_of(
        both, how == relation::equal || how == relation::not_equal, holds,
        gpuprof::detail::joined({detail::shown(left), signs[static_cast<std::size_t>(how)], detail::shown(right)}));
}

GPUPROF_INLINE outcome compared(side const& left, limits const& right) {
    evidence const none;
    evidence const& from = left.from != nullptr ? *left.from : none;
    double high = right.high;
    std::string allowed;
    noise_allowance const* const noise = right.allowance;
    if (noise != nullptr && !from.missing && !from.readings.empty() &&
        from.readings.front().range.report().source() == device_source::hardware) {
        auto const base = from.readings.front().range.try_value(noise->of);
        if (!base) {
            outcome made = detail::outcome_of(from, false, false, detail::shown(left));
            made.verdict = verdict::inconclusive;
            made.reason =
                gpuprof::detail::joined({noise->name, " is a share of ", noise->of, ", which was not measured"});
            return made;
        }
        high += noise->share * base->value;
        allowed = gpuprof::detail::joined({"; ", noise->name, " allows ",
                                           gpuprof::detail::grouped_number(noise->share * base->value),
                                           " more: ", noise->why});
    }
    return detail::outcome_of(
        from, right.kind == bound_kind::exactly, left.value >= right.low && left.value <= high,
        gpuprof::detail::joined({detail::shown(left), " is to be ", detail::text_of(right, left.unit), allowed}));
}

GPUPROF_INLINE outcome decided(bool holds) {
    outcome made;
    made.verdict = holds ? verdict::pass : verdict::fail;
    made.expanded = holds ? "true" : "false";
    return made;
}

} // namespace judge
GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_COMPARISON_INL_HPP
