// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profiler brings on a real GPU when all goes well: values that arithmetic knows, in every way of asking.
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "gpu.hpp"
#include "suite.hpp"

namespace ranges_test {

namespace {

namespace metrics = gpuprof::metrics;
constexpr char warps[] = "smsp__warps_launched.sum";

// Opens a range in a range, `levels` deep; each launches one block before the next.
void nest(gpuprof::profiler& prof, gpu_under_test& gpu, std::size_t levels) {
    if (levels == 0) return;
    gpuprof::scope level{prof, "level"};
    gpu.work(1);
    nest(prof, gpu, levels - 1);
}

void check_nesting(std::size_t levels) {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) nest(prof, *gpu, levels);
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    CHECK(report.completeness().replay_passes == prof.passes_needed() * levels);
    REQUIRE(report.size() == levels);
    std::string path;
    for (std::size_t depth = 1; depth <= levels; ++depth) {
        path += depth == 1 ? "level" : "/level";
        CAPTURE(depth);
        CHECK(report.try_range(path)->depth() == depth);
        CHECK(value_of(report, path, warps) == gpu->warps(static_cast<unsigned>(levels - depth + 1)));
    }
}

TEST_CASE("ranges nest to 4 levels and each holds what is inside it") { check_nesting(4); }
TEST_CASE("ranges nest to 64 levels and each holds what is inside it") { check_nesting(64); }

TEST_CASE("repeated ranges keep their single values and add up") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched, metrics::global_store_requests,
                           metrics::global_store_sectors};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope frame{prof, "frame"};
        for (unsigned blocks = 1; blocks <= 3; ++blocks) {
            gpuprof::scope step{prof, "step"};
            gpu->work(blocks);
        }
    }
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    auto const step = report["frame/step"];
    CHECK(step.count() == 3);
    CHECK(step.try_values(warps).value() == std::vector<double>{gpu->warps(1), gpu->warps(2), gpu->warps(3)});
    CHECK(step[metrics::warps_launched].value() == gpu->warps(1 + 2 + 3));
    CHECK(step[metrics::global_store_requests].value() == gpu->warps(1 + 2 + 3));
    CHECK(step[metrics::global_store_sectors].value() == gpu->sectors(1 + 2 + 3));
    CHECK(value_of(report, "frame", warps) == gpu->warps(1 + 2 + 3));
}

TEST_CASE("merged repetitions give one sum made by the hardware") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler_options options;
    options.merge_repeated = true;
    gpuprof::profiler prof{gpu->device(), options, metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes())
        for (unsigned blocks = 1; blocks <= 3; ++blocks) {
            {
                gpuprof::scope odd{prof, "a"};
                gpu->work(blocks);
            }
            gpuprof::scope even{prof, "b"};
            gpu->work(10 * blocks);
        }
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    CHECK(report["a"].count() == 3);
    CHECK(report["a"].try_values(warps).value() == std::vector<double>{gpu->warps(6)});
    CHECK(report["b"].try_values(warps).value() == std::vector<double>{gpu->warps(60)});
}

TEST_CASE("a survey and declared room give the same values and the survey runs the body once more") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    for (bool const survey : {true, false}) {
        CAPTURE(survey);
        gpuprof::profiler_options options;
        if (!survey) {
            options.max_ranges = 3;
            options.nesting_levels = 2;
        }
        gpuprof::profiler prof{gpu->device(), options, metrics::warps_launched, metrics::global_store_sectors};
        std::size_t executions = 0, unmeasured = 0;
        for (auto const& pass : prof.passes()) {
            CHECK(pass.index == executions);
            ++executions;
            unmeasured += pass.measured ? 0 : 1;
            gpuprof::scope outer{prof, "outer"};
            for (unsigned blocks : {2u, 5u}) {
                gpuprof::scope inner{prof, "inner"};
                gpu->work(blocks);
            }
        }
        auto const report = prof.report();
        REQUIRE(is_complete(report));
        CHECK(unmeasured == (survey ? 1 : 0));
        CHECK(executions == prof.passes_needed() * 2 + unmeasured);
        CHECK(value_of(report, "outer", warps) == gpu->warps(7));
        CHECK(report["outer/inner"].try_values(warps).value() == std::vector<double>{gpu->warps(2), gpu->warps(5)});
    }
}

