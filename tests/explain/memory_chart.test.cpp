// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/memory_chart.hpp: names against GH100's catalogue, amounts by arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/explain/memory_chart.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/metric/catalogue/gh100.hpp>

#include "support/paper_report.hpp"

namespace memory_chart_test {

namespace explain = gpuprof::explain;
using explain::chart_unit;
using test::paper_report;

TEST_CASE("memory chart: every metric is one of GH100 and stands once in the section") {
    std::vector<std::string_view> metrics;
    for (auto const& row : explain::sections::memory_chart.rows) {
        CHECK_MESSAGE(gpuprof::catalogue_of<gpuprof::chip::gh100>.contains(row.metric), row.metric);
        metrics.push_back(row.metric);
    }
    CHECK(metrics.size() > 50);
    std::sort(metrics.begin(), metrics.end());
    CHECK(std::adjacent_find(metrics.begin(), metrics.end()) == metrics.end());
    for (auto const& link : explain::memory_chart_metrics::links)
        CHECK(std::binary_search(metrics.begin(), metrics.end(), std::string_view{link.metrics[0]}));
}

TEST_CASE("memory chart: units are in their order and links join each to the one below") {
    std::size_t at = 0;
    for (auto const& row : explain::memory_chart_metrics::units) CHECK(static_cast<std::size_t>(row.unit) == at++);
    for (auto const& link : explain::memory_chart_metrics::links) CHECK(link.from != link.to);
    auto const chart = explain::memory_chart_of(paper_report{}.range());
    CHECK(chart.nodes.size() == at);
    CHECK(chart.links.size() == std::size(explain::memory_chart_metrics::links));
}

TEST_CASE("memory chart: links add up their metrics, in bytes where they count sectors, and know their peak") {
    auto const chart = explain::memory_chart_of(paper_report{}
                                                    .set("smsp__inst_executed_op_local_ld.sum", 3)
                                                    .set("smsp__inst_executed_op_local_st.sum", 40)
                                                    .set("lts__t_sectors_aperture_sysmem_op_read.sum", 5)
                                                    .set("dram__bytes_write.sum", 77)
                                                    .set("dram__bytes_write.sum.pct_of_peak_sustained_elapsed", 12.5)
                                                    .set("lts__t_sector_hit_rate.pct", 61)
                                                    .range());
    CHECK(*chart.find(chart_unit::kernel, chart_unit::local)->amount.number == 43);
    CHECK(*chart.find(chart_unit::system, chart_unit::l2)->amount.number == 160);
    auto const* const dram = chart.find(chart_unit::l2, chart_unit::device);
    CHECK(*dram->amount.number == 77);
    CHECK(*dram->of_peak.number == 12.5);
    CHECK(*chart.nodes[static_cast<std::size_t>(chart_unit::l2)].value.number == 61);
    CHECK(chart.find(chart_unit::peer, chart_unit::device) == nullptr);
}

TEST_CASE("memory chart: a link that lacks one of its metrics has no number and says which") {
    auto const chart = explain::memory_chart_of(paper_report{}.set("smsp__inst_executed_op_local_ld.sum", 3).range());
    auto const& amount = chart.find(chart_unit::kernel, chart_unit::local)->amount;
    CHECK_FALSE(amount.number);
    REQUIRE(amount.missing);
    CHECK(amount.missing->message().find("smsp__inst_executed_op_local_st.sum") != std::string::npos);
}

} // namespace memory_chart_test
