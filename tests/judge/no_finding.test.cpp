// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// judge/no_finding.hpp: a rule that finds nothing passes, one that finds something fails, one that cannot judge is inconclusive.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>

#include <gpuprof/judge/no_finding.hpp>

namespace no_finding_test {

namespace explain = gpuprof::explain;
namespace expect = gpuprof::expect;
using gpuprof::verdict;

namespace {

// A kernel whose block has so many threads, on a GPU of 132 SMs that hold 16 of its blocks each.
explain::explanation block_of(double threads, explain::set const& sections = explain::set::basic) {
    gpuprof::report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    auto const add = [&](char const* name, double value) {
        made.metrics.push_back(*gpuprof::try_metric(name));
        made.values.push_back(value);
    };
    add("launch__grid_size", 132 * 64);
    add("launch__block_size", threads);
    add("launch__waves_per_multiprocessor", 4);
    add("device__attribute_multiprocessor_count", 132);
    add("sm__issue_active.avg.pct_of_peak_sustained_elapsed", 90);
    made.ranges = {{"kernel", gpuprof::report::range::top, 1, {0}}};
    return {gpuprof::report{std::move(made)}, sections};
}

} // namespace

TEST_CASE("no finding: passes where the rule finds nothing") {
    CHECK(expect::no_finding("partial_warps")(block_of(64)).verdict == verdict::pass);
}

TEST_CASE("no finding: fails with the numbers and the advice of what was found") {
    auto const found = expect::no_finding("partial_warps")(block_of(48));
    CHECK(found.verdict == verdict::fail);
    CHECK(found.expanded.find("a block of 48 threads") != std::string::npos);
    CHECK(found.expanded.find("multiple of 32") != std::string::npos);
}

TEST_CASE("no finding: allows what costs less") {
    // 48 of 64 threads: a quarter of the issue slots, which are what bounds the kernel
    CHECK(expect::no_finding("partial_warps", 0.1)(block_of(48)).verdict == verdict::fail);
    CHECK(expect::no_finding("partial_warps", 0.4)(block_of(48)).verdict == verdict::pass);
}

TEST_CASE("no finding: is inconclusive without values or without the section or for a name that no rule has") {
    auto const silent = expect::no_finding("uncoalesced_global_access")(block_of(64, explain::set::detailed));
    CHECK(silent.verdict == verdict::inconclusive);
    CHECK(silent.reason.find("no value of") != std::string::npos);
    auto const absent = expect::no_finding("uncoalesced_global_access")(block_of(64));
    CHECK(absent.verdict == verdict::inconclusive);
    CHECK(absent.reason.find("memory_workload") != std::string::npos);
    CHECK(expect::no_finding("partial_wraps")(block_of(64)).verdict == verdict::inconclusive);
    CHECK(expect::no_finding("partial_warps")(explain::explanation{}).verdict == verdict::inconclusive);
}

TEST_CASE("no finding: takes an observation whose report has the metrics") {
    auto const why = block_of(48);
    gpuprof::observation const seen{why.report().at(0)};
    CHECK(expect::no_finding("partial_warps")(seen).verdict == verdict::fail);
    gpuprof::observation const none{gpuprof::error{gpuprof::errc::busy, 0, "busy"}};
    CHECK(expect::no_finding("partial_warps")(none).verdict == verdict::inconclusive);
}

} // namespace no_finding_test
