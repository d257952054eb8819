// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of ranks_table.hpp.
#ifndef GPUPROF_IO_RANKS_TABLE_INL_HPP
#define GPUPROF_IO_RANKS_TABLE_INL_HPP

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../text/distinct_names.hpp"
#include "../text/json_members.hpp"
#include "../text/printable.hpp"
#include "../text/text_appender.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "csv_cell.hpp"
#include "rank_lines.hpp"
#include "ranks_table.hpp"
#include "short_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
// ", which did the same work"; nothing of a rank alone.
[[nodiscard]] inline std::string work_text(ranks::rank_report const& of) {
    if (of.work.size() > 1) return ", " + std::to_string(of.work.front().count) + " of which did the same work";
    return of.work.size() == 1 && of.heard > 1 ? ", which did the same work" : "";
}
// "rank 3, +41 %, node17, NVIDIA H200"
[[nodiscard]] inline std::string outlier_text(ranks::rank_report const& of, ranks::ranked_value const& each,
                                              ranks::value_summary const& among) {
    double const middle = among.median();
    std::string text = "rank " + std::to_string(each.rank) + ", " + short_number(each.value);
    if (middle != 0) {
        double const share = each.value / middle - 1;
        text += std::string{" ("} + (share < 0 ? "-" : "+") + whole_share(std::fabs(share)) + ")";
    }
    std::string_view const place = of.place_of(each.rank);
    if (!place.empty()) text += ", " + gpuprof::detail::printable(place);
    return text;
}
} // namespace detail

GPUPROF_INLINE std::string table(ranks::rank_report const& of, ranks::outlier_rule const& rule) {
    using gpuprof::detail::joined;
    constexpr std::size_t widest_name = 34, widest_range = 96;
    std::vector<std::string> metrics, ranges;
    for (ranks::rank_row const& each : of.rows) {
        metrics.push_back(each.metric.name);
        ranges.push_back(gpuprof::detail::printable(each.range, widest_range));
    }
    metrics = gpuprof::detail::distinct_names(std::move(metrics), widest_name);
    std::vector<std::string> cells{"range, metric", "least", "mean", "most", "unit", "spread", "ranks", "most at"};
    std::vector<std::string> below(1); // lines under each line of cells
    for (std::size_t i = 0; i < of.rows.size(); ++i) {
        ranks::value_summary const& values = of.rows[i].values;
        if (i == 0 || of.rows[i].range != of.rows[i - 1].range) below.back() += ranges[i] + '\n';
        double const share = values.mean() != 0 ? values.deviation() / std::fabs(values.mean()) : 0;
        cells.push_back("  " + metrics[i]);
        for (double const each : {values.least(), values.mean(), values.most()})
            cells.push_back(detail::short_number(each));
        cells.emplace_back(unit_symbol{of.rows[i].metric.value_unit}.view());
        cells.push_back(detail::whole_share(share));
        cells.push_back(std::to_string(values.count()));
        bool const alike = values.least() == values.most();
        cells.push_back(alike ? "all" : "rank " + std::to_string(values.highest().front().rank));
        std::string told;
        for (ranks::ranked_value const& each : values.outliers(rule))
            told += gpuprof::detail::wrapped_lines("    outlier: " + detail::outlier_text(of, each, values) + '\n',
                                                   detail::ranks_table_width);
        below.push_back(std::move(told));
    }
    std::string const lines = detail::aligned(cells, "lrrrlrrl");
    std::string text = detail::ranks_heard(of.heard, of.size) + detail::work_text(of) + '\n';
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < lines.size(); ++line) {
        std::size_t const end = lines.find('\n', begin) + 1;
        text += gpuprof::detail::wrapped_lines(lines.substr(begin, end - begin), detail::ranks_table_width);
        text += below[line];
        begin = end;
    }
    text += gpuprof::detail::wrapped_lines(
        joined({"outlier: further from the median than ", detail::short_number(rule.deviations),
                " robust standard deviations (1.4826 times the median absolute deviation) and than ",
                detail::short_number(100 * rule.share), " % of the median\n"}),
        detail::ranks_table_width);
    return text + detail::problem_lines(of.problems);
}

GPUPROF_INLINE std::string table(ranks::straggler_report const& of) {
    using gpuprof::detail::joined;
    std::string text;
    for (ranks::straggler const& each : of.found) {
        std::string line = joined({"rank ", std::to_string(each.rank), each.place.empty() ? "" : ", ",
                                   gpuprof::detail::printable(each.place), ": ", detail::whole_share(each.longer), " (",
                                   detail::short_duration(each.nanoseconds), ") longer in \"",
                                   gpuprof::detail::printable_path(each.range), "\": ", name(each.cause)});
        if (each.median_rank > 0) {
            double const share = each.measured / each.median_rank - 1;
            line += joined({", ", share < 0 ? "-" : "+", detail::whole_share(std::fabs(share))});
        }
        text += gpuprof::detail::wrapped_lines(line + " against the median rank\n", detail::ranks_table_width);
    }
    std::string const heard = detail::ranks_heard(of.heard, of.size);
    if (of.found.empty() && of.problems.empty()) text = joined({heard, ": no straggler\n"});
    text += gpuprof::detail::wrapped_lines(
        joined({"straggler: further above the median than ", detail::short_number(of.options.rule.deviations),
                " robust standard deviations (1.4826 times the median absolute deviation), than ",
                detail::short_number(100 * of.options.rule.share), " % of the median and than ",
                detail::short_number(100 * of.options.least_share), " % of all time\n"}),
        detail::ranks_table_width);
    return text + detail::problem_lines(of.problems);
}