TEST_CASE("metrics that need several passes are all there after them") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(),
                           metrics::warps_launched,
                           metrics::global_store_inst,
                           metrics::global_load_inst,
                           metrics::shared_load_inst,
                           metrics::local_load_inst,
                           metrics::global_store_requests,
                           metrics::global_store_sectors,
                           metrics::global_load_sectors,
                           metrics::local_load_sectors,
                           metrics::ffma_thread_inst};
    REQUIRE(prof.passes_needed() > 1);
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope one{prof, "work"};
        gpu->work(32);
    }
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    CHECK(report.completeness().replay_passes == prof.passes_needed());
    auto const work = report["work"];
    CHECK(work[metrics::warps_launched].value() == gpu->warps(32));
    CHECK(work[metrics::global_store_inst].value() == gpu->warps(32));
    CHECK(work[metrics::global_store_requests].value() == gpu->warps(32));
    CHECK(work[metrics::global_store_sectors].value() == gpu->sectors(32));
    CHECK(work[metrics::global_load_inst].value() == 0);
    CHECK(work[metrics::global_load_sectors].value() == 0);
    CHECK(work[metrics::ffma_thread_inst].value() == 0);
}

TEST_CASE("a profiler that stays armed collects again, with the same room and with more") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler_options options;
    options.stay_armed = true;
    gpuprof::profiler prof{gpu->device(), options, metrics::warps_launched};
    for (unsigned const ranges : {1u, 1u, 4u}) {
        CAPTURE(ranges);
        for ([[maybe_unused]] auto const& pass : prof.passes())
            for (unsigned i = 0; i < ranges; ++i) {
                gpuprof::scope one{prof, "work"};
                gpu->work(i + 1);
            }
        auto const report = prof.report();
        REQUIRE(is_complete(report));
        CHECK(report["work"].count() == ranges);
        CHECK(value_of(report, "work", warps) == gpu->warps(ranges * (ranges + 1) / 2));
    }
}

TEST_CASE("each kernel is a range, replayed by CUPTI while the body runs once") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    options.max_ranges = 3;
    gpuprof::profiler prof{gpu->device(),
                           options,
                           metrics::warps_launched,
                           metrics::global_store_requests,
                           metrics::global_store_sectors,
                           metrics::ffma_thread_inst};
    std::size_t executions = 0;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        ++executions;
        for (unsigned const blocks : {4u, 2u, 7u}) gpu->work(blocks);
    }
    CHECK(executions == 1);
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    REQUIRE(report.size() == 1); // launches of one kernel are repetitions of the range that bears its name
    CHECK(report.at(0).name() == "work");
    CHECK(report["work"].try_values(warps).value() == std::vector<double>{gpu->warps(4), gpu->warps(2), gpu->warps(7)});
    CHECK(report["work"].try_values("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum").value() ==
          std::vector<double>{gpu->sectors(4), gpu->sectors(2), gpu->sectors(7)});
}

