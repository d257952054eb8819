// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// legacy/perfkit_counters.hpp: each of PerfKit's 59 compute counters is an event of an instance, or says why it is none.
#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/sim.hpp>

namespace perfkit_counters_test {

namespace legacy = gpuprof::legacy;
using gpuprof::capability_family;
using gpuprof::errc;
using legacy::try_perfkit_counter;

namespace {

// A name as a user writes it: 1 for each number.
std::string written(std::string_view pattern) {
    std::string name;
    for (char const c : pattern) name += c >= 'A' && c <= 'Z' ? '1' : c;
    return name;
}

} // namespace

TEST_CASE("PerfKit's compute counters: names have their instances, slices and sub-partitions") {
    CHECK(*try_perfkit_counter("warps_launched_vsm3", capability_family::cc_2x) == "warps_launched@3");
    CHECK(*try_perfkit_counter("cta_launched_vsm14", capability_family::cc_3x) == "sm_cta_launched@14");
    CHECK(*try_perfkit_counter("fb_subp1_read_sectors_fb2", capability_family::cc_2x) == "fb_subp1_read_sectors@2");
    CHECK(*try_perfkit_counter("l2_slice3_read_sectors_fb0", capability_family::cc_3x) ==
          "l2_subp3_total_read_sector_queries@0");
    CHECK(*try_perfkit_counter("l2_slice1_read_sectors_fb5", capability_family::cc_2x) ==
          "l2_subp1_read_sector_queries@5");
    CHECK(*try_perfkit_counter("pm_event_07", capability_family::cc_3x) == "prof_trigger_07");
    CHECK(*try_perfkit_counter("thread_inst_executed_odd_vsm0", capability_family::cc_2x) ==
          "thread_inst_executed_1@0");
}

TEST_CASE("PerfKit's compute counters: what has no event says why") {
    auto const refused = [](std::string_view name, capability_family family, errc code, std::string_view cause) {
        auto const found = try_perfkit_counter(name, family);
        REQUIRE_MESSAGE(!found, name);
        CHECK(found.error().code == code);
        CHECK_MESSAGE(found.error().cause.find(cause) != std::string::npos, found.error().message());
    };
    refused("warps_launched_q1_vsm3", capability_family::cc_3x, errc::unavailable, "quadrants");
    refused("branches_vsm0", capability_family::cc_3x, errc::unavailable, "3.x");
    refused("tex0_bank_conflicts_gpc0_tpc1", capability_family::cc_3x, errc::unavailable, "no such event");
    refused("inst_executed_red_vsm0", capability_family::cc_3x, errc::unavailable, "PerfKit does not have it");
    refused("warps_launched_vsm3", capability_family::cc_5x, errc::unavailable, "2.x and 3.x");
    refused("l2_slice7_read_sectors_fb0", capability_family::cc_3x, errc::unavailable, "not so many");
    refused("warps_launched_vsm", capability_family::cc_2x, errc::unknown_metric, "no compute counter");
    refused("warps_launched_vsm3x", capability_family::cc_2x, errc::unknown_metric, "no compute counter");
    refused("warps_launched_vsmN", capability_family::cc_2x, errc::unknown_metric, "no compute counter");
    refused("shader_busy", capability_family::cc_2x, errc::unknown_metric, "no compute counter"); // graphics
    refused("", capability_family::cc_2x, errc::unknown_metric, "");
}

TEST_CASE("PerfKit's compute counters: all 59 are different, and 35 of Fermi and 31 of Kepler are events of CUPTI") {
    std::set<std::string_view> names;
    std::size_t fermi = 0, kepler = 0;
    for (legacy::perfkit_counter const& each : legacy::perfkit_counters) {
        CAPTURE(each.name);
        names.insert(each.name);
        auto const on_fermi = try_perfkit_counter(written(each.name), capability_family::cc_2x);
        auto const on_kepler = try_perfkit_counter(written(each.name), capability_family::cc_3x);
        CHECK(on_fermi.has_value() == !each.fermi.empty()); // the event is in the family's list
        CHECK(on_kepler.has_value() == !each.kepler.empty());
        if (each.fermi.empty() && each.kepler.empty()) CHECK_FALSE(each.remark.empty());
        fermi += on_fermi.has_value();
        kepler += on_kepler.has_value();
    }
    CHECK(names.size() == 59);
    CHECK(fermi == 35);
    CHECK(kepler == 31);
}

TEST_CASE("PerfKit's compute counters: what they stand for is planned by a profiler, and an instance counts its part") {
    auto const gpu = gpuprof::sim::open_embedded("3.5");
    REQUIRE(gpu);
    auto const of_one = try_perfkit_counter("warps_launched_vsm0", capability_family::cc_3x);
    REQUIRE(of_one);
    auto const metric = gpuprof::try_legacy_metric(*of_one, gpu->capability());
    REQUIRE(metric);
    gpuprof::metric_info const list[]{*metric};
    auto const prof = gpuprof::profiler::try_create(*gpu, {}, std::span<gpuprof::metric_info const>{list});
    CHECK_MESSAGE(prof, (prof ? std::string{} : prof.error().message()));
}

} // namespace perfkit_counters_test
