// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/ranks_page and page_options::sections: tests/page opens the same in a browser. And what `gpuprof explain` makes of the findings of
// ranks (src/command/rank_findings.hpp).
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include <gpuprof/explain.hpp>
#include <gpuprof/ranks.hpp>

#include "../src/command/rank_findings.hpp"
#include "support/paper_explanation.hpp"

namespace ranks_page_test {

namespace ranks = gpuprof::ranks;
namespace command = gpuprof::command;

namespace {

bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }
std::size_t times(std::string const& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}
// Ranks 0, 1, ... with these values of a metric; those below 0 have none.
ranks::rank_row row_of(std::string const& range, std::string_view metric, std::initializer_list<double> values) {
    ranks::rank_row row;
    row.range = range;
    row.metric.name = std::string{metric};
    std::size_t rank = 0;
    for (double const each : values) {
        if (each >= 0) row.values.add(each, rank);
        ++rank;
    }
    return row;
}
ranks::rank_report report_of(std::size_t size, std::vector<ranks::rank_row> rows) {
    ranks::rank_report made;
    made.size = made.heard = size;
    made.rows = std::move(rows);
    return made;
}

} // namespace

TEST_CASE("the section of ranks has a line a row with a mark a rank and outliers in their colour") {
    auto of = report_of(5, {row_of("a<b>", "x", {10, 10, 10, 10, 40}), row_of("a<b>", "alike", {3, 3, 3, 3, 3}),
                            row_of("a<b>", "nothing", {})});
    of.places.push_back({4, "node <4>"});
    of.work = {{1, 5, {0, 1, 2, 3}}};
    auto const made = gpuprof::io::ranks_section(of);
    CHECK(made.id == "ranks");
    CHECK(has(made.html, "<p>5 ranks, which did the same work</p>"));
    CHECK(times(made.html, "<tr><th scope=row>") == 2); // a row without a value is left out
    CHECK_FALSE(has(made.html, "a<b>"));
    CHECK(has(made.html, "outlier: rank 4, 40 (+300 %), node &lt;4&gt;"));
    CHECK(times(made.html, "<path class=o ") == 1);
    CHECK(times(made.html, "<path class=l ") == 4 + 4); // of equal values the four lowest ranks are known
    CHECK(has(made.html, "d=\"M24.5 0h2v8h-2z\""));     // 10 of 40, of the 98 that a mark leaves
    CHECK(has(made.html, "<td data-v=-1>all</td>"));
    CHECK_FALSE(has(made.html, "Stragglers"));
    CHECK_FALSE(has(made.html, "role=note"));

    CHECK_FALSE(has(gpuprof::io::ranks_section(report_of(2, {})).html, "<table"));
}

TEST_CASE("the section of ranks says what is missing and names stragglers") {
    auto of = report_of(4, {});
    of.heard = 3;
    of.silent.push_back({2, 0});
    of.problems.push_back(ranks::problem_of(of.silent));
    ranks::straggler_report slower;
    CHECK(has(gpuprof::io::ranks_section(of, &slower).html, "No rank is slower"));
    slower.problems = of.problems;
    CHECK_FALSE(has(gpuprof::io::ranks_section(of, &slower).html, "No rank is slower")); // nobody knows
    slower.found.push_back({3, "node & co", "step", ranks::straggler_cause::lower_clock, 0.5, 1500, 1, 2});
    auto const made = gpuprof::io::ranks_section(of, &slower);
    CHECK(has(made.html, "Heard of 3 of 4 ranks"));
    CHECK(has(made.html, "nothing was heard of rank 2"));
    CHECK(has(made.html, "rank 3</th><td class=wide>node &amp; co</td>"));
    CHECK(has(made.html, "lower clock, -50 %"));
    CHECK(has(made.html, "data-v=\"1500\">1.5 us</td>"));
}

