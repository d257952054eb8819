// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/event/context_warnings.hpp against the scopes of CUPTI 12.0, tables 4 to 6.
#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <gpuprof/hw/counters/event/context_warnings.hpp>
#include <gpuprof/legacy/info.hpp>

namespace context_warnings_test {

using gpuprof::compute_capability;
using gpuprof::context_warnings;
using gpuprof::legacy_metric_scope;

namespace {
std::vector<gpuprof::metric_info> all_of(compute_capability capability) {
    std::vector<gpuprof::metric_info> list;
    for (auto const& row : gpuprof::legacy::metrics_of(*gpuprof::family_of(capability)).rows)
        if (gpuprof::legacy::try_metric(row.metric->name, capability))
            list.push_back(gpuprof::try_legacy_metric(row.metric->name).value());
    return list;
}
} // namespace

TEST_CASE("legacy metrics: what CUPTI marks \"multi-context*\" is right for one context only on 5.3") {
    // CUPTI 12.0, the note below table 4: on 5.0 and 5.2 several contexts may run.
    auto const on_53 = context_warnings(all_of({5, 3}), {5, 3});
    std::size_t single = 0;
    for (auto const& each : on_53) single += each.cause.find("only while one context") != std::string::npos;
    CHECK(single > 0);
    for (compute_capability const other : {compute_capability{5, 0}, {5, 2}, {6, 0}, {7, 0}})
        for (auto const& each : context_warnings(all_of(other), other))
            CHECK_MESSAGE(each.cause.find("all contexts") != std::string::npos, each.what);
}

TEST_CASE("legacy metrics: what counts for the device contains the work of others, who are named") {
    std::vector<gpuprof::metric_info> const list{gpuprof::try_legacy_metric("inst_executed").value(),
                                                 gpuprof::try_legacy_metric("nvlink_total_data_received").value(),
                                                 gpuprof::try_legacy_metric("warps_launched").value()};
    std::vector<std::string> const others{"Xorg", "trainer"};
    auto const warnings = context_warnings(list, {7, 0}, others);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].what == "nvlink_total_data_received");
    CHECK(warnings[0].cause == "it contains the work of all contexts on the GPU; these have a GPU open: Xorg, trainer");
    CHECK_FALSE(warnings[0].remedy.empty());
    CHECK(context_warnings(list, {9, 0}, others).empty()); // range hardware
    CHECK(context_warnings({}, {7, 0}, others).empty());
}

} // namespace context_warnings_test
