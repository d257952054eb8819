// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report says of the launches in its ranges, and metrics that need no counter, on the embedded GPU.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/io/table.hpp>
#include <gpuprof/sim/open.hpp>

#include "support/driver_kernels.hpp"

namespace launches_test {

namespace abi = gpuprof::abi;
namespace metrics = gpuprof::metrics;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::scope;

namespace {

constexpr auto warps = metrics::warps_launched;

struct measured : with_kernels {
    gpuprof::device gpu = open();
    gpuprof::profiler_options options{};

    template <class Body, class... Metrics>
    gpuprof::report collect(Body body, Metrics... asked) {
        gpuprof::profiler prof{gpu, options, asked...};
        for (gpuprof::pass const pass : prof.passes()) body(prof, pass);
        return prof.report();
    }

private:
    gpuprof::device open() {
        return *gpuprof::device::try_open(gpuprof::sim::embedded_machine(), handle, gpuprof::device_source::embedded);
    }
};

// The only problem of a report.
gpuprof::error problem(gpuprof::report const& of) {
    auto const& list = of.completeness().problems;
    for (auto const& each : list) INFO("problem: ", each.message());
    REQUIRE(list.size() == 1);
    return list.front();
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("launches: a range in which no kernel ran is a problem that names it, unless that is meant") {
    measured on;
    auto const body = [&](gpuprof::profiler& prof, gpuprof::pass) {
        scope frame{prof, "frame"};
        { scope idle{prof, "idle"}; }
        scope step{prof, "step"};
        on.launch("empty", 1, 32);
    };
    auto const why = problem(on.collect(body, warps));
    CHECK(why.code == errc::not_collected);
    CHECK(why.what == "no kernel ran in \"frame/idle\"");
    CHECK(has(why.cause, "device::driver()"));
    on.options.empty_ranges = true;
    auto const meant = on.collect(body, warps);
    CHECK(meant.complete());
    CHECK(meant["frame/step"][warps].value() == 1);
    CHECK(meant["frame/idle"][warps].value() == 0);
}

TEST_CASE("launches: kernels outside of every scope are the reason given for an empty range") {
    measured on;
    auto const why = problem(on.collect(
        [&](gpuprof::profiler& prof, gpuprof::pass) {
            { scope idle{prof, "idle"}; }
            { scope other{prof, "other"}; }
            on.launch("empty", 1, 32);
        },
        warps));
    CHECK(why.what == "no kernel ran in \"idle\", and in 1 other range");
    CHECK(why.cause == "1 kernel was launched outside of every range");
}

TEST_CASE("launches: a refused launch is a problem with its range, configuration, status and reason") {
    measured on;
    auto const too_large = problem(on.collect(
        [&](gpuprof::profiler& prof, gpuprof::pass) {
            scope frame{prof, "frame"};
            on.launch("empty", 3, 2048);
        },
        warps));
    CHECK(too_large.code == errc::launch_failed);
    CHECK(too_large.status == abi::CUDA_ERROR_INVALID_VALUE);
    CHECK(has(too_large.what, "1 launch was refused, the first in \"frame\": empty<<<(3, 1, 1), (2048, 1, 1)>>>: "
                              "CUDA_ERROR_INVALID_VALUE (1)"));
    auto const unsupported = problem(on.collect(
        [&](gpuprof::profiler& prof, gpuprof::pass) {
            scope frame{prof, "frame"};
            on.launch("unsupported", 1, 32);
            on.launch("empty", 1, 32);
        },
        warps));
    CHECK(unsupported.code == errc::launch_failed);
    CHECK(unsupported.status == abi::CUDA_ERROR_NOT_SUPPORTED);
    CHECK(has(unsupported.cause, "kernel unsupported"));
    CHECK(has(unsupported.cause, "stacksave"));
}

TEST_CASE("launches: a kernel that fails is told with kernel, thread, line and address, in the survey and in a pass") {
    for (std::size_t const room : {std::size_t{0}, std::size_t{1}}) { // with and without a survey
        CAPTURE(room);
        with_kernels on;
        auto gpu =
            gpuprof::device::try_open(gpuprof::sim::embedded_machine(), on.handle, gpuprof::device_source::embedded);
        REQUIRE(gpu);
        gpuprof::profiler_options options;
        options.max_ranges = room;
        gpuprof::profiler prof{*gpu, options, warps};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            scope frame{prof, "frame"};
            abi::CUdeviceptr nowhere = 64;
            void* params[]{&nowhere};
            on.launch("store", 1, 32, params);
        }
        auto const& problems = prof.report().completeness().problems;
        REQUIRE_FALSE(problems.empty());
        auto const why = problems.front();
        CAPTURE(why.message());
        CHECK(why.code == errc::device_lost);
        CHECK(has(why.what, "CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
        CHECK(has(why.cause, "illegal address: kernel store, CTA (0, 0, 0), thread (0, 0, 0), PTX line "));
        CHECK(has(why.cause, "0x40"));
    }
}

TEST_CASE("launches: passes that launch different work are a problem, however many passes there are") {
    measured on;
    gpuprof::profiler prof{on.gpu, warps};
    std::size_t measured_passes = 0;
    for (gpuprof::pass const pass : prof.passes()) {
        scope frame{prof, "frame"};
        scope step{prof, "step"}; // two levels: two replay passes
        measured_passes += pass.measured ? 1 : 0;
        for (std::size_t i = 0; i < measured_passes; ++i) on.launch("empty", 1, 32);
        if (measured_passes == 0) on.launch("empty", 1, 32);
    }
    REQUIRE(measured_passes == 2);
    auto const why = problem(prof.report());
    CHECK(why.code == errc::replay_mismatch);
    CHECK(why.what == "replay passes launched different work, first in \"frame\": 1 launch in the first pass, 2 in "
                      "pass 2");
}

TEST_CASE("launches: what CUPTI's only subscriber would have told is said to be missing") {
    measured on;
    abi::CUpti_SubscriberHandle other = nullptr;
    auto const nobody = [](void*, abi::CUpti_CallbackDomain, abi::CUpti_CallbackId, void const*) {};
    REQUIRE(on.gpu.cupti().Subscribe(&other, nobody, nullptr) == abi::CUPTI_SUCCESS);
    auto const report = on.collect(
        [&](gpuprof::profiler& prof, gpuprof::pass) {
            scope idle{prof, "idle"};
        },
        warps, metric<"launch__grid_size">);
    REQUIRE(on.gpu.cupti().Unsubscribe(other) == abi::CUPTI_SUCCESS);
    CHECK(report.complete());
    REQUIRE(report.completeness().unwatched);
    CHECK(report.completeness().unwatched->code == errc::busy);
    CHECK(has(gpuprof::io::table(report), "launches were not watched: busy: cuptiSubscribe"));
    auto const size = report["idle"].try_get(metric<"launch__grid_size">);
    REQUIRE_FALSE(size);
    CHECK(has(size.error().cause, "cuptiSubscribe"));
}

TEST_CASE("launches: a range per kernel bears the kernel's name, and counts its launches") {
    measured on;
    on.options.ranges = gpuprof::range_mode::auto_range;
    on.options.replay = gpuprof::replay_mode::kernel;
    auto const report = on.collect(
        [&](gpuprof::profiler&, gpuprof::pass) {
            on.launch("empty", 1, 32);
            on.launch("bounded", 2, 64);
            on.launch("empty", 5, 32);
        },
        warps, metric<"launch__grid_size">);
    CHECK(report.complete());
    REQUIRE(report.size() == 2);
    CHECK(report.at(0).name() == "empty");
    CHECK(report.at(0).count() == 2);
    CHECK(report["empty"].values(warps) == std::vector{gpuprof::warps{1}, gpuprof::warps{5}});
    CHECK(report["bounded"][warps].value() == 4);
    CHECK(report["bounded"][metric<"launch__grid_size">].value() == 2);
}

TEST_CASE("launches: kernels before and after graphs that are older than the profiler keep their names") {
    measured on;
    on.options.ranges = gpuprof::range_mode::auto_range;
    on.options.replay = gpuprof::replay_mode::kernel;
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(on.driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    on.launch("empty", 3, 32, nullptr, 0, stream);
    on.launch("required", 2, 64, nullptr, 0, stream);
    REQUIRE(on.driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    auto const work = [&](gpuprof::profiler&, gpuprof::pass) {
        on.launch("bounded", 1, 32);
        on.driver.GraphLaunch(executable, nullptr);
        on.launch("empty", 5, 32);
        on.launch("bounded", 7, 64);
    };
    auto const report = on.collect(work, warps);
    auto const why = problem(report);
    CHECK(why.code == errc::not_collected);
    CHECK(why.what == "kernels without names, of 1 launch of a graph");
    CHECK(has(why.cause, "before the profiler"));
    REQUIRE(report.size() == 4);
    CHECK(report["bounded"].values(warps) == std::vector{gpuprof::warps{1}, gpuprof::warps{14}});
    CHECK(report["kernel 1"][warps].value() == 3);
    CHECK(report["kernel 2"][warps].value() == 4);
    CHECK(report["empty"][warps].value() == 5);

    on.options.replay = gpuprof::replay_mode::user;
    auto const unsplit = on.collect(work, warps);
    CHECK(has(problem(unsplit).message(), "replay_mode::kernel"));
    CHECK(on.driver.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(on.driver.GraphDestroy(graph) == abi::CUDA_SUCCESS);
}

TEST_CASE("launches: metrics of the launch, the device and the collection stand beside counters") {
    measured on;
    auto const report = on.collect(
        [&](gpuprof::profiler& prof, gpuprof::pass) {
            scope frame{prof, "frame"};
            {
                scope step{prof, "one"};
                on.launch("empty", 6, 96);
                on.launch("empty", 6, 96);
            }
            scope step{prof, "two"};
            on.launch("empty", 7, 96);
        },
        metric<"launch__grid_size">, warps, metric<"launch__block_size">, metric<"launch__cluster_max_potential_size">,
        metric<"device__attribute_multiprocessor_count">, metric<"profiler__replayer_passes">,
        metric<"derived__avg_thread_executed">, metric<"smsp__thread_inst_executed.sum">,
        metric<"smsp__inst_executed.sum">);
    CHECK(report.complete());
    auto const one = report["frame/one"];
    CHECK(one[metric<"launch__grid_size">].value() == 6);
    CHECK(one[metric<"launch__block_size">].value() == 96);
    CHECK(one[metric<"launch__cluster_max_potential_size">].value() == 8); // ncu 2025.3, an H200: each kernel
    CHECK(one[warps].value() == 2 * 6 * 3);
    CHECK(one[metric<"device__attribute_multiprocessor_count">].value() == 132);
    CHECK(one[metric<"profiler__replayer_passes">].value() == report.completeness().replay_passes);
    CHECK(one[metric<"derived__avg_thread_executed">].value() ==
          one[metric<"smsp__thread_inst_executed.sum">].value() / one[metric<"smsp__inst_executed.sum">].value());
    CHECK(report["frame/two"][metric<"launch__grid_size">].value() == 7);
    auto const unlike = report["frame"].try_get(metric<"launch__grid_size">);
    REQUIRE_FALSE(unlike);
    CHECK(has(unlike.error().cause, "different names or configurations"));
    // Below the table, once for both launch metrics of the outer scope that have no one value.
    auto const text = gpuprof::io::table(report);
    auto const line = text.find("launch__grid_size of frame and ");
    REQUIRE(line != text.npos);
    CHECK(has(text.substr(line, text.find('\n', line) - line), unlike.error().cause));
}

TEST_CASE("launches: without a counter the code runs once, and no session is opened") {
    measured on;
    gpuprof::profiler prof{on.gpu, metric<"launch__registers_per_thread">, metric<"device__attribute_warp_size">,
                           metric<"numa__dev_display_name_all">};
    CHECK(prof.passes_needed() == 0);
    int runs = 0;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        ++runs;
        scope frame{prof, "frame"};
        on.launch("store", 1, 32); // without its parameter: refused
        auto to = on.buffer(64);
        void* params[]{&to};
        on.launch("store", 1, 32, params);
    }
    CHECK(runs == 1);
    auto const report = prof.report();
    CHECK(problem(report).code == errc::launch_failed);
    int registers = 0;
    REQUIRE(on.driver.FuncGetAttribute(&registers, abi::CU_FUNC_ATTRIBUTE_NUM_REGS, on.kernel("store")) ==
            abi::CUDA_SUCCESS);
    CHECK(report["frame"][metric<"launch__registers_per_thread">].value() == registers);
    CHECK(report["frame"][metric<"device__attribute_warp_size">].value() == 32);
    auto const names = report["frame"].try_provided("numa__dev_display_name_all");
    REQUIRE(names);
    REQUIRE(names->instances.size() >= 1);
    auto const as_number = report["frame"].try_value("numa__dev_display_name_all");
    REQUIRE_FALSE(as_number);
    CHECK(has(as_number.error().remedy, "try_provided()"));
}

} // namespace launches_test

#endif