TEST_CASE("a page has sections and the ranks of findings where they are given") {
    auto const why = paper::explained();
    gpuprof::io::page_options options;
    options.sections.push_back({"mine", "Mine & <yours>", "<p>below</p>"});
    options.ranks_of_findings.push_back({std::string{paper::hostile}, "too_many_bytes", "on <all>"});
    options.ranks_of_findings.push_back({"saxpy", "too_many_bytes", "of another range"});
    std::string const page = gpuprof::io::page(why, options);
    CHECK(has(page, "<li><a href=\"#mine\">Mine &amp; &lt;yours&gt;</a></li>"));
    CHECK(has(page, "<h2 id=\"mine\">Mine &amp; &lt;yours&gt;</h2>\n<p>below</p></section>"));
    CHECK(times(page, "<dt>Ranks</dt>") == 1);
    CHECK(has(page, "<dt>Ranks</dt><dd>on &lt;all&gt;</dd>"));
    CHECK_FALSE(has(gpuprof::io::page(why), "<dt>Ranks</dt>"));
}

TEST_CASE("findings become columns of a report whose other columns fit a number of values") {
    auto const why = paper::launched({{"first", 2000, 100}, {"second", 0, 50}});
    auto const made = command::with_findings(why, 6);
    auto const of = [&](char const* range, char const* metric) {
        return made.try_range(range).value().try_value(metric);
    };
    REQUIRE(made.size() == 2);
    REQUIRE(made.metrics().size() == 4); // three a range, and the finding
    CHECK(made.metrics()[0].name == "gpu__time_duration.sum");
    CHECK(of("first", "gpu__time_duration.sum").value().value == 100);
    REQUIRE(why.find("too_many_bytes") != nullptr);
    CHECK(of("first", "finding.too_many_bytes").value().value == why.find("too_many_bytes")->gain.likely);
    CHECK_FALSE(of("second", "finding.too_many_bytes")); // it has none
    CHECK_FALSE(of("first", "finding.it_ran"));          // only said
    CHECK(command::with_findings(why).metrics().size() == why.report().metrics().size() + 1);
    CHECK(command::with_findings({}).size() == 0);
}

TEST_CASE("findings of ranks say where they hold and stand by the time that they save") {
    auto const all = report_of(6, {row_of("short", "gpu__time_duration.sum", {10, 10, 10, 10, 10, 10}),
                                   row_of("short", "finding.small_grid", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}),
                                   row_of("long", "gpu__time_duration.sum", {900, 900, 900, 900, 900, 1000}),
                                   row_of("long", "finding.small_grid", {-1, 0.25, -1, -1, -1, 0.125}),
                                   row_of("long", "finding.tail_effect", {0.1, 0.1, 0.1, 0.1, -1, 0.2}),
                                   row_of("long", "finding.no_such_rule", {1, 1, 1, 1, 1, 1})});
    auto const of = command::split_findings(all);
    CHECK(of.values.rows.size() == 2);
    REQUIRE(of.findings.size() == 3);
    CHECK(of.findings[0].range == "long");
    CHECK(of.findings[0].nanoseconds == 250);
    CHECK(command::where_it_holds(of.findings[0], 6) ==
          "on ranks 1 and 5 of 6; the largest on rank 1: 25 % of its time");
    CHECK(command::where_it_holds(of.findings[1], 6) == "on 5 of 6 ranks; the largest on rank 5: 20 % of its time");
    CHECK(command::where_it_holds(of.findings[2], 6) == "on all 6 ranks, 50 % of its time on each");
    std::string const text = command::findings_text(of.findings, 6, 2, 100);
    CHECK(times(text, "\nlong\n") == 1);
    CHECK(has(text, "[small_grid] on ranks 1 and 5 of 6"));
    CHECK(has(text, "\n1 more"));
    CHECK(times(command::findings_section(of.findings, 6).html, "<tr data-id=") == 3);
    CHECK(has(command::findings_section({}, 6).html, "No rule found anything"));
}

} // namespace ranks_page_test
