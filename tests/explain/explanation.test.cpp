// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/explanation.hpp on reports written here: values of rows, order of findings, what could not be judged.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/rules.hpp>

namespace explanation_test {

namespace explain = gpuprof::explain;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Ranges of so many nanoseconds, with one share and one count each.
gpuprof::report paper(std::vector<std::vector<double>> const& rows, std::size_t passes = 1) {
    gpuprof::report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    made.completeness.passes_needed = passes;
    for (char const* const name : {"gpu__time_duration.sum", "lts__t_sector_hit_rate.pct", "smsp__inst_executed.sum"})
        made.metrics.push_back(*gpuprof::try_metric(name));
    for (std::vector<double> const& row : rows) {
        made.ranges.push_back(
            {"kernel" + std::to_string(made.ranges.size()), gpuprof::report::range::top, 1, {made.ranges.size()}});
        made.values.insert(made.values.end(), row.begin(), row.end());
    }
    return gpuprof::report{std::move(made)};
}

constexpr explain::section_row own_rows[]{
    {"Hits", "lts__t_sector_hit_rate.pct"},
    {"Instructions a nanosecond", "smsp__inst_executed.sum", "gpu__time_duration.sum"},
    {"Not measured", "dram__bytes.sum"},
};
constexpr explain::section own{"own", "Own", "For this test.", own_rows};
constexpr explain::section const* own_sections[]{&own};
constexpr explain::set own_set{"own", own_sections};

// Speaks where there are more than 100 instructions, as if they were superfluous; silent about ranges without a count.
void judge_many(explain::examination_of_range& of) {
    auto const count = of.values.find("smsp__inst_executed.sum");
    if (!count) return static_cast<void>(of.lacks_values());
    if (*count <= 100) return;
    explain::finding what;
    what.measured = *count;
    what.threshold = 100;
    explain::change fewer;
    fewer.even = true; // no profile is known: the model takes nothing else away
    fewer.warps = *count / 100;
    of.say(std::move(what), fewer);
}
constexpr std::string_view own_metrics[]{"smsp__inst_executed.sum"};
constexpr explain::rule own_rules[]{{"too_many", "Too many", "own", "Take fewer.", own_metrics, &judge_many}};

} // namespace

TEST_CASE("explanation: the value of a row is a metric or a quotient of two") {
    auto const report = paper({{2000, 50, 500}});
    CHECK(*explain::value_of(own_rows[0], report.at(0)).number == 50);
    auto const quotient = explain::value_of(own_rows[1], report.at(0));
    CHECK(*quotient.number == 0.25);
    auto const missing = explain::value_of(own_rows[2], report.at(0));
    CHECK_FALSE(missing.number.has_value());
    REQUIRE(missing.missing.has_value());
    CHECK(missing.missing->what.find("dram__bytes.sum") != std::string::npos);
}

TEST_CASE("explanation: a share of more than all is no value and carries its cause") {
    auto const report = paper({{2000, 300, 500}}, 3);
    auto const value = explain::value_of(own_rows[0], report.at(0));
    CHECK_FALSE(value.number.has_value());
    REQUIRE(value.missing.has_value());
    CHECK(value.missing->message().find("300 % is impossible") != std::string::npos);
    CHECK(value.missing->message().find("3 passes") != std::string::npos);
    auto const negative = paper({{2000, -1, 500}}, 3);
    CHECK_FALSE(explain::value_of(own_rows[0], negative.at(0)).number.has_value());
}

TEST_CASE("explanation: a quotient by 0 or without its divisor is no value") {
    auto const report = paper({{0, 50, 500}, {nothing, 50, 500}});
    CHECK(explain::value_of(own_rows[1], report.at(0)).missing.has_value());
    CHECK(explain::value_of(own_rows[1], report.at(1)).missing.has_value());
}

TEST_CASE("explanation: what saves the most of the whole time comes first") {
    // 2/3 of 3 ms; 4/5 of 1 ms; nothing; not known
    explain::explanation const why{paper({{1e6, 50, 500}, {3e6, 50, 300}, {1e6, 50, 100}, {1e6, 50, nothing}}), own_set,
                                   own_rules};
    REQUIRE(why.findings().size() == 2);
    CHECK(why.findings()[0].path == "kernel1");
    CHECK(why.findings()[0].gain.likely == doctest::Approx(2.0 / 3));
    CHECK(why.findings()[1].path == "kernel0");
    CHECK(why.findings()[1].gain.likely == doctest::Approx(0.8));
    CHECK(why.findings()[0].id == "too_many");
    CHECK(why.findings()[0].advice == "Take fewer.");
    CHECK(why.findings()[0].metrics == std::vector<std::string>{"smsp__inst_executed.sum"});
    REQUIRE(why.ranges().size() == 4);
    CHECK(why.ranges()[1].share == doctest::Approx(0.5));
    CHECK(why.ranges()[1].together.likely == doctest::Approx(2.0 / 3));
    CHECK(why.ranges()[2].together.likely == 0);
    CHECK(why.find("too_many") == &why.findings()[0]);
    CHECK(why.find("too_few") == nullptr);
}

TEST_CASE("explanation: a rule that lacks a value says which") {
    explain::explanation const why{paper({{1e6, 50, nothing}}), own_set, own_rules};
    CHECK(why.findings().empty());
    REQUIRE(why.silences().size() == 1);
    CHECK(why.silences()[0].id == "too_many");
    CHECK(why.silences()[0].why == "no value of smsp__inst_executed.sum");
}

TEST_CASE("explanation: rules of sections that a set lacks are not asked") {
    explain::explanation const why{paper({{1e6, 50, 500}}), explain::set::basic, own_rules};
    CHECK(why.findings().empty());
    CHECK(why.silences().empty());
}

TEST_CASE("explanation: a set asks for its rows and what its rules read - each once") {
    auto const names = explain::metric_names_of(own_set, own_rules);
    CHECK(std::count(names.begin(), names.end(), "smsp__inst_executed.sum") == 1);
    CHECK(std::count(names.begin(), names.end(), "dram__bytes.sum") == 1);
    CHECK(std::count(names.begin(), names.end(), "smsp__warps_active.sum") == 1); // of the time model
    auto const full = explain::metric_names_of(explain::set::full);
    for (explain::rule const& rule : explain::all_rules())
        for (auto const metric : rule.metrics)
            CHECK_MESSAGE(std::count(full.begin(), full.end(), metric) == 1, rule.id, ": ", metric);
}

TEST_CASE("explanation: ids of rules are different and their sections exist") {
    for (explain::rule const& rule : explain::all_rules()) {
        CHECK(explain::find_rule(rule.id) == &rule);
        CHECK_MESSAGE(explain::find_section(rule.section_id) != nullptr, rule.id);
        CHECK_FALSE(rule.title.empty());
        CHECK_FALSE(rule.advice.empty());
    }
    CHECK(explain::all_rules().size() > 25);
    CHECK(explain::find_rule("no_such_rule") == nullptr);
}

} // namespace explanation_test
