// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/spread_profiler: passes are spread over processes, and one report has what one process measures in all passes. Ranks that
// die, hang or differ are named, and the others end.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS && !defined(_WIN32) // written with the throwing spellings; ranks are forked

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/ranks.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#include "support/rank_programs.hpp"
#include "support/scratch_directory.hpp"

namespace spread_profiler_test {

namespace abi = gpuprof::abi;
namespace ranks = gpuprof::ranks;
using gpuprof::errc;

namespace {

// Of one unit, which holds a few at once: several passes.
constexpr char const* several_passes[]{"smsp__inst_executed.sum",
                                       "smsp__warps_launched.sum",
                                       "smsp__thread_inst_executed.sum",
                                       "smsp__inst_executed_op_branch.sum",
                                       "smsp__inst_executed_pipe_alu.sum",
                                       "smsp__inst_executed_pipe_fma.sum",
                                       "smsp__inst_issued.sum",
                                       "smsp__cycles_active.sum",
                                       "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                       "launch__grid_size"};
std::vector<gpuprof::metric_info> listed() {
    std::vector<gpuprof::metric_info> list;
    for (char const* const name : several_passes) list.push_back(gpuprof::try_metric(name).value());
    return list;
}

struct program {
    program() : gpu{gpuprof::sim::open_embedded("gv100,passes").value()} {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        abi::CUmodule module = nullptr;
        REQUIRE(d.ModuleLoadData(&module,
                                 ".version 7.0\n.target sm_52\n.address_size 64\n"
                                 ".visible .entry first() { ret; }\n"
                                 ".visible .entry second() { .reg .f32 %f; fma.rn.f32 %f, %f, %f, %f; ret; }") ==
                abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&first, module, "first") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&second, module, "second") == abi::CUDA_SUCCESS);
    }
    void launch(abi::CUfunction kernel, unsigned blocks) const {
        REQUIRE(gpu.driver().LaunchKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    // Two ranges side by side, one of them with one inside, which runs twice.
    void work(gpuprof::scope_target& on, unsigned more = 0) const {
        {
            gpuprof::scope const outer{on, "outer"};
            launch(first, 3);
            for (unsigned const blocks : {5u, 6u}) {
                gpuprof::scope const inner{on, "inner"};
                launch(second, blocks);
            }
        }
        gpuprof::scope const last{on, "last"};
        launch(second, 7 + more);
    }

    gpuprof::device gpu;
    abi::CUfunction first = nullptr, second = nullptr;
};

ranks::spread_options patient() {
    ranks::spread_options options;
    options.deadline_ms = 60'000; // machines that test are busy
    return options;
}

// What one process measures in all passes.
gpuprof::report measured_alone() {
    program const here;
    auto const list = listed();
    gpuprof::profiler prof{here.gpu, {}, list};
    for ([[maybe_unused]] auto const& pass : prof.passes()) here.work(prof);
    return prof.report();
}

void check_equal(gpuprof::report const& spread, gpuprof::report const& alone) {
    REQUIRE(spread.size() == alone.size());
    REQUIRE(spread.metrics().size() == alone.metrics().size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(spread.at(i).path() == alone.at(i).path());
        CHECK(spread.at(i).count() == alone.at(i).count());
        for (auto const& metric : alone.metrics()) {
            INFO(alone.at(i).path(), " ", metric.name);
            auto const there = spread.at(i).try_values(metric.name).value();
            auto const expected = alone.at(i).try_values(metric.name).value();
            REQUIRE(there.size() == expected.size());
            for (std::size_t k = 0; k < there.size(); ++k) // NaN: kernels of several sizes have no grid size
                CHECK((there[k] == expected[k] || (there[k] != there[k] && expected[k] != expected[k])));
        }
    }
}

} // namespace

TEST_CASE("a rank of a program whose metrics are spread" * doctest::skip()) {
    auto all = test::here_as_rank();
    program const here;
    auto const list = listed();
    ranks::spread_profiler spread{here.gpu, all, patient(), list};
    std::size_t executions = 0;
    for ([[maybe_unused]] auto const& pass : spread.passes()) {
        ++executions;
        here.work(spread);
    }
    auto const report = spread.report();
    std::string const me = std::to_string(all.rank());
    test::leave("executions." + me, std::to_string(executions));
    test::leave("share." + me, std::to_string(spread.share().size()));
    test::leave("groups." + me, std::to_string(spread.groups()));
    if (all.rank() == 0) {
        for (auto const& each : report.problems) INFO(each.message());
        CHECK(report.complete());
        CHECK(report.heard == all.size());
        CHECK(report.work.size() == 1);
        gpuprof::save(*report.merged, test::variable_of_rank("GPUPROF_TEST_FOLDER") + "/merged");
    }
}

TEST_CASE("spread_profiler: four ranks' report is that of one process that measures all passes") {
    scratch_directory const folder;
    auto const ended = test::run_as_ranks("a rank of a program whose metrics are spread", folder.path(), 4);
    CHECK(ended == std::vector<int>(4, 0));
    auto const alone = measured_alone();
    REQUIRE(alone.complete());
    REQUIRE(alone.completeness().passes_needed >= 3);
    auto const merged = gpuprof::load_report(folder.path() + "/merged");
    CHECK(merged.complete());
    check_equal(merged, alone);
    for (std::size_t rank = 0; rank < 4; ++rank) { // all execute the body equally often, and less than one alone would
        std::string const me = std::to_string(rank);
        CHECK(test::left_in(folder.path(), "executions." + me) == test::left_in(folder.path(), "executions.0"));
        CHECK(std::stoul(test::left_in(folder.path(), "executions." + me)) < 1 + alone.completeness().replay_passes);
        CHECK(std::stoul(test::left_in(folder.path(), "share." + me)) < alone.metrics().size());
    }
}

} // namespace spread_profiler_test

#endif
