// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bare session on the embedded GPU: what CUPTI's answers mean, and that everything is given back.
#include <gpuprof/hw/samplers/pm_session.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/gpu/gpu_state.hpp"

#include "support/fault_injection.hpp"
#include "support/sampled_gpu.hpp"

namespace pm_session_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;

namespace {
hw::pm_group group_of(gpuprof::device const& gpu, std::vector<std::string> names) {
    auto planner = hw::pm_planner::try_open(gpu).value();
    auto groups = planner.try_plan(names).value();
    REQUIRE(groups.size() == 1);
    return groups[0];
}
constexpr hw::pm_settings settings{1000, false, std::size_t{16} << 20, 64, false};
} // namespace

TEST_CASE("pm_planner: metrics of one pass are one group, in their order") {
    test::sampled_gpu on;
    hw::pm_group const group = group_of(*on.gpu, {"lts__t_sectors.sum", "gpu__time_duration.sum"});
    CHECK(group.members == std::vector<std::size_t>{0, 1});
    CHECK(group.metrics == std::vector<std::string>{"lts__t_sectors.sum", "gpu__time_duration.sum"});
    CHECK(!group.config_image.empty());
}

TEST_CASE("pm_planner: metrics of several passes are groups that hold each metric once") {
    test::sampled_gpu on; // it collects in passes, as hardware does
    auto planner = hw::pm_planner::try_open(*on.gpu).value();
    std::vector<std::string> const names{"smsp__inst_executed.sum",
                                         "smsp__inst_issued.sum",
                                         "smsp__warps_active.sum",
                                         "smsp__warps_eligible.sum",
                                         "smsp__warps_launched.sum",
                                         "smsp__issue_active.sum",
                                         "smsp__warps_issue_stalled_wait.sum",
                                         "smsp__warps_issue_stalled_barrier.sum",
                                         "smsp__warps_issue_stalled_membar.sum",
                                         "smsp__warps_issue_stalled_long_scoreboard.sum",
                                         "smsp__warps_issue_stalled_short_scoreboard.sum",
                                         "smsp__warps_issue_stalled_not_selected.sum",
                                         "smsp__warps_issue_stalled_selected.sum"};
    auto const groups = planner.try_plan(names).value();
    REQUIRE(groups.size() > 1);
    std::vector<int> seen(names.size());
    for (hw::pm_group const& each : groups) {
        REQUIRE(each.members.size() == each.metrics.size());
        for (std::size_t i = 0; i < each.members.size(); ++i) {
            ++seen[each.members[i]];
            CHECK(each.metrics[i] == names[each.members[i]]);
        }
        CHECK(hw::pm_session::try_open(*on.gpu, each, settings)); // CUPTI takes each as one pass
    }
    CHECK(seen == std::vector<int>(names.size(), 1));
}

TEST_CASE("pm_planner: a CUPTI without PM sampling is unavailable, and an unknown metric offers the nearest") {
    test::sampled_gpu on;
    auto planner = hw::pm_planner::try_open(*on.gpu).value();
    auto const unknown = planner.try_plan(std::vector<std::string>{"lts__t_sector.sum"});
    CHECK(unknown.error().code == errc::unknown_metric);
    CHECK(unknown.error().remedy.find("lts__t_sectors.sum") != std::string::npos);
    on.machine.cupti.PmSamplingEnable = nullptr;
    auto const missing = hw::pm_planner::try_open(*on.gpu);
    CHECK(missing.error().code == errc::unavailable);
    CHECK(missing.error().what.find("cuptiPmSamplingEnable") != std::string::npos);
}

TEST_CASE("pm_session: the statuses of CUPTI have their meaning") {
    test::sampled_gpu on;
    hw::pm_group const group = group_of(*on.gpu, {"lts__t_sectors.sum"});
    test::fault_injection faults{on.machine.cupti};
    auto const opened = [&](char const* call, abi::CUptiResult status) {
        faults.clear();
        faults.fail_always(call, status);
        auto session = hw::pm_session::try_open(*on.gpu, group, settings);
        REQUIRE(!session);
        return session.error();
    };
    CHECK(opened("cuptiPmSamplingEnable", abi::CUPTI_ERROR_INVALID_OPERATION).code == errc::busy);
    CHECK(opened("cuptiPmSamplingEnable", abi::CUPTI_ERROR_HARDWARE_BUSY).code == errc::busy);
    CHECK(opened("cuptiPmSamplingEnable", abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES).code == errc::permission);
    auto const cycles = opened("cuptiPmSamplingSetConfig", abi::CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(cycles.code == errc::unavailable);
    CHECK(cycles.remedy.find("cycles") != std::string::npos);
    faults.clear();
    CHECK(hw::pm_session::try_open(*on.gpu, group, settings)); // everything was given back
}

TEST_CASE("pm_session: an overflow comes as a flag, or as a status") {
    test::sampled_gpu on;
    hw::pm_group const group = group_of(*on.gpu, {"lts__t_sectors.sum"});
    test::fault_injection faults{on.machine.cupti};
    auto session = hw::pm_session::try_open(*on.gpu, group, settings).value();
    REQUIRE(session.try_start());
    on.fill(1 << 20);
    on.wait();
    faults.fail("cuptiPmSamplingDecodeData", 1, abi::CUPTI_ERROR_OUT_OF_MEMORY);
    auto const lost = session.try_decode([](auto...) {});
    REQUIRE(lost);
    CHECK(lost->overflowed);
    auto const next = session.try_decode([](auto...) {});
    REQUIRE(next);
    CHECK(!next->overflowed);
    CHECK(next->samples > 0);
}

TEST_CASE("pm_session: its end stops and disables, and frees the context for ranges") {
    test::sampled_gpu on;
    hw::pm_group const group = group_of(*on.gpu, {"lts__t_sectors.sum"});
    test::fault_injection faults{on.machine.cupti};
    {
        auto session = hw::pm_session::try_open(*on.gpu, group, settings).value();
        REQUIRE(session.try_start());
        CHECK(!hw::session_lease::try_take(on.gpu->context()));
        auto moved = std::move(session);
        CHECK(moved.started());
    }
    CHECK(faults.calls("cuptiPmSamplingStop") == 1);
    CHECK(faults.calls("cuptiPmSamplingDisable") == 1);
    CHECK(hw::session_lease::try_take(on.gpu->context()));
    CHECK(!gpuprof::sim::shared().work.is_on());
}

} // namespace pm_session_test
