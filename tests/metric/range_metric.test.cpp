// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// metric/range_metric.hpp: the sub-metrics of a region or frame that the documents list.
#include <gpuprof/metric/range_metric.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

namespace range_metric_test {

using gpuprof::metric;
using gpuprof::metric_of_range;
using gpuprof::try_metric_of_range;

TEST_CASE("sub-metrics of a region or frame are those of the range's elapsed cycles, when compiling and at run time") {
    static_assert(metric_of_range<"sm__inst_executed.sum.per_cycle_in_region"> ==
                  metric<"sm__inst_executed.sum.per_cycle_elapsed">);
    static_assert(metric_of_range<"sm__throughput.avg.pct_of_peak_sustained_frame"> ==
                  metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">);
    static_assert(metric_of_range<"sm__inst_executed.sum.peak_sustained_region.per_second"> ==
                  metric<"sm__inst_executed.sum.peak_sustained_elapsed.per_second">);
    static_assert(metric_of_range<"sm__inst_executed.sum"> == metric<"sm__inst_executed.sum">);
    // CUPTI 12.0, 2.8.1, and the example of bank conflicts there
    std::pair<std::string_view, std::string_view> const rows[]{
        {".peak_sustained_region", ".peak_sustained_elapsed"},
        {".peak_sustained_region.per_second", ".peak_sustained_elapsed.per_second"},
        {".peak_sustained_frame", ".peak_sustained_elapsed"},
        {".peak_sustained_frame.per_second", ".peak_sustained_elapsed.per_second"},
        {".per_cycle_in_region", ".per_cycle_elapsed"},
        {".per_cycle_in_frame", ".per_cycle_elapsed"},
        {".pct_of_peak_sustained_region", ".pct_of_peak_sustained_elapsed"},
        {".pct_of_peak_sustained_frame", ".pct_of_peak_sustained_elapsed"}};
    for (auto const& row : rows) {
        std::string const base = "l1tex__data_bank_conflicts_pipe_lsu.sum";
        auto const found = try_metric_of_range(base + std::string{row.first});
        REQUIRE_MESSAGE(found, row.first);
        CHECK(found->name == base + std::string{row.second});
    }
}

TEST_CASE("a region in a metric's base is part of it, and a wrong name stays wrong") {
    auto const cycles = try_metric_of_range("sm__cycles_in_region.avg"); // of newer chips: it counts cycles
    REQUIRE(cycles);
    CHECK(cycles->name == "sm__cycles_in_region.avg");
    CHECK(try_metric_of_range("sm__inst_executed.sum.per_cycle_in_regions").error().code ==
          gpuprof::errc::unknown_metric);
    CHECK_FALSE(try_metric_of_range("sm__inst_executed.sum.pct_of_peak_burst_region")); // withdrawn
    CHECK_FALSE(try_metric_of_range("_region"));
    CHECK_FALSE(try_metric_of_range(""));
}

} // namespace range_metric_test
