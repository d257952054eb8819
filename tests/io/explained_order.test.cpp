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

} // namespace explained_order_test
