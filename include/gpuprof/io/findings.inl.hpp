// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of findings.hpp.
#ifndef GPUPROF_IO_FINDINGS_INL_HPP
#define GPUPROF_IO_FINDINGS_INL_HPP

#include <cmath>
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../text/distinct_names.hpp"
#include "../text/printable.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "explained_order.hpp"
#include "findings.hpp"
#include "section_text.hpp"
#include "short_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
using gpuprof::detail::joined;

inline void append_line(std::string& text, std::string_view sentence, std::size_t indent, std::size_t columns) {
    text.append(indent, ' ');
    gpuprof::detail::append_wrapped(text, sentence, indent, indent, columns);
    text += '\n';
}

// "34 % (12 to 50 %)"
[[nodiscard]] inline std::string gain_text(explain::gain const& of) {
    return joined({whole_share(of.likely), " (", share_interval(of.least, of.most), ")"});
}

// The same in a table: "34 (12-50) %"
[[nodiscard]] inline std::string short_gain(explain::gain const& of) {
    auto const whole = [](double share) {
        return std::to_string(static_cast<long long>(std::floor(100 * share + 0.5)));
    };
    return joined({whole(of.likely), " (", whole(of.least), "-", whole(of.most), ") %"});
}
// "40 x "; nothing for a single launch
[[nodiscard]] inline std::string launches_before(range_view const& of) {
    return of.count() > 1 ? joined({std::to_string(of.count()), " x "}) : std::string{};
}

inline constexpr std::string_view bold = "\x1b[1m", red = "\x1b[1;31m", yellow = "\x1b[1;33m";

// The first `size` characters of a text's first line in a colour.
inline void paint(std::string& text, std::size_t size, std::string_view colour, text_options const& options) {
    if (!options.colour || text.find('\n') < size) return;
    text.insert(size, "\x1b[0m").insert(0, colour);
}
[[nodiscard]] inline std::string heading(std::string_view title, text_options const& options) {
    std::string line = joined({title, "\n"});
    paint(line, title.size(), bold, options);
    return line;
}
[[nodiscard]] inline std::string_view colour_of(explain::finding const& of) noexcept {
    return of.gain.likely >= 0.2 ? red : of.gain.likely >= 0.05 ? yellow : bold;
}

// Rows of a label, a number and its unit, in two columns side by side if both fit.
[[nodiscard]] std::string value_table(std::vector<std::string> const& cells, std::size_t indent, std::size_t columns);
GPUPROF_INLINE std::string value_table(std::vector<std::string> const& cells, std::size_t indent, std::size_t columns) {
    std::size_t const rows = cells.size() / 3, half = (rows + 1) / 2;
    std::vector<std::string> one, two;
    for (std::size_t row = 0; row < rows; ++row) {
        one.push_back(std::string(indent, ' ') + cells[3 * row]);
        one.insert(one.end(), {cells[3 * row + 1], cells[3 * row + 2]});
        if (row >= half) continue;
        two.insert(two.end(), one.end() - 3, one.end());
        std::size_t const right = 3 * (half + row);
        if (half + row < rows) two.insert(two.end(), {"  " + cells[right], cells[right + 1], cells[right + 2]});
        else two.resize(two.size() + 3);
    }
    std::string const beside = aligned(two, "lrllrl");
    std::size_t widest = 0;
    for (std::size_t at = 0; at < beside.size();) {
        std::size_t const end = beside.find('\n', at);
        widest = std::max(widest, end - at);
        at = end + 1;
    }
    return rows > 3 && widest <= columns ? beside : aligned(one, "lrl");
}

// The sections of one range.
void append_sections(std::string& made, explain::explanation const& of, range_view const& range,
                     text_options const& options);
