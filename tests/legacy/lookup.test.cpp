// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// legacy/lookup.hpp: names found, and what is said of those that are not.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <gpuprof/legacy/lookup.hpp>

namespace lookup_test {

using gpuprof::capability_family;
using gpuprof::compute_capability;
using gpuprof::errc;

namespace legacy = gpuprof::legacy;

TEST_CASE("a metric and an event are found by name on the families that have them") {
    auto const metric = legacy::try_metric("ipc", capability_family::cc_5x);
    REQUIRE(metric);
    CHECK((*metric)->metric == &legacy::metrics::ipc);
    auto const event = legacy::try_event("branch", capability_family::cc_6x);
    REQUIRE(event);
    CHECK((*event)->event == &legacy::events::branch);
    CHECK(legacy::find_event("__l1_global_load_transactions") == &legacy::events::l1_global_load_transactions);
}

TEST_CASE("an unknown name is an error that offers the nearest names of the family") {
    auto const metric = legacy::try_metric("acheived_ocupancy", capability_family::cc_5x);
    REQUIRE_FALSE(metric);
    CHECK(metric.error().code == errc::unknown_metric);
    CHECK(metric.error().what == "acheived_ocupancy");
    CHECK(metric.error().cause == "capability 5.x has no such metric");
    CHECK(metric.error().remedy == "perhaps achieved_occupancy");
    auto const event = legacy::try_event("activ_warps", capability_family::cc_70);
    REQUIRE_FALSE(event);
    CHECK(event.error().remedy.find("active_warps") != std::string::npos);
}

TEST_CASE("a name of other families is an error that names them") {
    auto const metric = legacy::try_metric("local_replay_overhead", capability_family::cc_70);
    REQUIRE_FALSE(metric);
    CHECK(metric.error().cause == "capability 7.0 has no such metric, unlike 2.x and 3.x");
    auto const event = legacy::try_event("gld_inst_32bit", capability_family::cc_70);
    REQUIRE_FALSE(event);
    CHECK(event.error().cause == "capability 7.0 has no such event, unlike 2.x and 3.x and 5.x and 6.x");
}

TEST_CASE("odd names are refused without harm") {
    for (std::string const& name :
         {std::string{}, std::string(10000, 'x'), std::string{"ipc\0", 4}, std::string{"\n"}}) {
        auto const metric = legacy::try_metric(name, capability_family::cc_2x);
        REQUIRE_FALSE(metric);
        CHECK(metric.error().code == errc::unknown_metric);
        CHECK(metric.error().what.size() < 200);
        CHECK_FALSE(legacy::try_event(name, capability_family::cc_2x));
        CHECK_FALSE(legacy::try_range_formula(name));
    }
}

TEST_CASE("a legacy metric's formula on the range hardware is had by name") {
    auto const formula = legacy::try_range_formula("dram_read_bytes");
    REQUIRE(formula);
    CHECK(formula->inputs()[0].name == "dram__bytes_read.sum");
    CHECK(legacy::try_range_formula("l1_cache_global_hit_rate")); // of 2.x, in no table
}

TEST_CASE("a metric without an equivalent is told from one that does not exist") {
    auto const none = legacy::try_range_formula("local_memory_overhead");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::unavailable);
    auto const no_row = legacy::try_range_formula("alu_fu_utilization"); // of 3.x, in no table
    REQUIRE_FALSE(no_row);
    CHECK(no_row.error().code == errc::unavailable);
    auto const unknown = legacy::try_range_formula("dram_reed_bytes");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == errc::unknown_metric);
    CHECK(unknown.error().remedy.starts_with("perhaps dram_read_bytes"));
}

TEST_CASE("what a capability lacks of its family is refused, with those that have it") {
    CHECK(legacy::try_metric("flop_count_hp", compute_capability{5, 3}));
    auto const refused = legacy::try_metric("flop_count_hp", compute_capability{5, 2});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().cause == "of capability 5.x, only 5.3 has this metric; this is 5.2");
    auto const two = legacy::try_metric("dram_read_bytes", compute_capability{5, 3});
    REQUIRE_FALSE(two);
    CHECK(two.error().cause == "of capability 5.x, only 5.0 and 5.2 have this metric; this is 5.3");
    CHECK_FALSE(legacy::try_metric("tensor_int_fu_utilization", compute_capability{7, 0}));
    CHECK(legacy::try_metric("tensor_int_fu_utilization", compute_capability{7, 2}));
    // Capability 2.1 has four pipelines, and counts issues by pipeline alone.
    CHECK(legacy::try_event("thread_inst_executed_3", compute_capability{2, 1}));
    CHECK_FALSE(legacy::try_event("thread_inst_executed_3", compute_capability{2, 0}));
    CHECK_FALSE(legacy::try_event("inst_issued", compute_capability{2, 1}));
    CHECK_FALSE(legacy::try_metric("ipc", compute_capability{9, 0}));
}

} // namespace lookup_test
