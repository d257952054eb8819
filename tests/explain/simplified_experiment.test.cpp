// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/simplified_experiment.hpp: names, values by arithmetic on a report written here.
// bottleneck_kernels.test.cpp enables one alone.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>

namespace simplified_experiment_test {

namespace explain = gpuprof::explain;
using explain::experiment_kind;
using explain::gpu_unit;

namespace {

using values = std::vector<std::pair<std::string, double>>;

gpuprof::report report_of(values const& from) {
    gpuprof::report::contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    for (auto const& [name, value] : from) {
        made.metrics.push_back(*gpuprof::try_metric(name));
        made.values.push_back(value);
    }
    made.ranges = {{"all", gpuprof::report::range::top, 1, {0}}};
    return gpuprof::report{std::move(made)};
}

// An L2 at half of its peak for which 7 of 10 warps waited, over 400 cycles of which kernels ran all.
values const l2_half_busy{{"sm__cycles_elapsed.avg", 400},
                          {"sm__cycles_active.max", 400},
                          {"sm__cycles_elapsed.max", 400},
                          {"smsp__warps_active.sum", 1000},
                          {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 50},
                          {"smsp__warps_issue_stalled_long_scoreboard.sum", 600},
                          {"smsp__warps_issue_stalled_lg_throttle.sum", 100},
                          {"smsp__warps_issue_stalled_drain.sum", 0},
                          {"smsp__warps_issue_stalled_membar.sum", 0}};

explain::simplified_experiment known(std::string_view name) {
    auto const found = explain::find_simplified_experiment(name);
    REQUIRE_MESSAGE(found, name);
    return *found;
}

} // namespace

TEST_CASE("simplified experiments: two for each of twelve units and the GPU's, each found by its own name") {
    std::vector<std::string> names;
    std::size_t const told =
        explain::visit_simplified_experiments([&](std::string_view name, std::string_view meaning) {
            names.emplace_back(name);
            CHECK_FALSE(meaning.empty());
        });
    CHECK(told == 25);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 25);
    CHECK(names.front() == "issue slots SOL");
    CHECK(names.back() == "GPU Bottleneck");
    for (std::size_t at = 0; at < names.size(); ++at) CHECK(known(names[at]) == explain::simplified_experiment_at(at));
    CHECK(known("TEX Bottleneck").unit == gpu_unit::tex);
    CHECK(known("TEX SOL").kind == experiment_kind::speed_of_light);
    CHECK_FALSE(explain::find_simplified_experiment("ROP SOL")); // graphics
    CHECK_FALSE(explain::find_simplified_experiment(""));
}

TEST_CASE("simplified experiments: the list ends when the function says so") {
    std::size_t heard = 0;
    CHECK(explain::visit_simplified_experiments([&](std::string_view, std::string_view) { return ++heard < 3; }) == 3);
    CHECK(heard == 3);
}

TEST_CASE("simplified experiments: value and cycles of one unit come from its own metrics alone") {
    auto const report = report_of(l2_half_busy);
    auto const sol = explain::try_value(known("L2 SOL"), report.at(0));
    REQUIRE(sol);
    CHECK(sol->value == 50);
    CHECK(sol->cycles == 400);
    auto const waits = explain::try_value(known("L2 Bottleneck"), report.at(0));
    REQUIRE(waits);
    CHECK(waits->value == 70 - (100 - 50));
    CHECK(waits->cycles == 400);
    for (std::string const& each : explain::metric_names(known("L2 Bottleneck")))
        CHECK(report.at(0).try_value(each)); // it reads no more than these
    CHECK(explain::metric_names(known("L2 SOL")).size() == 4);
}

TEST_CASE("simplified experiments: what was not enabled is an error that names a metric, and cycles may be unknown") {
    auto const report = report_of(l2_half_busy);
    auto const dram = explain::try_value(known("DRAM SOL"), report.at(0));
    REQUIRE_FALSE(dram);
    CHECK(dram.error().code == gpuprof::errc::not_collected);
    CHECK(dram.error().cause == "dram__throughput.avg.pct_of_peak_sustained_elapsed");
    auto const whole = explain::try_value(known("GPU Bottleneck"), report.at(0));
    REQUIRE_FALSE(whole); // DRAM could still be the answer
    values without{l2_half_busy.begin() + 1, l2_half_busy.end()};
    auto const other = report_of(without);
    auto const sol = explain::try_value(known("L2 SOL"), other.at(0));
    REQUIRE(sol);
    CHECK(sol->value == 50);
    CHECK(std::isnan(sol->cycles));
}

TEST_CASE("simplified experiments: the number of the GPU's bottleneck has a name") {
    CHECK(explain::bottleneck_name(static_cast<double>(gpu_unit::dram)) == "DRAM");
    CHECK(explain::bottleneck_name(12) == "latency");
    CHECK(explain::bottleneck_name(13) == "cannot be said");
    CHECK(explain::bottleneck_name(0.5) == "cannot be said");
    values all;
    for (std::string const& name : explain::bottleneck_metric_names()) all.emplace_back(name, 0.0);
    for (auto& [name, value] : all)
        if (name == "smsp__warps_active.sum") value = 1000;
        else if (name == "smsp__warps_issue_stalled_tex_throttle.sum") value = 900;
        else if (name == "sm__inst_executed_pipe_tex.avg.pct_of_peak_sustained_elapsed") value = 95;
    auto const whole = explain::try_value(known("GPU Bottleneck"), report_of(all).at(0));
    REQUIRE(whole);
    CHECK(explain::bottleneck_name(whole->value) == "TEX");
}

TEST_CASE("bottleneck: a hint where arithmetic bounds and the texture unit idles, and only there") {
    auto const with = [](std::string_view pipe, std::string_view stall, double texture) {
        values all;
        for (std::string const& name : explain::bottleneck_metric_names()) all.emplace_back(name, 0.0);
        for (auto& [name, value] : all)
            if (name == "smsp__warps_active.sum") value = 1000;
            else if (name == "smsp__warps_issue_stalled_" + std::string{stall} + ".sum") value = 900;
            else if (name == std::string{pipe} + ".avg.pct_of_peak_sustained_elapsed") value = 95;
            else if (name == "l1tex__f_wavefronts.avg.pct_of_peak_sustained_elapsed") value = texture;
        return explain::find_bottleneck(report_of(all).at(0));
    };
    auto const found = with("sm__inst_executed_pipe_xu", "short_scoreboard", 3);
    CHECK(found.unit == gpu_unit::xu);
    CHECK(found.hint().find("texture") != std::string_view::npos);
    CHECK(gpuprof::io::table(found).find(found.hint()) != std::string::npos);
    CHECK(with("sm__inst_executed_pipe_xu", "short_scoreboard", 30).hint().empty()); // it is in use
    CHECK(with("dram__throughput", "long_scoreboard", 3).hint().empty());            // no arithmetic
    CHECK(with("sm__inst_executed_pipe_xu", "barrier", 3).hint().empty());           // latency
}

} // namespace simplified_experiment_test
