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
#include <gpuprof/metric/catalogue/gv100.hpp>
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

TEST_CASE("groups of metrics: triage groups of a chip have the metrics of their name") {
    auto const& gh100 = gpuprof::catalogue_of<gpuprof::chip::gh100>;
    auto const pci = try_members_of_group(gh100, "PCI.TriageCompute");
    REQUIRE(pci);
    CHECK(std::find(pci->begin(), pci->end(), "PCI.TriageCompute.pcie__read_bytes") != pci->end());
    for (std::string const& each : *pci) CHECK_MESSAGE(each.starts_with("PCI.TriageCompute."), each);
    auto const all = try_members_of_group(gh100, "TriageCompute");
    REQUIRE(all);
    CHECK(all->size() == 127); // of libnvperf_host of CUDA 13.0
    CHECK(all->size() > pci->size());
    for (std::string const& each : *all) CHECK_MESSAGE(gh100.find(each).has_value(), each);
    CHECK(try_members_of_group(gpuprof::catalogue_of<gpuprof::chip::gv100>, "TriageCompute").error().cause ==
          "GV100 has no triage groups");
    for (char const* const wrong : {"PCIE.TriageCompute", "PCI", "", "sm__warps_active", "PCI.TriageCompute."}) {
        CAPTURE(wrong);
        auto const refused = try_members_of_group(gh100, wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == gpuprof::errc::unknown_metric);
        CHECK(refused.error().remedy.find("PCI.TriageCompute") != std::string::npos);
    }
}

} // namespace metric_groups_test
