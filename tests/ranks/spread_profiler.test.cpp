// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/spread_profiler: passes are spread over processes, and one report has what one process measures in all passes. Ranks that
// die, hang or differ are named, and the others end.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS && !defined(_WIN32) // written with the throwing spellings; ranks are forked

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/ranks.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/platform/thread.hpp>

#include "support/rank_programs.hpp"
#include "support/scratch_directory.hpp"
#include "support/thread_ranks.hpp"

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
        REQUIRE(d.ModuleLoadData(
                    &module,
                    ".version 7.0\n.target sm_52\n.address_size 64\n"
                    ".visible .entry first() { ret; }\n"
                    ".visible .entry second(.param .u32 count) { .reg .f32 %f; .reg .u32 %n; .reg .pred %p;\n"
                    "ld.param.u32 %n, [count];\n"
                    "again: fma.rn.f32 %f, %f, %f, %f; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra again;\n"
                    "ret; }") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&first, module, "first") == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&second, module, "second") == abi::CUDA_SUCCESS);
    }
    void launch(abi::CUfunction kernel, unsigned blocks, unsigned count = 1) const {
        void* parameters[]{&count};
        REQUIRE(gpu.driver().LaunchKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    // Two ranges side by side, one of them with one inside, which runs twice.
    void work(gpuprof::scope_target& on, unsigned blocks = 7, unsigned count = 1) const {
        {
            gpuprof::scope const outer{on, "outer"};
            launch(first, 3);
            for (unsigned const each : {5u, 6u}) {
                gpuprof::scope const inner{on, "inner"};
                launch(second, each);
            }
        }
        gpuprof::scope const last{on, "last"};
        launch(second, blocks, count);
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
    ranks::spread_options options = patient();
    // What is wrong with a rank: "dies 2".
    std::string const fault = std::getenv("GPUPROF_TEST_FAULT") != nullptr ? std::getenv("GPUPROF_TEST_FAULT") : "";
    bool const is_faulty = !fault.empty() && std::stoul(fault.substr(fault.rfind(' ') + 1)) == all.rank();
    auto const does = [&](char const* what) { return is_faulty && fault.starts_with(what); };
    if (fault.starts_with("dies") || fault.starts_with("hangs")) options.deadline_ms = 3'000;
    std::string const folder = test::variable_of_rank("GPUPROF_TEST_FOLDER");
    ranks::spread_profiler spread{here.gpu, all, options, list};
    gpuprof::profiler_options at_once;
    at_once.max_ranges = 1;
    gpuprof::profiler other{here.gpu, at_once, gpuprof::metrics::inst_executed};
    auto taken = std::optional<gpuprof::pass_sequence>{};
    if (does("cannot measure")) taken.emplace(other); // holds the counters of the device
    std::size_t executions = 0;
    for ([[maybe_unused]] auto const& pass : spread.passes()) {
        ++executions;
        here.work(spread, does("differs") ? 17 : 7, does("works longer") ? 100 : 1);
        if (executions == 1 && does("dies")) std::_Exit(7);
        for (unsigned i = 0; does("hangs") && !gpuprof::platform::is_there(folder + "/merged"); ++i)
            gpuprof::platform::wait_a_little(i);
    }
    if (does("hangs")) return; // the others ended without it
    auto const report = spread.report();
    std::string const me = std::to_string(all.rank());
    test::leave("executions." + me, std::to_string(executions));
    test::leave("share." + me, std::to_string(spread.share().size()));
    test::leave("groups." + me, std::to_string(spread.groups()));
    if (all.rank() != 0) return;
    std::string told;
    for (auto const& each : report.problems) told += each.message() + "\n";
    test::leave("problems", told);
    test::leave("heard", std::to_string(report.heard));
    gpuprof::save(*report.merged, folder + "/merged");
}

TEST_CASE("spread_profiler: four ranks' report is that of one process that measures all passes") {
    scratch_directory const folder;
    auto const ended = test::run_as_ranks("a rank of a program whose metrics are spread", folder.path(), 4);
    CHECK(ended == std::vector<int>(4, 0));
    auto const alone = measured_alone();
    REQUIRE(alone.complete());
    REQUIRE(alone.completeness().passes_needed >= 3);
    CHECK(test::left_in(folder.path(), "problems") == "");
    CHECK(test::left_in(folder.path(), "heard") == "4");
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

TEST_CASE("spread_profiler: with more ranks than groups each group is measured twice, and the report is the same") {
    scratch_directory const folder;
    auto const ended = test::run_as_ranks("a rank of a program whose metrics are spread", folder.path(), 7);
    CHECK(ended == std::vector<int>(7, 0));
    REQUIRE(std::stoul(test::left_in(folder.path(), "groups.0")) < 7);
    CHECK(test::left_in(folder.path(), "problems") == "");
    check_equal(gpuprof::load_report(folder.path() + "/merged"), measured_alone());
}

namespace {

// What rank 0 of three had to say, with that fault.
struct outcome {
    std::vector<int> ended;
    std::string problems, heard;
    gpuprof::report merged;
    std::size_t missing = 0; // metrics without a value in "last"
};
outcome with_fault(std::string const& fault, std::size_t size = 3) {
    scratch_directory const folder;
    outcome made;
    made.ended = test::run_as_ranks("a rank of a program whose metrics are spread", folder.path(), size,
                                    {{"GPUPROF_TEST_FAULT", fault}});
    made.problems = test::left_in(folder.path(), "problems");
    made.heard = test::left_in(folder.path(), "heard");
    made.merged = gpuprof::load_report(folder.path() + "/merged");
    auto const last = made.merged.try_range("last");
    if (!last) return made;
    for (auto const& each : made.merged.metrics()) made.missing += last->try_value(each.name) ? 0 : 1;
    return made;
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("spread_profiler: a rank that dies is named, and the others end with what they have") {
    auto const found = with_fault("dies 2");
    CHECK(found.ended == std::vector<int>{0, 0, 7});
    CHECK(has(found.problems, "nothing was heard of rank 2 "));
    CHECK(found.heard == "2");
    CHECK(found.merged.metrics().size() == std::size(several_passes));
    CHECK(found.missing > 0);
    CHECK(found.missing < std::size(several_passes));
    CHECK_FALSE(found.merged.complete());
}

TEST_CASE("spread_profiler: a rank that hangs is named, and the others end before it") {
    auto const found = with_fault("hangs 1");
    CHECK(found.ended == std::vector<int>{0, 0, 0});
    CHECK(has(found.problems, "nothing was heard of rank 1 "));
    CHECK(found.heard == "2");
}

TEST_CASE("spread_profiler: a rank that launches something else is named, and its values are not mixed in") {
    auto const found = with_fault("differs 1");
    CHECK(found.ended == std::vector<int>{0, 0, 0});
    CHECK(has(found.problems, "rank 1 did other work than most ranks"));
    CHECK(found.heard == "3");
    CHECK(found.missing > 0);
    auto const last = found.merged.try_range("last");
    REQUIRE(last);
    for (auto const& each : found.merged.metrics()) {
        auto const value = last->try_value(each.name);
        if (!value && has(value.error().message(), "rank 1 did other work")) return;
    }
    FAIL("no metric says that it is missing because of rank 1");
}

TEST_CASE("spread_profiler: a rank that counts more in the same launches is named by the common counter") {
    auto const found = with_fault("works longer 1", 4);
    CHECK(has(found.problems, "rank 1 counted "));
    CHECK(has(found.problems, "for smsp__inst_executed.sum in \"last\""));
}

TEST_CASE("spread_profiler: with a second rank for each group, the one that differs costs nothing") {
    auto const found = with_fault("differs 1", 8);
    CHECK(has(found.problems, "rank 1 did other work than most ranks"));
    CHECK(found.missing == 0);
}

TEST_CASE("spread_profiler: a rank whose counters are taken says so, runs as often as the others, and they have their "
          "values") {
    auto const found = with_fault("cannot measure 2");
    CHECK(found.ended == std::vector<int>{0, 0, 0});
    CHECK(has(found.problems, "rank 2: "));
    CHECK(has(found.problems, "busy"));
    CHECK(found.heard == "3");
    CHECK(found.missing > 0);
    CHECK(found.missing < std::size(several_passes));
}

TEST_CASE("spread_profiler: what no rank can do is an error at once") {
    program const here;
    test::text_store store;
    test::store_ranks alone{store, 0, 1};
    auto const unknown = ranks::spread_profiler::try_create(
        here.gpu, alone, {}, gpuprof::metric<"smsp__inst_executed.sum">, gpuprof::metric<"gpc__cycles_elapsed.max">);
    CHECK(unknown);
    gpuprof::metric_info made_up;
    made_up.name = "smsp__inst_executd.sum";
    gpuprof::metric_info const list[]{made_up};
    auto const wrong =
        ranks::spread_profiler::try_create(here.gpu, alone, {}, std::span<gpuprof::metric_info const>{list});
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == errc::unknown_metric);
    ranks::spread_options options;
    options.measure.keep_counter_data = true;
    auto const kept = ranks::spread_profiler::try_create(here.gpu, alone, options, gpuprof::metrics::inst_executed);
    REQUIRE_FALSE(kept);
    CHECK(kept.error().code == errc::invalid_argument);
}

TEST_CASE("spread_profiler: one rank alone measures all passes") {
    program const here;
    test::text_store store;
    test::store_ranks alone{store, 0, 1};
    auto const list = listed();
    ranks::spread_profiler spread{here.gpu, alone, {}, list};
    for ([[maybe_unused]] auto const& pass : spread.passes()) here.work(spread);
    auto const report = spread.report();
    CHECK(report.complete());
    CHECK(spread.metrics().size() == list.size());
    gpuprof::profiler prof{here.gpu, {}, list};
    for ([[maybe_unused]] auto const& pass : prof.passes()) here.work(prof);
    check_equal(*report.merged, prof.report());
}

} // namespace spread_profiler_test

#endif