GPUPROF_INLINE std::string csv(ranks::rank_report const& of, ranks::outlier_rule const& rule) {
    std::string text = "range,metric,unit,ranks,least,rank of the least,mean,median,highest,rank of the highest,"
                       "standard deviation,median absolute deviation,outliers\r\n";
    gpuprof::detail::text_appender const to{text};
    for (ranks::rank_row const& each : of.rows) {
        ranks::value_summary const& values = each.values;
        if (values.count() == 0) continue;
        write_csv_cell(to, each.range);
        to.text(",");
        write_csv_cell(to, each.metric.name);
        to.text(",");
        write_csv_cell(to, unit_symbol{each.metric.value_unit}.view());
        to.text(",");
        to.number(values.count());
        auto const real = [&](double value) {
            to.text(",");
            to.real(value);
        };
        auto const rank = [&](ranks::ranked_value const& at) {
            real(at.value);
            to.text(",");
            to.number(at.rank);
        };
        rank(values.lowest().front());
        real(values.mean());
        real(values.median());
        rank(values.highest().front());
        real(values.deviation());
        real(values.absolute_deviation());
        to.text(",");
        char const* between = "";
        for (ranks::ranked_value const& outlier : values.outliers(rule)) {
            to.text(between);
            to.number(outlier.rank);
            between = " ";
        }
        to.text("\r\n");
    }
    return text;
}

GPUPROF_INLINE std::string json(ranks::rank_report const& of, ranks::outlier_rule const& rule) {
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    std::string text;
    gpuprof::detail::text_appender const to{text};
    detail::add_heard(to, of);
    to.text(",\"work\":[");
    for (ranks::like_ranks const& each : of.work) {
        to.text(&each == of.work.data() ? "{\"ranks\":" : ",{\"ranks\":");
        to.number(each.count);
        to.text(",\"first\":[");
        for (std::size_t i = 0; i < each.first.size(); ++i) {
            if (i != 0) to.text(",");
            to.number(each.first[i]);
        }
        to.text("]}");
    }
    to.text("],\"rows\":[");
    for (ranks::rank_row const& each : of.rows) {
        ranks::value_summary const& values = each.values;
        add_text(to, &each == of.rows.data() ? "\n{\"range\":" : ",\n{\"range\":", each.range);
        add_text(to, ",\"metric\":", each.metric.name);
        add_text(to, ",\"unit\":", unit_symbol{each.metric.value_unit}.view());
        to.text(",\"ranks\":");
        to.number(values.count());
        add_number(to, ",\"least\":", values.least());
        if (values.count() != 0) {
            to.text(",\"rank of the least\":");
            to.number(values.lowest().front().rank);
            to.text(",\"rank of the highest\":");
            to.number(values.highest().front().rank);
        }
        add_number(to, ",\"mean\":", values.mean());
        add_number(to, ",\"median\":", values.median());
        add_number(to, ",\"highest\":", values.most());
        add_number(to, ",\"standard deviation\":", values.deviation());
        add_number(to, ",\"median absolute deviation\":", values.absolute_deviation());
        to.text(",\"outliers\":[");
        char const* begin = "{\"rank\":";
        for (ranks::ranked_value const& outlier : values.outliers(rule)) {
            to.text(begin);
            to.number(outlier.rank);
            add_number(to, ",\"value\":", outlier.value);
            add_text(to, ",\"place\":", of.place_of(outlier.rank));
            to.text("}");
            begin = ",{\"rank\":";
        }
        to.text("]}");
    }
    to.text("]");
    detail::add_problems(to, of.problems);
    return text;
}

GPUPROF_INLINE std::string json(ranks::straggler_report const& of) {
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    std::string text;
    gpuprof::detail::text_appender const to{text};
    detail::add_heard(to, of);
    to.text(",\"found\":[");
    for (ranks::straggler const& each : of.found) {
        to.text(&each == of.found.data() ? "{\"rank\":" : ",{\"rank\":");
        to.number(each.rank);
        add_text(to, ",\"place\":", each.place);
        add_text(to, ",\"range\":", each.range);
        add_text(to, ",\"cause\":", name(each.cause));
        add_number(to, ",\"longer\":", each.longer);
        add_number(to, ",\"nanoseconds\":", each.nanoseconds);
        add_number(to, ",\"measured\":", each.measured);
        add_number(to, ",\"median rank\":", each.median_rank);
        to.text("}");
    }
    to.text("]");
    detail::add_problems(to, of.problems);
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_RANKS_TABLE_INL_HPP
