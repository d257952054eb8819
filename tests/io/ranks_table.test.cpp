// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/ranks_table: what the tables, CSV and JSON of ranks say, and that tables have at most 100 columns.
#include <doctest/doctest.h>

#include <cstddef>
#include <sstream>
#include <string>

#include <gpuprof/ranks.hpp>
#include <gpuprof/text/json_value.hpp>

namespace ranks_table_test {

namespace ranks = gpuprof::ranks;
using gpuprof::errc;

namespace {

ranks::rank_report four() {
    ranks::rank_report made;
    made.size = 5;
    made.heard = 4;
    made.silent = {{4, 0}};
    made.problems = {problem_of(made.silent)};
    made.work = {{1, 4, {0, 1, 2, 3}}};
    made.places = {{0, "node1, Paper GPU"}, {3, "node2, Paper GPU"}};
    ranks::rank_row row;
    row.range = "frame/step, \"a\"";
    row.metric = gpuprof::try_metric("smsp__warps_issue_stalled_long_scoreboard.sum").value();
    double const values[]{1000, 1010, 990, 1'500'000};
    for (std::size_t i = 0; i < 4; ++i) row.values.add(values[i], i);
    made.rows.push_back(row);
    row.metric = gpuprof::try_metric("smsp__inst_executed.sum").value();
    row.values = {};
    for (std::size_t i = 0; i < 3; ++i) row.values.add(64, i);
    made.rows.push_back(row);
    return made;
}

std::size_t widest(std::string const& text) {
    std::size_t most = 0;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) most = line.size() > most ? line.size() : most;
    return most;
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("ranks table: least, mean, most, where, the outlier with its machine, and the threshold") {
    std::ostringstream out;
    out << four();
    std::string const text = out.str();
    INFO(text);
    CHECK(has(text, "4 of 5 ranks, which did the same work\n"));
    CHECK(has(text, "frame/step, \"a\"\n"));
    CHECK(has(text, "1.5 M"));
    CHECK(has(text, "rank 3\n"));
    CHECK(has(text, "    outlier: rank 3, 1.5 M (+149154 %), node2, Paper GPU\n")); // the median is 1005
    CHECK(has(text, "     3  all\n"));                                              // a value of three ranks
    CHECK(has(text, "5 robust standard deviations"));
    CHECK(has(text, "2 % of the"));
    CHECK(has(text, "missing: not collected: nothing was heard of rank 4"));
    CHECK(widest(text) <= 100);
}

TEST_CASE("ranks csv: a line a range and metric") {
    std::string const text = gpuprof::io::csv(four());
    CHECK(has(text, "\"frame/step, \"\"a\"\"\",smsp__inst_executed.sum,instruction,3,64,0,64,64,64,0,0,0,\r\n"));
    CHECK(has(text, ",4,990,2,375750,1005,1500000,3,"));
    CHECK(has(text, ",10,3\r\n")); // median absolute deviation: distances 5 5 15 1498995
}

TEST_CASE("ranks json: a reader of JSON finds the same") {
    auto const read = gpuprof::try_read_json(gpuprof::io::json(four()));
    REQUIRE(read);
    auto const* const rows = read->find("rows");
    REQUIRE(rows != nullptr);
    REQUIRE(rows->items.size() == 2);
    CHECK(rows->items[0].find("range")->text == "frame/step, \"a\"");
    CHECK(rows->items[0].find("median")->number == 1005);
    auto const& outliers = rows->items[0].find("outliers")->items;
    REQUIRE(outliers.size() == 1);
    CHECK(outliers[0].find("rank")->number == 3);
    CHECK(outliers[0].find("place")->text == "node2, Paper GPU");
    CHECK(read->find("silent")->items[0].find("rank")->number == 4);
    CHECK(read->find("problems")->items[0].find("code")->text == "not collected");
    CHECK(read->find("work")->items[0].find("ranks")->number == 4);
}

TEST_CASE("stragglers table and json: who, where, how much and why, or that there is none") {
    ranks::straggler_report none;
    none.size = none.heard = 4;
    CHECK(has(gpuprof::io::table(none), "4 ranks: no straggler\n"));
    ranks::straggler_report some = none;
    some.found.push_back(
        {3, "node2, Paper GPU", "step/compute", ranks::straggler_cause::lower_clock, 0.25, 2'000'000, 0.8, 1});
    std::ostringstream out;
    out << some;
    std::string const text = out.str();
    INFO(text);
    CHECK(
        has(text, "rank 3, node2, Paper GPU: 25 % (2 ms) longer in \"step/compute\": lower clock, -20 % against the"));
    CHECK(has(text, "5 % of the"));
    CHECK(widest(text) <= 100);
    auto const read = gpuprof::try_read_json(gpuprof::io::json(some));
    REQUIRE(read);
    CHECK(read->find("found")->items[0].find("cause")->text == "lower clock");
    CHECK(read->find("found")->items[0].find("longer")->number == 0.25);
}

} // namespace ranks_table_test
