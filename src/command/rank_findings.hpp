// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of ranks: gains are columns of a report, so that the sums of ranks say of each on how many ranks it holds and where it
// is the largest. Their number is bounded, and no text of a finding is sent.
#ifndef GPUPROF_SRC_COMMAND_RANK_FINDINGS_HPP
#define GPUPROF_SRC_COMMAND_RANK_FINDINGS_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/core/units.hpp>
#include <gpuprof/detail/builtin.hpp>
#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/rules.hpp>
#include <gpuprof/io/page_options.hpp>
#include <gpuprof/io/page_section.hpp>
#include <gpuprof/io/short_number.hpp>
#include <gpuprof/measure/report.hpp>
#include <gpuprof/ranks/rank_report.hpp>
#include <gpuprof/text/html_text.hpp>
#include <gpuprof/text/printable.hpp>
#include <gpuprof/text/text_appender.hpp>
#include <gpuprof/text/wrapped.hpp>

namespace gpuprof::command {

inline constexpr std::string_view finding_prefix = "finding.";
inline constexpr std::string_view duration_metric = "gpu__time_duration.sum";

// The values of a report that go to other ranks, and the gain of each finding of a range as a value of it: "finding.small_grid", a
// share of its time. All ranks choose the same columns. @param most about how many values that may be; the duration and the findings
// come first, then the metrics in their order. A value of all ranks takes 0.7 KB at most: 1,400 are 1 MB.
[[nodiscard]] inline report with_findings(explain::explanation const& of, std::size_t most = 1400) {
    report_contents const& from = of.report().whole();
    report_contents made;
    made.device = from.device;
    made.chip = from.chip;
    made.source = from.source;
    made.hardware = from.hardware;
    made.completeness = from.completeness;
    made.ranges = from.ranges;
    std::vector<std::size_t> columns;
    auto const duration = std::ranges::find(from.metrics, duration_metric, &metric_info::name);
    if (duration != from.metrics.end()) columns.push_back(static_cast<std::size_t>(duration - from.metrics.begin()));
    std::size_t const room = most / (from.ranges.empty() ? 1 : from.ranges.size());
    for (std::size_t i = 0; i < from.metrics.size() && columns.size() < room; ++i)
        if (from.metrics[i].name != duration_metric) columns.push_back(i);
    for (std::size_t const each : columns) {
        made.metrics.push_back(from.metrics[each]);
        made.fidelities.push_back(of.report().fidelity_of(each));
    }
    std::vector<std::string_view> ids;
    for (explain::finding const& each : of.findings())
        if (each.kind == explain::finding_kind::advice && std::ranges::find(ids, each.id) == ids.end())
            ids.push_back(each.id);
    for (std::string_view const id : ids) {
        metric_info column;
        column.name = std::string{finding_prefix} + std::string{id};
        column.value_unit = one;
        made.metrics.push_back(std::move(column));
    }
    std::size_t rows = 0;
    for (report_range& each : made.ranges) { // one row each: a gain is the whole range's
        range_view const range = of.report().at(static_cast<std::size_t>(&each - made.ranges.data()));
        each.rows = {rows++};
        for (std::size_t const column : columns) {
            auto const value = range.try_value(from.metrics[column].name);
            made.values.push_back(value ? value->value : gpuprof::detail::quiet_nan);
        }
        for (std::string_view const id : ids) {
            double gain = gpuprof::detail::quiet_nan;
            for (explain::finding const& one : of.findings())
                if (one.id == id && one.range == rows - 1) gain = one.gain.likely;
            made.values.push_back(gain);
        }
    }
    return report{std::move(made)};
}

// A finding of a range on all ranks.
struct rank_finding {
    std::string range;
    explain::rule const* rule; // that makes it
    ranks::value_summary gains;
    double nanoseconds = 0; // that it would save on the rank where it would save the largest share, if that is known
};

// The findings of ranks, what would save the most time first; and what else is in the report.
struct ranked_findings {
    std::vector<rank_finding> findings{};
    ranks::rank_report values{};
};
[[nodiscard]] inline ranked_findings split_findings(ranks::rank_report const& all) {
    ranked_findings made;
    made.values = all;
    made.values.rows.clear();
    for (ranks::rank_row const& each : all.rows) {
        if (!each.metric.name.starts_with(finding_prefix)) {
            made.values.rows.push_back(each);
            continue;
        }
        explain::rule const* const rule =
            explain::find_rule(std::string_view{each.metric.name}.substr(finding_prefix.size()));
        if (rule == nullptr || each.values.count() == 0) continue;
        auto const time = all.try_values(each.range, duration_metric);
        made.findings.push_back({each.range, rule, each.values, time ? each.values.most() * time->most() : 0});
    }
    std::ranges::stable_sort(made.findings, [](auto const& a, auto const& b) { return a.nanoseconds > b.nanoseconds; });
    return made;
}

// "on ranks 0 and 3 of 4; the largest on rank 3: 40 % of its time"
[[nodiscard]] inline std::string where_it_holds(rank_finding const& of, std::size_t heard) {
    std::size_t const count = of.gains.count();
    std::string text = "on ";
    constexpr std::size_t all_known = ranks::value_summary::most_extremes; // more may be among the others
    if (count == heard) {
        text += heard == 1 ? "1 rank" : "all " + std::to_string(heard) + " ranks";
    } else if (count <= all_known) {
        std::vector<std::size_t> known;
        for (ranks::ranked_value const& each : of.gains.highest()) known.push_back(each.rank);
        std::ranges::sort(known);
        text += count == 1 ? "rank " : "ranks ";
        for (std::size_t i = 0; i < known.size(); ++i)
            text += (i == 0 ? "" : i + 1 == known.size() ? " and " : ", ") + std::to_string(known[i]);
        text += " of " + std::to_string(heard);
    } else {
        text += std::to_string(count) + " of " + std::to_string(heard) + " ranks";
    }
    ranks::ranked_value const& most = of.gains.highest().front();
    if (of.gains.least() == of.gains.most())
        return text + ", " + io::detail::whole_share(most.value) +
               (count == 1 ? " of its time" : " of its time on each");
    return text + "; the largest on rank " + std::to_string(most.rank) + ": " + io::detail::whole_share(most.value) +
           " of its time";
}

// For people: a finding in three lines. @param most how many
[[nodiscard]] inline std::string findings_text(std::vector<rank_finding> const& of, std::size_t heard, std::size_t most,
                                               std::size_t width) {
    std::string text = of.empty() ? "No rule found anything to mend on any rank.\n"
                                  : "Findings on ranks, those that save the most time first\n";
    for (std::size_t i = 0; i < of.size() && i < most; ++i) {
        rank_finding const& each = of[i];
        std::string const range = gpuprof::detail::printable(each.range, 96);
        if (i == 0 || of[i - 1].range != each.range) text += range + '\n';
        std::string line = "  " + std::string{each.rule->title} + " [" + std::string{each.rule->id} + "] " +
                           where_it_holds(each, heard) + '\n';
        if (!each.rule->advice.empty()) line += "    To do: " + std::string{each.rule->advice} + '\n';
        text += gpuprof::detail::wrapped_lines(line, width);
    }
    if (of.size() > most) text += std::to_string(of.size() - most) + " more: --top, --page\n";
    return text;
}

// A table of the page.
[[nodiscard]] inline io::page_section findings_section(std::vector<rank_finding> const& of, std::size_t heard) {
    using gpuprof::detail::html_text;
    io::page_section made{"rankfindings", "Findings on ranks", {}};
    if (of.empty()) {
        made.html = "<p>No rule found anything to mend on any rank.</p>\n";
        return made;
    }
    made.html =
        "<div class=scroll tabindex=0 role=region aria-label=\"Findings on ranks\"><table class=sorts>\n<caption>"
        "What rules found on any rank: of how many it is, and where it is the largest.</caption>\n<thead><tr>"
        "<th scope=col>Finding</th><th scope=col>Range of ranks</th><th scope=col class=n>Ranks</th><th scope=col "
        "class=n>Most</th><th scope=col>Where</th><th scope=col class=wide>To do</th></tr></thead>\n<tbody>\n";
    for (rank_finding const& each : of) {
        auto const number = [](double value) {
            std::string digits;
            gpuprof::detail::text_appender{digits}.real(value);
            return digits;
        };
        std::string const count = std::to_string(each.gains.count());
        made.html += gpuprof::detail::joined(
            {"<tr data-id=\"", html_text(each.rule->id), "\"><th scope=row>", html_text(each.rule->title),
             "</th><td><code>", html_text(each.range), "</code></td><td class=n data-v=", count, ">", count,
             "</td><td class=n data-v=", number(each.gains.most()), ">",
             html_text(io::detail::whole_share(each.gains.most())), "</td><td>", html_text(where_it_holds(each, heard)),
             "</td><td class=wide>", html_text(each.rule->advice), "</td></tr>\n"});
    }
    made.html += "</tbody></table></div>\n";
    return made;
}

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_RANK_FINDINGS_HPP
