// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/range/device_breakdown.hpp: the constituents that a device can measure, and those that it lacks.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/hw/counters/range/device_breakdown.hpp>
#include <gpuprof/sim.hpp>

namespace device_breakdown_test {

namespace sim = gpuprof::sim;
using gpuprof::breakdown_depth;
using gpuprof::errc;
using gpuprof::try_breakdown;

namespace {

constexpr char sm[] = "sm__throughput.avg.pct_of_peak_sustained_elapsed";

bool has(std::vector<gpuprof::metric_info> const& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(), [&](auto const& each) { return each.name == name; });
}

} // namespace

TEST_CASE("the embedded GPU has some constituents of a throughput, and says which it lacks") {
    auto const gpu = sim::open_embedded("gh100");
    REQUIRE(gpu);
    auto const one_level = try_breakdown(*gpu, std::string{"breakdown:"} + sm);
    REQUIRE(one_level);
    CHECK(one_level->lacking.empty());
    CHECK(one_level->parts.size() == 2); // of instructions and of memory
    auto const all = try_breakdown(*gpu, sm, breakdown_depth::all_levels);
    REQUIRE(all);
    auto const of_chip = gpuprof::try_breakdown("GH100", sm, breakdown_depth::all_levels);
    REQUIRE(of_chip);
    CHECK(all->parts.size() + all->lacking.size() == of_chip->size());
    CHECK(has(all->parts, "sm__inst_executed.avg.pct_of_peak_sustained_elapsed"));
    REQUIRE_FALSE(all->lacking.empty());
    for (gpuprof::error const& each : all->lacking) {
        CHECK(each.code == errc::unknown_metric);
        CHECK(each.cause == "the embedded GH100 does not model it");
        CHECK_FALSE(has(all->parts, each.what));
        CHECK(has(*of_chip, each.what));
    }
}

TEST_CASE("the breakdown on a device fails as that of its chip, and where there is no range hardware") {
    auto const gpu = sim::open_embedded("gh100");
    REQUIRE(gpu);
    auto const counter = try_breakdown(*gpu, "sm__inst_executed.sum");
    REQUIRE_FALSE(counter);
    CHECK(counter.error().cause == "only a throughput has a breakdown");
    auto const older = sim::open_embedded("gm200");
    REQUIRE(older);
    auto const none = try_breakdown(*older, sm);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::unavailable);
    CHECK(none.error().cause == "it counts events");
}

} // namespace device_breakdown_test
