// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/metric_groups.hpp: every group of the guide has members, and they are metrics.
#include <gpuprof/explain/metric_groups.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/info.hpp>

namespace metric_groups_test {

using gpuprof::explain::try_members_of_group;

TEST_CASE("groups of metrics: each of the guide's eight names metrics, each once") {
    std::size_t groups = 0;
    for (auto const& row : gpuprof::provider_metrics) {
        if (row.source != gpuprof::metric_source::named_set) continue;
        CAPTURE(row.name);
        ++groups;
        auto const members = try_members_of_group(row.name);
        REQUIRE(members);
        CHECK(members->size() > 3);
        CHECK(std::set<std::string>(members->begin(), members->end()).size() == members->size());
        for (std::string const& each : *members) CHECK_MESSAGE(gpuprof::try_metric(each), each);
    }
    CHECK(groups == 8);
}

TEST_CASE("groups of metrics: the table of device memory and stall reasons by their names") {
    auto const has = [](std::string_view group, std::string_view metric) {
        auto const members = try_members_of_group(group);
        REQUIRE(members);
        return std::find(members->begin(), members->end(), metric) != members->end();
    };
    CHECK(has("group:memory__dram_table", "dram__sectors_read.sum"));
    CHECK_FALSE(has("group:memory__dram_table", "lts__t_sectors.sum"));
    CHECK(has("group:smsp__pcsamp_warp_stall_reasons", "smsp__pcsamp_warps_issue_stalled_wait"));
    CHECK_FALSE(has("group:smsp__pcsamp_warp_stall_reasons", "smsp__pcsamp_warps_issue_stalled_wait_not_issued"));
    CHECK(has("group:smsp__pcsamp_warp_stall_reasons_not_issued", "smsp__pcsamp_warps_issue_stalled_wait_not_issued"));
    CHECK(try_members_of_group("group:smsp__pcsamp_warp_stall_reasons")->size() == 19); // of chapter 4, gmma with them
    for (char const* const wrong :
         {"group:memory__drum_table", "memory__dram_table", "", "group:smsp__pcsamp_warp_stall_reasons_issued"})
        CHECK(try_members_of_group(wrong).error().code == gpuprof::errc::unknown_metric);
    CHECK(try_members_of_group("group:memory__drum_table").error().remedy.find("dram") != std::string::npos);
}

} // namespace metric_groups_test
