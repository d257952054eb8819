// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/device_report: GPUs of one process side by side, measured from threads at the same time; table, CSV, JSON.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gpuprof/ranks.hpp>
#include <gpuprof/sim.hpp>

#include "support/paper_report.hpp"

namespace device_report_test {

namespace ranks = gpuprof::ranks;
namespace abi = gpuprof::abi;
using gpuprof::errc;

namespace {

constexpr char const* work = "smsp__inst_executed.sum";
constexpr char const* time = "gpu__time_duration.sum";
constexpr char const* share = "l1tex__t_sector_hit_rate.pct";

gpuprof::report paper(double instructions, double nanoseconds, std::string const& range = "step") {
    return test::paper_report{"GH100", range}
        .set(work, instructions)
        .set(time, nanoseconds)
        .set(share, 50)
        .range()
        .report();
}

} // namespace

TEST_CASE("side_by_side: a row a range and metric has each GPU's value, and the sum of what adds up") {
    std::vector<gpuprof::report> const reports{paper(100, 10), paper(300, 30)};
    ranks::device_report const all = ranks::side_by_side(reports);
    CHECK(all.complete());
    CHECK(all.devices == std::vector<std::string>{"Paper GPU", "Paper GPU"});
    REQUIRE(all.rows.size() == 3);
    auto const instructions = all.try_row("step", work);
    REQUIRE(instructions);
    CHECK(instructions->values == std::vector<double>{100, 300});
    CHECK(instructions->sum() == 400.0);
    CHECK(instructions->all.mean() == doctest::Approx(200));
    CHECK(instructions->all.deviation() == doctest::Approx(100));
    CHECK(instructions->all.highest().front().rank == 1);
    CHECK_FALSE(all.try_row("step", time)->sum().has_value()); // they work at the same time
    CHECK_FALSE(all.try_row("step", share)->sum().has_value());
    auto const none = all.try_row("step", "dram__bytes_read.sum");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::not_collected);
}

TEST_CASE(
    "side_by_side: what a GPU lacks is NaN, in other formats nothing, and its problems are told with its number") {
    auto contents = paper(7, 1, "edge").whole();
    contents.completeness.problems.push_back({errc::busy, 0, "counters are taken"});
    std::vector<gpuprof::report> const reports{paper(100, 10), gpuprof::report{contents}};
    ranks::device_report const all = ranks::side_by_side(reports);
    CHECK_FALSE(all.complete());
    CHECK(all.problems.front().what == "GPU 1: counters are taken");
    auto const edge = all.try_row("edge", work);
    REQUIRE(edge);
    CHECK(std::isnan(edge->values[0]));
    CHECK(edge->values[1] == 7);
    CHECK(edge->sum() == 7.0);
    CHECK(gpuprof::io::csv(all).find("edge,smsp__inst_executed.sum,instruction,,7,7,7,0\r\n") != std::string::npos);
    CHECK(gpuprof::io::json(all).find("\"values\":[null,7],\"sum\":7,") != std::string::npos);
    CHECK(gpuprof::io::table(all).find("missing: busy: GPU 1: counters are taken") != std::string::npos);
    CHECK(ranks::side_by_side({}).rows.empty());
}

TEST_CASE("side_by_side: the table has a column a GPU, and for many the least, the mean and the most") {
    std::vector<gpuprof::report> reports{paper(100, 10), paper(300, 30)};
    std::ostringstream two;
    two << ranks::side_by_side(reports);
    CHECK(two.str().find("2 GPUs: Paper GPU\n") == 0);
    CHECK(two.str().find("GPU 0  GPU 1") != std::string::npos);
    CHECK(two.str().find("step\n") != std::string::npos);
    CHECK(two.str().find("100    300  400  instruction    50 %\n") != std::string::npos);
    for (int i = 0; i < 3; ++i) reports.push_back(paper(100, 10));
    std::string const five = gpuprof::io::table(ranks::side_by_side(reports));
    CHECK(five.find("least  mean  most  most at") != std::string::npos);
    CHECK(five.find("100   140   300  GPU 1") != std::string::npos);
}

TEST_CASE("threads measure on embedded GPUs of their own at the same time, and each counts its own work alone") {
    constexpr unsigned gpus = 3;
    constexpr char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
    std::vector<gpuprof::device> devices;
    for (unsigned i = 0; i < gpus; ++i) {
        auto opened = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::in_passes, i);
        REQUIRE(opened);
        devices.push_back(*std::move(opened));
    }
    std::vector<gpuprof::report> reports(gpus);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < gpus; ++i)
        threads.emplace_back([&, i] {
            gpuprof::device const& gpu = devices[i];
            abi::driver_table const& driver = gpu.driver();
            if (driver.CtxSetCurrent(gpu.context()) != abi::CUDA_SUCCESS) return;
            abi::CUmodule module = nullptr;
            abi::CUfunction nothing = nullptr;
            if (driver.ModuleLoadData(&module, ptx) != abi::CUDA_SUCCESS ||
                driver.ModuleGetFunction(&nothing, module, "nothing") != abi::CUDA_SUCCESS)
                return;
            namespace metrics = gpuprof::metrics;
            auto prof = gpuprof::profiler::try_create(gpu, {}, metrics::warps_launched, metrics::inst_executed);
            if (!prof) return;
            for (auto pass : prof->passes()) {
                gpuprof::scope const step{*prof, "step"};
                for (unsigned launch = 0; launch <= i; ++launch)
                    static_cast<void>(driver.LaunchKernel(nothing, 10, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr));
            }
            if (auto report = prof->try_report()) reports[i] = *std::move(report);
            static_cast<void>(driver.ModuleUnload(module));
        });
    for (std::thread& each : threads) each.join();
    ranks::device_report const all = ranks::side_by_side(reports);
    CHECK(all.source == gpuprof::device_source::embedded);
    auto const warps = all.try_row("step", "smsp__warps_launched.sum");
    REQUIRE(warps);
    CHECK(warps->values == std::vector<double>{20, 40, 60}); // 10 blocks of 2 warps, once, twice, three times
    CHECK(warps->sum() == 120.0);
}

} // namespace device_report_test
