// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/occupancy_curves.hpp: curves from values with instances.
#include <doctest/doctest.h>

#include <string>

#include <gpuprof/explain/occupancy_curves.hpp>

#include "support/paper_report.hpp"

namespace occupancy_curves_test {

namespace explain = gpuprof::explain;
using test::paper_report;

TEST_CASE("occupancy curves: amounts ascend, keys of a block's warps are threads, others are warps of an SM") {
    auto const curves = explain::occupancy_curves_of(
        paper_report{}
            .set("sm__warps_active.avg.peak_sustained", 64)
            .set("sm__warps_active.avg.pct_of_peak_sustained_active", 30)
            .set("launch__block_size", 64)
            .set("launch__registers_per_thread", 72)
            .set("launch__shared_mem_per_block_static", 1000)
            .set("launch__shared_mem_per_block_dynamic", 24)
            .set("launch__occupancy_per_block_size", 24, {{"1", 16}, {"2", 24}, {"3", 27}})
            .set("launch__occupancy_per_register_count", 24, {{"16", 128}, {"24", 80}, {"32", 64}})
            .set("launch__occupancy_per_shared_mem_size", 24, {{"8", 200000}, {"24", 70000}})
            .range());
    REQUIRE(curves.theoretical);
    CHECK(curves.theoretical->value() == 37.5); // 24 of 64
    CHECK(curves.achieved->value() == 30);
    CHECK(*curves.warps == 24);

    auto const& blocks = curves.block_size;
    REQUIRE(blocks.points.size() == 3);
    CHECK(blocks.points[2].amount == 96);
    CHECK(blocks.points[2].warps == 27);
    CHECK_FALSE(blocks.steps);
    REQUIRE(blocks.launch);
    CHECK(blocks.launch->amount == 64);
    CHECK(blocks.launch->warps == 24);

    auto const& registers = curves.registers;
    REQUIRE(registers.points.size() == 3);
    CHECK(registers.points[0].amount == 64);
    CHECK(registers.points[0].warps == 32);
    CHECK(registers.points[2].amount == 128);
    CHECK(registers.points[2].warps == 16);
    CHECK(registers.steps);
    CHECK(registers.launch->amount == 72);
    CHECK(curves.shared_memory.launch->amount == 1024);
    CHECK(curves.shared_memory.points.front().warps == 24);
}

TEST_CASE("occupancy curves: what was not collected is missing and says why") {
    auto const curves = explain::occupancy_curves_of(paper_report{}.range());
    CHECK_FALSE(curves.theoretical);
    CHECK_FALSE(curves.achieved);
    CHECK(curves.registers.points.empty());
    REQUIRE(curves.registers.missing);
    CHECK(curves.registers.missing->message().find("launch__occupancy_per_register_count") != std::string::npos);
}

} // namespace occupancy_curves_test
