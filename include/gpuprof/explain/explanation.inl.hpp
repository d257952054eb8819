// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of explanation.hpp.
#ifndef GPUPROF_EXPLAIN_EXPLANATION_INL_HPP
#define GPUPROF_EXPLAIN_EXPLANATION_INL_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../measure/doubtful.hpp"
#include "../metric/info.hpp"
#include "explanation.hpp"
#include "measurable.hpp"
#include "rules.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
inline constexpr std::string_view duration_metric = "gpu__time_duration.sum";

// The rules that look at a set: those of its sections.
[[nodiscard]] inline bool has_section(std::span<section const* const> sections, std::string_view id) {
    return std::any_of(sections.begin(), sections.end(), [&](section const* each) { return each->id == id; });
}

// A metric's value in a range, with everything that speaks against it.
[[nodiscard]] row_value read_row(std::string_view metric, range_view const& range);
GPUPROF_INLINE row_value read_row(std::string_view metric, range_view const& range) {
    row_value made;
    report const whole = range.report();
    auto const& metrics = whole.metrics();
    std::size_t column = 0;
    while (column < metrics.size() && metrics[column].name != metric) ++column;
    if (column == metrics.size()) {
        made.missing = error{errc::not_collected, 0, metric, "it was not measured, or this chip does not have it"};
        return made;
    }
    made.value_unit = metrics[column].value_unit;
    made.how = whole.fidelity_of(column);
    auto const value = range.try_value(metric);
    if (!value) {
        if (auto const provided = range.try_provided(metric); provided && !provided->text.empty())
            made.text = provided->text;
        else made.missing = value.error();
        return made;
    }
    if (auto doubt = gpuprof::detail::doubt_of(range, column, value->value)) made.missing = *std::move(doubt);
    else made.number = value->value;
    return made;
}
} // namespace detail

GPUPROF_INLINE row_value value_of(section_row const& row, range_view const& range) {
    row_value made = detail::read_row(row.metric, range);
    if (row.over.empty() || made.missing) return made;
    row_value const by = detail::read_row(row.over, range);
    if (by.missing) {
        made.number.reset();
        made.missing = by.missing;
        return made;
    }
    made.value_unit = made.value_unit / by.value_unit;
    made.how = std::max(made.how, by.how);
    if (!made.number || !by.number || *by.number == 0) {
        made.number.reset();
        made.missing = error{errc::not_collected, 0, row.label, gpuprof::detail::joined({row.over, " is 0"})};
    } else {
        made.number = *made.number / *by.number;
    }
    return made;
}

GPUPROF_INLINE std::vector<std::string> metric_names_of(set const& sections, std::span<rule const> rules) {
    std::vector<std::string> names;
    for (section const* const each : sections.sections)
        for (section_row const& row : each->rows) {
            detail::add_once(names, row.metric);
            if (!row.over.empty()) detail::add_once(names, row.over);
        }
    detail::add_once(names, detail::duration_metric);
    bool judged = false;
    for (rule const& each : rules.empty() ? std::span<rule const>{all_rules()} : rules) {
        if (!detail::has_section(sections.sections, each.section_id)) continue;
        judged = true;
        for (std::string_view const metric : each.metrics) detail::add_once(names, metric);
    }
    if (judged)
        for (std::string const& each : bottleneck_metric_names()) detail::add_once(names, each);
    return names;
}

GPUPROF_INLINE explanation::explanation(gpuprof::report of, explain::set const& sections, std::span<rule const> rules)
    : report_{std::move(of)}, sections_{sections.sections.begin(), sections.sections.end()} {
    if (rules.empty()) rules = all_rules();
    double whole_time = 0;
    for (std::size_t at = 0; at < report_.size(); ++at) {
        range_view const range = report_.at(at);
        evidence general{range};
        time_profile const profile = time_profile::of(general);
        explained_range found;
        found.range = at;
        found.path = range.path();
        found.nanoseconds = general.find(detail::duration_metric);
        if (found.nanoseconds && range.depth() == 1) whole_time += *found.nanoseconds;
        change all;
        std::size_t const first = findings_.size();
        for (rule const& each : rules) {
            if (!detail::has_section(sections_, each.section_id)) continue;
            examination_of_range looked{each, range, at, profile};
            each.judge(looked);
            for (proposal& one : looked.proposals()) {
                if (one.what.kind == finding_kind::advice) static_cast<void>(all.and_also(one.mended));
                findings_.push_back(std::move(one.what));
            }
            for (unjudged& one : looked.silences()) silences_.push_back(std::move(one));
        }
        bool const advised = std::any_of(findings_.begin() + static_cast<std::ptrdiff_t>(first), findings_.end(),
                                         [](finding const& one) { return one.kind == finding_kind::advice; });
        if (advised) found.together = estimate(profile, all);
        for (std::size_t i = first; i < findings_.size(); ++i) { // all of them save no less than each
            gain const& one = findings_[i].gain;
            found.together.least = std::max(found.together.least, one.least);
            found.together.likely = std::max(found.together.likely, one.likely);
            found.together.most = std::max(found.together.most, one.most);
        }
        found.bound = profile.bound();
        ranges_.push_back(std::move(found));
    }
    for (explained_range& each : ranges_)
        if (each.nanoseconds && whole_time > 0) each.share = *each.nanoseconds / whole_time;
    auto const saved = [this](finding const& of_finding) {
        double const share = ranges_[of_finding.range].share;
        return of_finding.gain.likely * (share > 0 ? share : 1);
    };
    std::stable_sort(findings_.begin(), findings_.end(), [&](finding const& a, finding const& b) {
        if (a.kind != b.kind) return a.kind == finding_kind::advice;
        return saved(a) > saved(b);
    });
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_EXPLANATION_INL_HPP