GPUPROF_INLINE void append_sections(std::string& made, explain::explanation const& of, range_view const& range,
                                    text_options const& options) {
    for (explain::section const* const part : of.sections()) {
        std::string const more = section_text(*part, range, options.columns - 4);
        bool const has_rows =
            more.empty() || part->id == explain::sections::occupancy.id; // else the tables have all of them
        std::vector<std::string> cells, notes;
        for (explain::section_row const& row : part->rows) {
            if (!has_rows) break;
            explain::row_value const value = explain::value_of(row, range);
            cells.emplace_back(row.label);
            if (value.number) {
                shown_value const parts = shown(*value.number, value.value_unit);
                cells.insert(cells.end(), {parts.number, parts.unit});
            } else if (!value.missing) {
                cells.insert(cells.end(), {gpuprof::detail::printable(value.text, 32), std::string{}});
            } else {
                std::string const why = value.missing->cause.empty() ? value.missing->message() : value.missing->cause;
                auto const known = std::find(notes.begin(), notes.end(), why);
                cells.push_back(joined({"n/a [", std::to_string(known - notes.begin() + 1), "]"}));
                cells.emplace_back();
                if (known == notes.end()) notes.push_back(why);
            }
        }
        made += heading(joined({"  ", part->title}), options);
        if (has_rows) made += value_table(cells, 4, options.columns);
        for (std::string_view rest = more; !rest.empty(); rest = rest.substr(rest.find('\n') + 1))
            made += joined({"    ", rest.substr(0, rest.find('\n')), "\n"});
        for (std::size_t i = 0; i < notes.size(); ++i)
            append_line(made, joined({"[", std::to_string(i + 1), "] ", gpuprof::detail::printable_path(notes[i])}), 4,
                        options.columns);
    }
}

// "In 3 of 5 launches, which would save 12 % of all time together. ..."
[[nodiscard]] inline std::string text_of_group(finding_group const& of, explain::finding_kind kind) {
    return joined({"In ", std::to_string(of.launches), " of ", std::to_string(of.of_launches), " launches",
                   of.share > 0 ? ", which would save " : "", of.share > 0 ? whole_share(of.share) : std::string{},
                   of.share > 0 ? " of all time together" : "",
                   kind == explain::finding_kind::advice
                       ? ". The numbers are those of the launch that would save the most."
                       : ". The numbers are those of the first launch."});
}

// Why rules could not judge.
void append_silences(std::string& made, explain::explanation const& of, std::vector<std::string> const& names,
                     text_options const& options);
GPUPROF_INLINE void append_silences(std::string& made, explain::explanation const& of,
                                    std::vector<std::string> const& names, text_options const& options) {
    if (of.silences().empty()) return;
    made += '\n' + heading("Not judged", options);
    if (options.silences) {
        for (explain::unjudged const& each : of.silences())
            append_line(made, joined({each.id, " of ", names[each.range], ": ", each.why}), 2, options.columns);
        return;
    }
    for (silence_group const& each : silences_by_reason(of)) {
        std::size_t const rules = each.rules.size(), ranges = each.ranges.size();
        append_line(made,
                    joined({std::to_string(rules), rules == 1 ? " rule" : " rules", " could not judge ",
                            std::to_string(ranges), ranges == 1 ? " range: " : " ranges: ", each.why}),
                    2, options.columns);
    }
}
} // namespace detail

GPUPROF_INLINE std::string text(explain::finding const& of, text_options const& options) {
    using detail::joined;
    std::size_t const columns = options.columns;
    bool const advises = of.kind == explain::finding_kind::advice;
    bool const bounded = advises && of.gain.then != explain::limit::none;
    std::string made;
    detail::append_line(made,
                        joined({of.title, advises ? ": " : "", advises ? detail::gain_text(of.gain) : std::string{},
                                advises ? " of the time" : "", bounded ? ", then bound by " : "",
                                bounded ? explain::name(of.gain.then) : std::string_view{}, " [", of.id, "]"}),
                        0, columns);
    detail::paint(made, of.title.size(), advises ? detail::colour_of(of) : detail::bold, options);
    detail::append_line(made, of.meaning, 2, columns);
    if (!of.advice.empty()) detail::append_line(made, joined({"To do: ", of.advice}), 2, columns);
    if (!of.what_if.empty()) detail::append_line(made, joined({"If mended: ", of.what_if}), 2, columns);
    std::string lines;
    for (std::string const& line : of.lines) (lines += lines.empty() ? "At " : ", ") += line;
    if (!lines.empty()) detail::append_line(made, gpuprof::detail::printable_path(lines), 2, columns);
    if (!of.condition.empty())
        detail::append_line(made,
                            joined({"Measured: ", of.condition, ": ", detail::short_value(of.measured, of.value_unit),
                                    "; threshold ", detail::short_value(of.threshold, of.value_unit),
                                    of.trust == fidelity::exact ? "" : "; rests on values that are ",
                                    of.trust == fidelity::exact ? std::string_view{} : name(of.trust)}),
                            2, columns);
    return made;
}

