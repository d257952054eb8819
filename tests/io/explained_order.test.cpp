// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/explained_order.hpp: which ranges come first, and which belong together.
#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/io/explained_order.hpp>

#include "support/paper_explanation.hpp"

namespace explained_order_test {

namespace explain = gpuprof::explain;

namespace {

struct timed_range {
    std::string name;
    double time;
    std::size_t parent = gpuprof::report::range::top;
};
explain::explanation explained(std::vector<timed_range> ranges) {
    gpuprof::report::contents made;
    made.metrics.push_back(*gpuprof::try_metric("gpu__time_duration.sum"));
    for (timed_range& each : ranges) {
        made.ranges.push_back({std::move(each.name), each.parent, 1, {made.values.size()}});
        made.values.push_back(each.time);
    }
    return explain::explanation{gpuprof::report{std::move(made)}, explain::set{"paper", paper::sections}, paper::rules};
}
using places = std::vector<std::optional<std::size_t>>;

} // namespace

TEST_CASE("the longest range comes first and equal ones in the order of the report") {
    auto const why = explained({{"a", 1}, {"b", 3}, {"c", 1}, {"d", 2}});
    CHECK(gpuprof::io::detail::longest_first(why) == std::vector<std::size_t>{1, 3, 0, 2});
}

TEST_CASE("ranges belong together by path before name and several of one name in their order") {
    auto const now = explained({{"frame", 9}, {"step", 1, 0}, {"step", 2, 0}, {"new", 1}, {"other", 1}});
    auto const then = explained({{"other", 1}, {"frame", 5}, {"step", 1, 1}, {"loop", 1}, {"step", 1, 3}});
    // frame/step is there once; the second frame/step has the second "step", which is loop/step
    CHECK(gpuprof::io::detail::matching_ranges(now, then) == places{1, 2, 4, std::nullopt, 0});
    CHECK(gpuprof::io::detail::matching_ranges(now, explain::explanation{}) == places(5));
}

TEST_CASE("silences are grouped by their reason") {
    auto const why = paper::explained(); // groups point into it
    auto const groups = gpuprof::io::detail::silences_by_reason(why);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].why == "no value of x");
    CHECK(groups[0].rules == std::vector<std::string_view>{"too_many_bytes", "it_ran"});
    CHECK(groups[0].ranges == std::vector<std::size_t>{2});
}

// What the advice of a range would save of the range.
double gain_of(explain::explanation const& why, std::size_t range) {
    for (explain::finding const& each : why.findings())
        if (each.range == range && each.id == "too_many_bytes") return each.gain.likely;
    return 0;
}

TEST_CASE("findings of one rule in launches of one kernel are one group and what they save is added up") {
    // 1 ms in all. Only launches with bytes have the finding; all are "it_ran", which is no advice.
    auto const why =
        paper::launched({{"loop", 2000, 1e5}, {"big", 2000, 3e5}, {"loop", 0, 2e5}, {"loop", 2000, 4e5, 3}});
    auto const groups = gpuprof::io::detail::alike_findings(why);
    REQUIRE(groups.size() == 4);
    for (std::size_t const range : {0u, 1u, 3u}) REQUIRE(gain_of(why, range) > 0.01);
    auto const& loop = groups[0];
    REQUIRE(loop.findings.size() == 2);
    CHECK(why.findings()[loop.findings[0]].range == 3); // the longest launch
    CHECK(why.findings()[loop.findings[1]].range == 0);
    CHECK(loop.launches == 4);    // 1 and 3
    CHECK(loop.of_launches == 5); // and the one without bytes
    CHECK(loop.share == doctest::Approx(0.1 * gain_of(why, 0) + 0.4 * gain_of(why, 3)));
    CHECK(groups[1].findings.size() == 1);
    CHECK(why.findings()[groups[1].findings[0]].range == 1);
    CHECK(groups[1].share == doctest::Approx(0.3 * gain_of(why, 1)));
    CHECK(why.findings()[groups[2].findings[0]].id == "it_ran"); // information comes last
    CHECK(groups[2].findings.size() + groups[3].findings.size() == 4);
}

TEST_CASE("many small launches save more than one long one and come before it") {
    auto const why = paper::launched(
        {{"once", 2000, 3e5}, {"loop", 2000, 2e5}, {"loop", 2000, 2e5}, {"loop", 2000, 2e5}, {"rest", 0, 1e5}});
    auto const groups = gpuprof::io::detail::alike_findings(why);
    CHECK(why.findings()[0].path == "once");
    CHECK(why.findings()[groups[0].findings[0]].path == "loop");
    CHECK(groups[0].findings.size() == 3);
}

} // namespace explained_order_test
