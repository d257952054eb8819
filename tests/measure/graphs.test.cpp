// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report says of launches of graphs, on the embedded GPU: names of their kernels, launch__ metrics, modes.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/callbacks/graph_watch.hpp>
#include <gpuprof/hw/counters/replay_modes.hpp>
#include <gpuprof/sim/open.hpp>

#include "support/driver_kernels.hpp"

namespace graphs_test {

namespace abi = gpuprof::abi;
namespace metrics = gpuprof::metrics;
using gpuprof::errc;
using gpuprof::launched_work;
using gpuprof::measured_as;
using gpuprof::metric;
using gpuprof::range_mode;
using gpuprof::replay_mode;
using gpuprof::scope;

namespace {

constexpr auto warps = metrics::warps_launched;

struct with_graphs : with_kernels {
    with_graphs() {
        for (auto& stream : streams) REQUIRE(driver.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == 0);
        for (auto& event : events) REQUIRE(driver.EventCreate(&event, 0) == 0);
    }
    ~with_graphs() {
        for (abi::CUgraphExec const each : executables) CHECK(driver.GraphExecDestroy(each) == abi::CUDA_SUCCESS);
        for (abi::CUgraph const each : made) CHECK(driver.GraphDestroy(each) == abi::CUDA_SUCCESS);
    }
    void begin() { REQUIRE(driver.StreamBeginCapture(streams[0], abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == 0); }
    void fork() {
        REQUIRE(driver.EventRecord(events[0], streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(driver.StreamWaitEvent(streams[1], events[0], 0) == abi::CUDA_SUCCESS);
    }
    void join() {
        REQUIRE(driver.EventRecord(events[1], streams[1]) == abi::CUDA_SUCCESS);
        REQUIRE(driver.StreamWaitEvent(streams[0], events[1], 0) == abi::CUDA_SUCCESS);
    }
    void add(char const* name, unsigned blocks, unsigned threads, int stream = 0) {
        REQUIRE(launch(name, blocks, threads, nullptr, 0, streams[stream]) == abi::CUDA_SUCCESS);
    }
    abi::CUgraph end() {
        abi::CUgraph graph = nullptr;
        REQUIRE(driver.StreamEndCapture(streams[0], &graph) == abi::CUDA_SUCCESS);
        made.push_back(graph);
        return graph;
    }
    abi::CUgraphExec instantiate(abi::CUgraph graph) {
        abi::CUgraphExec executable = nullptr;
        REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
        executables.push_back(executable);
        return executable;
    }
    // empty<<<3, 96>>>, then required<<<2, 64>>>, then bounded<<<5, 32>>>.
    abi::CUgraph chain() {
        begin();
        add("empty", 3, 96);
        add("required", 2, 64);
        add("bounded", 5, 32);
        return end();
    }
    // One before, two at once, one after both.
    abi::CUgraph diamond(char const* left, char const* right) {
        begin();
        add("empty", 1, 32);
        fork();
        add(left, 2, 64, 0);
        add(right, 2, 64, 1);
        join();
        add("bounded", 7, 32);
        return end();
    }

    template <class... Metrics>
    gpuprof::profiler profiler(range_mode ranges, replay_mode replay, Metrics... more) {
        gpuprof::profiler_options options;
        options.ranges = ranges;
        options.replay = replay;
        return gpuprof::profiler{gpu, options, warps, more...};
    }
    template <class Body>
    static gpuprof::report collect(gpuprof::profiler& prof, Body body) {
        for ([[maybe_unused]] auto const& pass : prof.passes()) body();
        return prof.report();
    }
    void run(abi::CUgraphExec executable) { REQUIRE(driver.GraphLaunch(executable, nullptr) == abi::CUDA_SUCCESS); }

    abi::CUstream streams[2] = {};
    abi::CUevent events[2] = {};
    std::vector<abi::CUgraph> made;
    std::vector<abi::CUgraphExec> executables;
    gpuprof::device gpu =
        *gpuprof::device::try_open(gpuprof::sim::embedded_machine(), handle, gpuprof::device_source::embedded);
};

gpuprof::error problem(gpuprof::report const& of) {
    auto const& list = of.completeness().problems;
    for (auto const& each : list) INFO("problem: ", each.message());
    REQUIRE(list.size() == 1);
    return list.front();
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::vector<std::string> names_of(gpuprof::report const& report) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < report.size(); ++i) names.emplace_back(report.at(i).name());
    return names;
}

constexpr auto each_kernel = range_mode::auto_range;
constexpr auto scopes = range_mode::user_range;
constexpr auto by_cupti = replay_mode::kernel;
constexpr auto by_program = replay_mode::user;

// Nsight Compute's table 2, as this library has its modes.
static_assert(gpuprof::rule_of(scopes, by_program, launched_work::kernel).result == measured_as::whole_range);
static_assert(gpuprof::rule_of(scopes, by_program, launched_work::graph).result == measured_as::whole_range);
static_assert(gpuprof::rule_of(each_kernel, by_program, launched_work::kernel).result == measured_as::single_kernel);
static_assert(gpuprof::rule_of(each_kernel, by_cupti, launched_work::kernel).result == measured_as::single_kernel);
static_assert(gpuprof::rule_of(each_kernel, by_cupti, launched_work::graph).result == measured_as::single_kernel);
static_assert(!gpuprof::go_together(scopes, by_cupti));
static_assert(!gpuprof::go_together(each_kernel, by_program, launched_work::graph));
static_assert(gpuprof::go_together(each_kernel, by_program));

} // namespace

TEST_CASE("graphs: each kernel of a chain has its name, its configuration and its values") {
    with_graphs on;
    auto prof = on.profiler(each_kernel, by_cupti, metric<"launch__grid_size">, metric<"launch__block_size">);
    auto const executable = on.instantiate(on.chain());
    auto const report = with_graphs::collect(prof, [&] {
        on.launch("bounded", 1, 32);
        on.run(executable);
        on.launch("empty", 8, 32);
    });
    CHECK(report.complete());
    CHECK(names_of(report) == std::vector<std::string>{"bounded", "empty", "required"});
    // The kernel before the graph and the node, the node and the kernel after it; 3 blocks of 3 warps.
    CHECK(report["bounded"].values(warps) == std::vector{gpuprof::warps{1}, gpuprof::warps{5}});
    CHECK(report["empty"].values(warps) == std::vector{gpuprof::warps{9}, gpuprof::warps{8}});
    CHECK(report["required"][warps].value() == 4);
    CHECK(report["required"][metric<"launch__grid_size">].value() == 2);
    CHECK(report["required"][metric<"launch__block_size">].value() == 64);
}

TEST_CASE("graphs: a graph that is launched twice has its kernels' names twice") {
    with_graphs on;
    auto prof = on.profiler(each_kernel, by_cupti);
    auto const executable = on.instantiate(on.chain());
    auto const report = with_graphs::collect(prof, [&] {
        on.run(executable);
        on.run(executable);
    });
    CHECK(report.complete());
    CHECK(names_of(report) == std::vector<std::string>{"empty", "required", "bounded"});
    CHECK(report["required"].count() == 2);
}

TEST_CASE("graphs: kernels of branches are numbered, which is a problem that says why, and the others have names") {
    with_graphs on;
    auto prof = on.profiler(each_kernel, by_cupti);
    auto const executable = on.instantiate(on.diamond("empty", "required"));
    auto const report = with_graphs::collect(prof, [&] { on.run(executable); });
    CHECK(names_of(report) == std::vector<std::string>{"empty", "kernel 1", "kernel 2", "bounded"});
    CHECK(report["bounded"][warps].value() == 7);
    auto const why = problem(report);
    CHECK(why.code == errc::not_collected);
    CHECK(why.what == "2 kernels of graphs without names");
    CHECK(has(why.cause, "no certain order"));
    CHECK_FALSE(why.remedy.empty());
}

TEST_CASE("graphs: branches of one kernel with one configuration have its name") {
    with_graphs on;
    auto prof = on.profiler(each_kernel, by_cupti);
    auto const executable = on.instantiate(on.diamond("required", "required"));
    auto const report = with_graphs::collect(prof, [&] { on.run(executable); });
    CHECK(report.complete());
    CHECK(names_of(report) == std::vector<std::string>{"empty", "required", "bounded"});
    CHECK(report["required"].count() == 2);
}

TEST_CASE(
    "graphs: the executable keeps its kernels' names when the graph is destroyed, and forgets them with its end") {
    with_graphs on;
    gpuprof::hw::graph_watch watch;
    REQUIRE(watch.try_begin(on.gpu.machine()));
    abi::CUgraph const graph = on.chain();
    abi::CUgraphExec executable = nullptr;
    REQUIRE(on.driver.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    on.made.clear();
    REQUIRE(on.driver.GraphDestroy(graph) == abi::CUDA_SUCCESS);
    auto const found = watch.find(executable);
    REQUIRE(found.get() != nullptr);
    CHECK(found.get()->unknown.empty());
    REQUIRE(found.get()->kernels.size() == 3);
    CHECK(found.get()->kernels[1].symbol == "required");
    CHECK(found.get()->kernels[1].grid[0] == 2);
    CHECK(found.get()->kernels[1].block[0] == 64);
    CHECK(found.get()->kernels[1].in_order);
    CHECK(found.get()->device_launchable == 0);
    REQUIRE(on.driver.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(watch.find(executable).get() == nullptr);
}

TEST_CASE("graphs: two branches of a copy and a kernel leave the kernels in order if these are a chain") {
    with_graphs on;
    auto const to = on.buffer(64);
    on.begin();
    on.add("empty", 1, 32);
    on.fork();
    REQUIRE(on.driver.MemsetD8Async(to, 1, 8, on.streams[1]) == abi::CUDA_SUCCESS);
    on.add("required", 2, 64);
    on.join();
    on.add("bounded", 3, 32);
    auto const all = gpuprof::hw::kernels_of_graph(on.driver, on.end());
    REQUIRE(all.kernels.size() == 3);
    CHECK(all.unknown.empty());
    for (auto const& each : all.kernels) CHECK(each.in_order);
    CHECK(all.kernels[2].symbol == "bounded");
}

TEST_CASE(
    "graphs: launch metrics of a range with graphs are sums and maxima over kernel nodes and kernels beside them") {
    with_graphs on;
    auto prof = on.profiler(scopes, by_program, metric<"launch__grid_size">, metric<"launch__block_size">,
                            metric<"launch__thread_count">, metric<"launch__device_id">,
                            metric<"launch__occupancy_limit_warps">, metric<"launch__graph_is_device_launchable">,
                            metric<"launch__graph_contains_device_launch">);
    auto const executable = on.instantiate(on.chain());
    auto const report = with_graphs::collect(prof, [&] {
        scope frame{prof, "frame"};
        {
            scope graph{prof, "graph"};
            on.run(executable);
        }
        {
            scope both{prof, "both"};
            on.run(executable);
            on.run(executable);
            on.launch("empty", 4, 128);
        }
        scope kernel{prof, "kernel"};
        on.launch("empty", 4, 128);
    });
    CHECK(report.complete());
    auto const graph = report["frame/graph"];
    CHECK(graph[warps].value() == 3 * 3 + 2 * 2 + 5 * 1);
    CHECK(graph[metric<"launch__grid_size">].value() == 3 + 2 + 5);
    CHECK(graph[metric<"launch__block_size">].value() == 96);
    CHECK(graph[metric<"launch__thread_count">].value() == 3 * 96 + 2 * 64 + 5 * 32);
    CHECK(graph[metric<"launch__device_id">].value() == 0);
    CHECK(graph[metric<"launch__graph_is_device_launchable">].value() == 0);
    CHECK(graph[metric<"launch__graph_contains_device_launch">].value() == 0);
    auto const unlike = graph.try_get(metric<"launch__occupancy_limit_warps">); // 21, 32 and 64
    REQUIRE_FALSE(unlike);
    CHECK(has(unlike.error().cause, "differ"));
    auto const both = report["frame/both"];
    CHECK(both[metric<"launch__grid_size">].value() == 2 * 10 + 4);
    CHECK(both[metric<"launch__block_size">].value() == 128);
    auto const no_graph = report["frame/kernel"].try_get(metric<"launch__graph_is_device_launchable">);
    REQUIRE_FALSE(no_graph);
    CHECK(has(no_graph.error().cause, "no graph"));
}

TEST_CASE("graphs: launch metrics of a graph that is older than the profiler have no value, with the reason") {
    with_graphs on;
    auto const executable = on.instantiate(on.chain());
    auto prof = on.profiler(scopes, by_program, metric<"launch__grid_size">);
    auto const report = with_graphs::collect(prof, [&] {
        scope frame{prof, "frame"};
        on.run(executable);
    });
    auto const size = report["frame"].try_get(metric<"launch__grid_size">);
    REQUIRE_FALSE(size);
    CHECK(has(size.error().cause, "before the profiler was made"));
    CHECK(has(gpuprof::io::table(report), "no value: "));
    CHECK(has(gpuprof::io::table(report), size.error().cause));
}

TEST_CASE("graphs: user ranges with kernel replay are refused when the profiler is made") {
    with_graphs on;
    gpuprof::profiler_options options;
    options.replay = by_cupti;
    auto const refused = gpuprof::profiler::try_create(on.gpu, options, warps);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(has(refused.error().remedy, "range_mode::auto_range"));
    options.ranges = each_kernel;
    CHECK(gpuprof::profiler::try_create(on.gpu, options, warps));
}

TEST_CASE("graphs: a graph under a range a kernel that the program replays is a problem, not without a word") {
    with_graphs on;
    auto prof = on.profiler(each_kernel, by_program);
    auto const executable = on.instantiate(on.chain());
    auto const report = with_graphs::collect(prof, [&] { on.run(executable); });
    auto const why = problem(report);
    CHECK(why.code == errc::not_collected);
    CHECK(why.what == "a range a kernel, of 1 graph");
    CHECK(has(why.remedy, "replay_mode::kernel"));
}

} // namespace graphs_test

#endif
