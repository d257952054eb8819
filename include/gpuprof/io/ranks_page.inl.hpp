// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of ranks_page.hpp.
#ifndef GPUPROF_IO_RANKS_PAGE_INL_HPP
#define GPUPROF_IO_RANKS_PAGE_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../text/html_text.hpp"
#include "../text/text_appender.hpp"
#include "ranks_page.hpp"
#include "ranks_table.inl.hpp"
#include "short_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// Writes the section of one report.
class ranks_section_writer {
public:
    ranks_section_writer(ranks::rank_report const& of, ranks::outlier_rule const& rule) : of_{of}, rule_{rule} {}
    [[nodiscard]] std::string write(ranks::straggler_report const* slower) {
        add({"<p>", of_.heard == of_.size ? "" : "Heard of ", ranks_heard(of_.heard, of_.size), work_text(of_),
             "</p>\n"});
        add_problems(of_.problems);
        if (slower != nullptr) add_stragglers(*slower);
        if (!of_.rows.empty()) add_rows();
        return std::move(html_);
    }

private:
    void add(std::initializer_list<std::string_view> parts) {
        for (std::string_view const part : parts) html_ += part;
    }
    [[nodiscard]] static std::string text(std::string_view of) { return gpuprof::detail::html_text(of); }
    [[nodiscard]] static std::string digits(double value) {
        std::string written;
        if (value - value == 0) gpuprof::detail::text_appender{written}.real(value);
        return written;
    }
    // A cell that is sorted by its number.
    void add_number(double value, std::string_view shown, std::string_view also = {}) {
        add({"<td class=\"n", also, "\" data-v=\"", digits(value), "\">", shown, "</td>"});
    }

    void add_problems(std::vector<error> const& problems) {
        if (problems.empty()) return;
        add({"<div class=note role=note><b>Not all is known of the ranks:</b><ul>\n"});
        for (error const& each : problems) add({"<li>", text(each.message()), "</li>\n"});
        add({"</ul></div>\n"});
    }

    void begin_table(std::string_view name, std::string_view caption, std::string_view heads) {
        add({"<div class=scroll tabindex=0 role=region aria-label=\"", name, "\"><table class=sorts>\n<caption>",
             caption, "</caption>\n<thead><tr>", heads, "</tr></thead>\n<tbody>\n"});
    }

    void add_stragglers(ranks::straggler_report const& slower) {
        if (slower.found.empty()) {
            if (slower.problems.empty()) add({"<p>No rank is slower than the others.</p>\n"});
            return;
        }
        begin_table(
            "Stragglers",
            "Ranks that hold the others up, by the time in which their multiprocessors were busy; the longest first.",
            "<th scope=col>Slower rank</th><th scope=col class=wide>Where</th><th scope=col>Range</th><th "
            "scope=col>Cause</th><th scope=col class=n>Longer</th><th scope=col class=n>By</th>");
        for (ranks::straggler const& each : slower.found) {
            add({"<tr><th scope=row>rank ", std::to_string(each.rank), "</th><td class=wide>", text(each.place),
                 "</td><td><code>", text(each.range), "</code></td><td>", name(each.cause)});
            if (each.median_rank > 0) {
                double const share = each.measured / each.median_rank - 1;
                add({", ", share < 0 ? "-" : "+", whole_share(std::fabs(share))});
            }
            add({"</td>"});
            add_number(each.longer, text(whole_share(each.longer)));
            add_number(each.nanoseconds, short_duration(each.nanoseconds));
            add({"</tr>\n"});
        }
        add({"</tbody></table></div>\n"});
    }

