// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/rules.hpp: what is documented of each rule, and what it says without values or on a kernel without a flaw.
#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/rules.hpp>

namespace rules_test {

namespace explain = gpuprof::explain;

namespace {

// Every metric of the full set has this value.
gpuprof::report all_are(double value, bool measured = true) {
    gpuprof::report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    if (measured)
        for (std::string const& name : explain::metric_names_of(explain::set::full)) {
            made.metrics.push_back(*gpuprof::try_metric(name));
            made.values.push_back(value);
        }
    made.ranges = {{"kernel", gpuprof::report::range::top, 1, {0}}};
    return gpuprof::report{std::move(made)};
}

} // namespace

TEST_CASE("rules: docs/explain.md has a row for each and no other") {
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/../docs/explain.md"};
    REQUIRE(file.good());
    std::string const page{std::istreambuf_iterator<char>{file}, {}};
    std::size_t rows = 0;
    for (std::size_t at = page.find("\n| `"); at != page.npos; at = page.find("\n| `", at + 1))
        rows += page.compare(page.find("` | ", at) + 4, 1, "`") != 0 && page.find("| rule |") < at &&
                at < page.find("A rule of your own");
    CHECK(rows == explain::all_rules().size());
    for (explain::rule const& each : explain::all_rules()) {
        std::string const row = "\n| `" + std::string{each.id} + "` | " + std::string{each.title} + " | " +
                                std::string{each.advice} + " |\n";
        CHECK_MESSAGE(page.find(row) != page.npos, row);
    }
}

TEST_CASE("rules: each that lacks its values says so and finds nothing") {
    explain::explanation const why{all_are(0, false), explain::set::full};
    CHECK(why.findings().empty());
    CHECK(why.silences().size() >= explain::all_rules().size());
    for (explain::rule const& rule : explain::all_rules()) {
        bool told = false;
        for (explain::unjudged const& each : why.silences()) told = told || (each.id == rule.id && !each.why.empty());
        CHECK_MESSAGE(told, rule.id);
    }
}

TEST_CASE("rules: a kernel that did nothing has no flaw") {
    explain::explanation const why{all_are(0), explain::set::full};
    for (explain::finding const& each : why.findings())
        CHECK_MESSAGE(each.kind == explain::finding_kind::information, each.id);
}

TEST_CASE("rules: gains are shares and their intervals hold what is likely") {
    for (double const value : {0.5, 1.0, 10.0, 50.0, 99.0, 1e3, 1e6, 1e12}) {
        explain::explanation const why{all_are(value), explain::set::full};
        for (explain::finding const& each : why.findings()) {
            CAPTURE(value);
            CAPTURE(each.id);
            CHECK(each.gain.least >= 0);
            CHECK(each.gain.least <= each.gain.likely);
            CHECK(each.gain.likely <= each.gain.most);
            CHECK(each.gain.most <= 1);
            CHECK_FALSE(each.meaning.empty());
            CHECK_FALSE(each.condition.empty());
            CHECK(each.meaning.find("nan") == std::string::npos);
            CHECK(each.meaning.find("inf ") == std::string::npos);
        }
        for (explain::explained_range const& each : why.ranges()) {
            CHECK(each.together.likely >= 0);
            CHECK(each.together.most <= 1);
        }
    }
}

} // namespace rules_test
