// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/legacy/info.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <gpuprof/legacy/named.hpp>

namespace info_test {

using gpuprof::errc;
using gpuprof::metric_info;
using gpuprof::try_legacy_metric;

TEST_CASE("a legacy name that is known only at run time is the metric that it is at compile time") {
    auto const ipc = try_legacy_metric("ipc");
    REQUIRE(ipc);
    CHECK(ipc->name == "ipc");
    CHECK(ipc->value_unit == gpuprof::legacy_metric<"ipc">.unit());
    CHECK(ipc->aggregation == gpuprof::aggregation::mean);
    auto const event = try_legacy_metric("legacy:active_warps");
    REQUIRE(event);
    CHECK(event->name == "legacy:active_warps");
    CHECK(event->value_unit == gpuprof::legacy_event<"active_warps">.unit());
    CHECK(event->aggregation == gpuprof::aggregation::sum);
    auto const one = try_legacy_metric("ipc_instance@3");
    REQUIRE(one);
    CHECK(one->name == "ipc_instance@3");
    CHECK(one->value_unit == gpuprof::legacy_metric<"ipc_instance">.unit());
}

TEST_CASE("a legacy name that there is not is refused, with the nearest") {
    auto const wrong = try_legacy_metric("achieved_ocupancy");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == errc::unknown_metric);
    CHECK(wrong.error().remedy.find("achieved_occupancy") != std::string::npos);
    CHECK_FALSE(try_legacy_metric(""));
    CHECK_FALSE(try_legacy_metric("legacy:"));
    CHECK_FALSE(try_legacy_metric("@1"));
    CHECK_FALSE(try_legacy_metric("ipc@"));
    CHECK_FALSE(try_legacy_metric("ipc@x"));
    CHECK_FALSE(try_legacy_metric("ipc@12345"));
}

TEST_CASE("a legacy name is looked up for a capability") {
    CHECK(try_legacy_metric("flop_count_hp", {5, 3}));
    auto const refused = try_legacy_metric("flop_count_hp", {5, 2});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().cause.find("only 5.3") != std::string::npos);
    CHECK(try_legacy_metric("inst_executed", {9, 0}));
    auto const none = try_legacy_metric("cf_issued", {9, 0});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::unavailable);
    CHECK(try_legacy_metric("thread_inst_executed_3", {2, 1}));
    CHECK_FALSE(try_legacy_metric("thread_inst_executed_3", {2, 0}));
}

TEST_CASE("a name of both worlds is told apart by try_metric") {
    std::set<std::string> ambiguous;
    for (auto const* const each : gpuprof::legacy::all_metrics)
        if (gpuprof::parse_metric_name(each->name).valid()) ambiguous.insert(each->name);
    for (auto const family : gpuprof::all_capability_families)
        for (auto const& place : gpuprof::legacy::events_of(family).events)
            if (gpuprof::parse_metric_name(place.event->name).valid()) ambiguous.insert(place.event->name);
    CHECK(ambiguous == std::set<std::string>{"inst_executed", "thread_inst_executed"});
    for (std::string const& each : ambiguous) {
        auto const both = gpuprof::try_metric(each);
        REQUIRE_FALSE(both);
        CHECK(both.error().code == errc::invalid_argument);
        CHECK(both.error().message().find("source:" + each) != std::string::npos);
        CHECK(both.error().message().find("try_legacy_metric") != std::string::npos);
        auto const source = gpuprof::try_metric("source:" + each);
        REQUIRE(source);
        CHECK(source->source == gpuprof::metric_source::source_counter);
        CHECK(try_legacy_metric(each)->source == gpuprof::metric_source::hardware);
    }
    CHECK(gpuprof::try_metric("legacy:ipc").error().remedy.find("try_legacy_metric") != std::string::npos);
    CHECK_FALSE(gpuprof::try_metric("source:sm__inst_executed.sum"));
}

} // namespace info_test