GPUPROF_INLINE std::string table(explain::explanation const& of, text_options const& given) {
    using detail::joined;
    text_options options = given;
    options.columns = std::max<std::size_t>(options.columns, 80);
    report const& whole = of.report();
    std::string made =
        detail::heading(joined({whole.device(), whole.source() == device_source::embedded ? ", the embedded GPU" : "",
                                whole.recording().empty() ? "" : recorded_words}),
                        options);
    std::size_t absent = 0; // metrics that this machine has not: the sections say why, row by row
    for (error const& problem : whole.completeness().problems) {
        bool const is_metric = std::any_of(whole.metrics().begin(), whole.metrics().end(),
                                           [&problem](metric_info const& each) { return each.name == problem.what; });
        if (problem.code == errc::unavailable && is_metric) ++absent;
        else detail::append_line(made, problem.message(), 0, options.columns);
    }
    for (disturbance const& each : whole.completeness().disturbances)
        detail::append_line(made, each.message(), 0, options.columns);
    if (absent != 0)
        detail::append_line(made,
                            joined({std::to_string(absent), absent == 1 ? " metric is" : " metrics are",
                                    " not to be had here: sections say why"}),
                            0, options.columns);

    bool const with_share = options.columns >= 100;
    std::size_t const beside = with_share ? 56 : 49; // the columns of what stands right of a name
    std::vector<std::string> names;
    std::size_t longest = 0; // of what stands before names
    for (explain::explained_range const& each : of.ranges()) {
        names.push_back(each.path);
        longest = std::max(longest, detail::launches_before(whole.at(each.range)).size());
    }
    names = gpuprof::detail::distinct_names(std::move(names),
                                            std::max<std::size_t>(options.columns - beside - longest, 24));
    for (explain::explained_range const& each : of.ranges())
        names[each.range].insert(0, detail::launches_before(whole.at(each.range)));
    std::vector<std::size_t> const order = detail::longest_first(of), advice = detail::advice_of_ranges(of);
    std::vector<std::string> cells{"Range", "duration", "share", "bound by", "all findings"};
    if (!with_share) cells.erase(cells.begin() + 2);
    for (std::size_t const at : order) {
        explain::explained_range const& each = of.ranges()[at];
        cells.push_back(names[at]);
        cells.push_back(each.nanoseconds ? detail::short_duration(*each.nanoseconds) : "n/a");
        if (with_share) cells.push_back(each.nanoseconds ? detail::whole_share(each.share) : std::string{});
        cells.emplace_back(each.bound == explain::limit::none ? std::string_view{"-"} : explain::name(each.bound));
        cells.push_back(advice[at] > 0 ? detail::short_gain(each.together) : "-");
    }
    std::string summary = detail::aligned(cells, with_share ? "lrrll" : "lrll");
    detail::paint(summary, summary.find('\n'), detail::bold, options);
    made += '\n' + summary;

    std::vector<detail::finding_group> const groups = detail::alike_findings(of);
    for (auto const kind : {explain::finding_kind::advice, explain::finding_kind::information}) {
        std::size_t left = options.findings, left_out = 0;
        bool first = true;
        for (detail::finding_group const& group : groups) {
            explain::finding const& each = of.findings()[group.findings.front()];
            if (each.kind != kind) continue;
            if (left == 0) {
                ++left_out;
                continue;
            }
            --left;
            if (first)
                made += '\n' + detail::heading(kind == explain::finding_kind::advice
                                                   ? "Findings, those that save the most time first"
                                                   : "To know",
                                               options);
            first = false;
            text_options within = options;
            within.columns -= 2;
            std::string const lines = joined({names[each.range], "\n", text(each, within)});
            bool name = true;
            for (std::string_view rest = lines; !rest.empty();) {
                std::size_t const end = rest.find('\n');
                made.append(name ? 0 : 2, ' ').append(rest.substr(0, end)) += '\n';
                rest.remove_prefix(end + 1);
                name = false;
            }
            if (group.findings.size() > 1)
                detail::append_line(made, detail::text_of_group(group, kind), 4, options.columns);
        }
        if (left_out > 0) made += joined({std::to_string(left_out), " more, which save less.\n"});
    }

    for (std::size_t i = 0; i < order.size() && i < options.ranges; ++i) {
        made += '\n' + detail::heading(names[order[i]], options);
        detail::append_sections(made, of, whole.at(of.ranges()[order[i]].range), options);
    }
    if (options.ranges != 0 && order.size() > options.ranges)
        made += joined({"\n", std::to_string(order.size() - options.ranges), " more ranges have sections, too.\n"});
    detail::append_silences(made, of, names, options);
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_FINDINGS_INL_HPP