TEST_CASE("kernels of a graph have their names and configurations, in the order of the graph's nodes") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    namespace abi = gpuprof::abi;
    auto const& driver = gpu->device().driver();
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    gpuprof::profiler each{gpu->device(), options, metrics::warps_launched, gpuprof::metric<"launch__grid_size">};
    gpuprof::profiler whole{gpu->device(), metrics::warps_launched, gpuprof::metric<"launch__grid_size">,
                            gpuprof::metric<"launch__graph_is_device_launchable">};
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    // A GPU counts the kernels of a graph one by one only if it is instantiated while counters are measured.
    for ([[maybe_unused]] auto const& pass : each.passes()) {
        REQUIRE(driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
        for (unsigned const blocks : {4u, 2u, 7u}) gpu->work_in(stream, blocks);
        REQUIRE(driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
        REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
        REQUIRE(driver.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
    }
    auto const kernels = each.report();
    REQUIRE(is_complete(kernels));
    REQUIRE(kernels.size() == 1);
    CHECK(kernels.at(0).name() == "work");
    CHECK(kernels["work"].try_values(warps).value() ==
          std::vector<double>{gpu->warps(4), gpu->warps(2), gpu->warps(7)});
    CHECK(kernels["work"].try_values("launch__grid_size").value() == std::vector<double>{4, 2, 7});

    for ([[maybe_unused]] auto const& pass : whole.passes()) {
        gpuprof::scope all{whole, "graph"};
        REQUIRE(driver.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
    }
    auto const range = whole.report();
    REQUIRE(is_complete(range));
    CHECK(value_of(range, "graph", warps) == gpu->warps(4 + 2 + 7));
    CHECK(value_of(range, "graph", "launch__grid_size") == 4 + 2 + 7);
    CHECK(value_of(range, "graph", "launch__graph_is_device_launchable") == 0);
    CHECK(driver.StreamSynchronize(stream) == abi::CUDA_SUCCESS);
    CHECK(driver.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(driver.GraphDestroy(graph) == abi::CUDA_SUCCESS);
    CHECK(driver.StreamDestroy(stream) == abi::CUDA_SUCCESS);
}

TEST_CASE("measure gives typed values of one call") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    auto const m =
        gpuprof::measure<"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                         "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum">(gpu->device(), [&] { gpu->work(16); });
    CHECK(m.source() == gpuprof::device_source::hardware);
    CHECK(m[metrics::global_store_requests].value() == gpu->warps(16));
    CHECK(m.get<0>().value() == gpu->sectors(16));
    CHECK(m.ratio(0, 1).value() == 4.0);
}

TEST_CASE("scopes that feed a timeline too are recorded in every replay pass") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::timeline line;
    gpuprof::profiler_options options;
    options.record = &line;
    gpuprof::profiler prof{gpu->device(), options, metrics::warps_launched};
    std::size_t executions = 0;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        ++executions;
        gpuprof::scope outer{prof, "outer"};
        gpuprof::scope inner{prof, "inner"};
        gpu->work(1);
    }
    REQUIRE(is_complete(prof.report()));
    CHECK(line.dropped() == 0);
    std::vector<gpuprof::timeline_record> records;
    line.visit([&](gpuprof::timeline_record const& each) { records.push_back(each); });
    REQUIRE(records.size() == 2 * executions);
    for (std::size_t i = 0; i < records.size(); i += 2) { // in the order of closing
        CHECK(std::string(records[i].name, records[i].name_size) == "inner");
        CHECK(std::string(records[i + 1].name, records[i + 1].name_size) == "outer");
        CHECK(records[i + 1].begin_ns <= records[i].begin_ns);
        CHECK(records[i].begin_ns <= records[i].end_ns);
        CHECK(records[i].end_ns <= records[i + 1].end_ns);
    }
}

TEST_CASE("every kernel of the conformance suite launches the warps of its grid") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    kernel_suite suite{gpu->device(), GPUPROF_TEST_SOURCE_DIR "/hardware"};
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes())
        for (std::size_t at = 0; at < std::size(suite_kernels); ++at) {
            gpuprof::scope one{prof, suite_kernels[at].name};
            suite.launch(at);
        }
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    for (kernel_launch const& each : suite_kernels) {
        INFO(std::string{each.name});
        CHECK(value_of(report, each.name, warps) == static_cast<double>(each.warps()));
    }
}

} // namespace

} // namespace ranges_test