    void add_rows() {
        begin_table(
            "Values of ranks",
            "What ranks measured. An outlier is further from the median than " + short_number(rule_.deviations) +
                " robust standard deviations (1.4826 times the median absolute deviation) and than " +
                short_number(100 * rule_.share) + " % of it.",
            "<th scope=col>Range of ranks</th><th scope=col>Metric</th><th scope=col class=\"n wide\">Least</th><th "
            "scope=col class=n>Mean</th><th scope=col class=n>Most</th><th scope=col class=wide>Unit</th><th "
            "scope=col class=n>Spread</th><th scope=col class=\"n wide\">Ranks</th><th scope=col>Most at</th><th "
            "scope=col class=wide>From 0 to the most</th>");
        for (ranks::rank_row const& each : of_.rows)
            if (each.values.count() != 0) add_row(each);
        add({"</tbody></table></div>\n"});
    }
    void add_row(ranks::rank_row const& row) {
        ranks::value_summary const& values = row.values;
        double const share = values.mean() != 0 ? values.deviation() / std::fabs(values.mean()) : 0;
        add({"<tr><th scope=row><code>", text(row.range), "</code></th><td class=metric><code>", text(row.metric.name),
             "</code></td>"});
        add_number(values.least(), short_number(values.least()), " wide");
        add_number(values.mean(), short_number(values.mean()));
        add_number(values.most(), short_number(values.most()));
        add({"<td class=wide>", text(unit_symbol{row.metric.value_unit}.view()), "</td>"});
        add_number(share, text(whole_share(share)));
        add_number(static_cast<double>(values.count()), std::to_string(values.count()), " wide");
        ranks::ranked_value const& most = values.highest().front();
        bool const alike = values.least() == values.most();
        add({"<td data-v=", alike ? "-1" : std::to_string(most.rank), ">",
             alike ? "all" : "rank " + std::to_string(most.rank)});
        std::vector<ranks::ranked_value> const outliers = values.outliers(rule_);
        for (ranks::ranked_value const& each : outliers)
            add({"<small><br>outlier: ", text(outlier_text(of_, each, values)), "</small>"});
        add({"</td><td class=wide>"});
        add_strip(values, outliers);
        add({"</td></tr>\n"});
    }

    // A mark a rank; those of outliers have the colour of what is wrong.
    void add_strip(ranks::value_summary const& values, std::vector<ranks::ranked_value> const& outliers) {
        double const low = std::min(0.0, values.least()), high = std::max(0.0, values.most());
        double const width = high > low ? high - low : 1;
        std::vector<ranks::ranked_value> known = values.lowest();
        for (ranks::ranked_value const& each : values.highest()) {
            auto const same = [&](ranks::ranked_value const& other) { return other.rank == each.rank; };
            if (std::none_of(known.begin(), known.end(), same)) known.push_back(each);
        }
        std::sort(known.begin(), known.end(), [](auto const& a, auto const& b) { return a.rank < b.rank; });
        add({"<svg class=iv viewBox=\"0 0 100 8\" preserveAspectRatio=none role=img><title>"});
        for (ranks::ranked_value const& each : known)
            add({&each == known.data() ? "rank " : "; rank ", std::to_string(each.rank), ": ",
                 short_number(each.value)});
        add({known.size() < values.count() ? "; others between" : "", "</title><path class=t d=\"M0 0h100v8H0z\"/>"});
        for (ranks::ranked_value const& each : known) {
            auto const is_it = [&](ranks::ranked_value const& other) { return other.rank == each.rank; };
            bool const is_outlier = std::any_of(outliers.begin(), outliers.end(), is_it);
            double const at = std::round(980 * (each.value - low) / width) / 10;
            add({"<path class=", is_outlier ? "o" : "l", " d=\"M", digits(at), " 0h2v8h-2z\"/>"});
        }
        add({"</svg>"});
    }

    ranks::rank_report const& of_;
    ranks::outlier_rule const& rule_;
    std::string html_{};
};

} // namespace detail

GPUPROF_INLINE page_section ranks_section(ranks::rank_report const& of, ranks::straggler_report const* slower,
                                          ranks::outlier_rule const& rule) {
    return {"ranks", "Ranks", detail::ranks_section_writer{of, rule}.write(slower)};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_RANKS_PAGE_INL_HPP
