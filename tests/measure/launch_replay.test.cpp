// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::launch: gpuprof makes each launching call once a pass, and the application sees one execution.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace launch_replay_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::errc;
using gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;
constexpr char const* instructions_name = "smsp__inst_executed.sum";
constexpr char const* multiplied = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";

namespace {

// grow: one thread multiplies as often as the word says, and doubles the word. tall: one multiplication a thread, no memory.
constexpr char kernels_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry grow(.param .u64 word) {
    .reg .u32 %n<3>; .reg .u64 %a<3>; .reg .f32 %f<2>; .reg .pred %p<1>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    ld.global.u32 %n0, [%a1];
    mov.u32 %n1, %n0;
    mov.f32 %f0, 0f3F800000;
more:
    fma.rn.f32 %f0, %f0, %f0, %f0;
    sub.u32 %n1, %n1, 1;
    setp.ne.u32 %p0, %n1, 0;
    @%p0 bra more;
    shl.b32 %n2, %n0, 1;
    st.global.u32 [%a1], %n2;
    ret;
}
.visible .entry tall() { .reg .f32 %f; fma.rn.f32 %f, %f, %f, %f; ret; }
.visible .entry ncclDevKernel_AllReduce() { ret; }
)";

struct program {
    explicit program(gpuprof::device opened) : gpu{std::move(opened)}, d{gpu.driver()} {
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module, kernels_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemAlloc(&word, 1 << 16) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemsetD8(word, 0, 1 << 16) == abi::CUDA_SUCCESS);
        set(8);
    }
    explicit program(char const* chip = "gh100")
        : program{sim::open_embedded(chip, sim::collection::in_passes).value()} {}
    ~program() {
        d.MemFree(word);
        d.ModuleUnload(module);
        abi::CUcontext popped = nullptr;
        d.CtxPopCurrent(&popped);
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;

    abi::CUfunction kernel(char const* name) {
        abi::CUfunction found = nullptr;
        REQUIRE(d.ModuleGetFunction(&found, module, name) == abi::CUDA_SUCCESS);
        return found;
    }
    void grow(abi::CUstream stream = nullptr) { grow_at(word, stream); }
    void grow_at(abi::CUdeviceptr at, abi::CUstream stream = nullptr) {
        void* arguments[]{&at};
        REQUIRE(d.LaunchKernel(kernel("grow"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == abi::CUDA_SUCCESS);
    }
    void tall(unsigned blocks, abi::CUstream stream = nullptr) {
        REQUIRE(d.LaunchKernel(kernel("tall"), blocks, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    void set(std::uint32_t value) { REQUIRE(d.MemcpyHtoD(word, &value, 4) == abi::CUDA_SUCCESS); }
    std::uint32_t read() {
        std::uint32_t found = 0;
        REQUIRE(d.MemcpyDtoH(&found, word, 4) == abi::CUDA_SUCCESS);
        return found;
    }

    gpuprof::device gpu;
    abi::driver_table const& d;
    abi::CUmodule module = nullptr;
    abi::CUdeviceptr word = 0;
};

gpuprof::profiler_options by_launch() {
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::launch;
    options.replay_deadline_ms = 2'000;
    return options;
}

template <class Body>
gpuprof::report collect(gpuprof::profiler& prof, Body body) {
    std::size_t bodies = 0;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        body();
        ++bodies;
    }
    CHECK(bodies == 1);
    return prof.report();
}

// Instructions of `grow` with that word, measured alone in one pass.
double instructions_of_grow(program& of, std::uint32_t word) {
    of.set(word);
    gpuprof::profiler_options options;
    options.max_ranges = 1;
    gpuprof::profiler prof{of.gpu, options, instructions};
    REQUIRE(prof.passes_needed() == 1);
    auto const report = collect(prof, [&] {
        gpuprof::scope const range{prof, "grow"};
        of.grow();
    });
    return report["grow"].try_value(instructions_name).value().value;
}

std::string text_of(gpuprof::report const& of) {
    std::string all;
    for (auto const& problem : of.completeness().problems) all += problem.message() + "\n";
    return all;
}

} // namespace

TEST_CASE("launch replay: a kernel that changes its input measures the same input in each pass, and is executed once") {
    program app;
    double const of_8 = instructions_of_grow(app, 8), of_16 = instructions_of_grow(app, 16);
    REQUIRE(of_8 < of_16);
    app.set(8);
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    REQUIRE(prof.passes_needed() == 2);
    auto const report = collect(prof, [&] {
        app.grow();
        CHECK(app.read() == 16);
        app.grow();
    });
    CHECK(text_of(report) == "");
    CHECK(app.read() == 32);
    REQUIRE(report.size() == 1);
    auto const grown = report["grow"];
    REQUIRE(grown.count() == 2);
    CHECK(grown.try_values(instructions_name).value() == std::vector<double>{of_8, of_16});
    CHECK(grown.try_values(multiplied).value() == std::vector<double>{8, 16});
    CHECK(report.completeness().memory_restores == 4); // before each pass of each launch
    CHECK(report.completeness().replay_passes == 2);
}

TEST_CASE("launch replay: two kernels whose launches alternate, in two streams") {
    program app;
    abi::CUstream other = nullptr;
    REQUIRE(app.d.StreamCreate(&other, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        for (unsigned blocks : {1u, 2u, 3u}) {
            app.grow();
            app.tall(blocks, other);
        }
    });
    CHECK(text_of(report) == "");
    CHECK(app.read() == 64);
    REQUIRE(report.size() == 2);
    CHECK(report.at(0).name() == "grow");
    CHECK(report["grow"].try_values(multiplied).value() == std::vector<double>{8, 16, 32});
    CHECK(report["tall"].try_values(multiplied).value() == std::vector<double>{32, 64, 96});
    CHECK(report["tall"].launches().kernels == 3);
    CHECK(app.d.StreamDestroy(other) == abi::CUDA_SUCCESS);
}

TEST_CASE("launch replay: launches of several threads are measured one at a time") {
    program app;
    constexpr std::size_t threads = 4, times = 3;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        std::vector<std::thread> all;
        abi::CUfunction const kernel = app.kernel("tall");
        for (std::size_t i = 0; i < threads; ++i)
            all.emplace_back([&] {
                app.d.CtxPushCurrent(app.gpu.context());
                for (std::size_t n = 0; n < times; ++n)
                    app.d.LaunchKernel(kernel, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
            });
        for (auto& each : all) each.join();
    });
    CHECK(text_of(report) == "");
    CHECK(report["tall"].try_values(multiplied).value() == std::vector<double>(threads * times, 64));
}

TEST_CASE("launch replay: without a deadline the application's own launch is the first pass, and nothing is saved for "
          "one pass") {
    static std::size_t copies = 0;
    static decltype(abi::driver_table::MemcpyDtoD) copy = nullptr;
    copies = 0;
    static gpuprof::hw::machine counting = sim::embedded_machine();
    copy = counting.driver.MemcpyDtoD;
    counting.driver.MemcpyDtoD = [](abi::CUdeviceptr to, abi::CUdeviceptr from, std::size_t bytes) {
        ++copies;
        return copy(to, from, bytes);
    };
    int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
    program app{gpuprof::device::try_open(counting, ordinal, gpuprof::device_source::embedded).value()};
    auto options = by_launch();
    options.replay_deadline_ms = 0;
    {
        gpuprof::profiler prof{app.gpu, options, instructions};
        REQUIRE(prof.passes_needed() == 1);
        auto const report = collect(prof, [&] { app.grow(); });
        CHECK(text_of(report) == "");
        CHECK(report.completeness().memory_restores == 0);
        CHECK(copies == 0);
        CHECK(report["grow"].try_value(instructions_name));
        CHECK(app.read() == 16);
    }
    {
        gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] { app.grow(); });
        CHECK(report.completeness().memory_restores == 1); // before the second pass
        CHECK(report["grow"].try_value(multiplied).value().value == 16);
        CHECK(copies != 0); // they are counted
        CHECK(app.read() == 32);
    }
    copies = 0;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions};
    auto const report = collect(prof, [&] { app.grow(); });
    CHECK(text_of(report) == "");
    CHECK(report.completeness().memory_restores == 1); // the application's own launch showed that it ends
    CHECK(copies != 0);
    CHECK(report["grow"].count() == 1);
    CHECK(app.read() == 64);
    counting.driver.MemcpyDtoD = copy;
}

namespace {

// Times and cycles of `tall` in 3 blocks, which reaches no memory, so that caches do not matter; and what `grow` multiplies.
std::vector<double> times_by(program& of, gpuprof::replay_mode how, unsigned deadline_ms) {
    of.set(8);
    auto options = by_launch();
    options.replay = how;
    options.replay_deadline_ms = deadline_ms;
    gpuprof::profiler prof{of.gpu,
                           options,
                           gpuprof::metric<"gpc__cycles_elapsed.max">,
                           gpuprof::metrics::gpu_time_duration,
                           gpuprof::metrics::dram_bytes_read,
                           ffma_thread_inst};
    auto const report = collect(prof, [&] {
        of.grow();
        of.tall(3);
    });
    CHECK(text_of(report) == "");
    std::vector<double> found;
    for (char const* const metric : {"gpc__cycles_elapsed.max", "gpu__time_duration.sum", multiplied})
        found.push_back(report["tall"].try_value(metric).value().value);
    found.push_back(report["grow"].try_value(multiplied).value().value);
    return found;
}

// Configurations that a profiler of launches gave to the range profiler; each of which fails, or has no range, if so told.
struct listed_configurations {
    struct configuration {
        abi::CUpti_ProfilerRange range;
        abi::CUpti_ProfilerReplayMode replay;
        bool operator==(configuration const&) const = default;
    };
    inline static std::vector<configuration> list;
    inline static bool refuses_auto = false, hides_auto = false;
    inline static abi::cupti_table working{};
    static gpuprof::device open() {
        static gpuprof::hw::machine listing = [] {
            gpuprof::hw::machine made = sim::embedded_machine();
            working = made.cupti;
            made.cupti.RangeProfilerSetConfig = [](abi::CUpti_RangeProfiler_SetConfig_Params* params) {
                if (refuses_auto && params->range == abi::CUPTI_AutoRange) return abi::CUPTI_ERROR_NOT_SUPPORTED;
                list.push_back({params->range, params->replayMode});
                return working.RangeProfilerSetConfig(params);
            };
            made.cupti.RangeProfilerGetCounterDataInfo =
                [](abi::CUpti_RangeProfiler_GetCounterDataInfo_Params* params) {
                    auto const status = working.RangeProfilerGetCounterDataInfo(params);
                    if (hides_auto && list.back().range == abi::CUPTI_AutoRange) params->numTotalRanges = 0;
                    return status;
                };
            return made;
        }();
        list.clear();
        int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
        return gpuprof::device::try_open(listing, ordinal, gpuprof::device_source::embedded).value();
    }
};

} // namespace

TEST_CASE("launch replay: a kernel's range is the kernel alone, with the times that CUPTI's kernel replay has") {
    for (char const* const name : {"sim:gh100,passes", "sim:gh100,passes,target"}) {
        CAPTURE(name);
        program app{gpuprof::open_device(name)};
        (void)times_by(app, gpuprof::replay_mode::kernel, 2'000); // code that was never there takes longer to come
        auto const by_kernel = times_by(app, gpuprof::replay_mode::kernel, 2'000);
        CHECK(by_kernel[0] > 0);
        CHECK(by_kernel[1] > 0);
        CHECK(by_kernel[2] == 96);
        CHECK(by_kernel[3] == 8);
        CHECK(times_by(app, gpuprof::replay_mode::launch, 2'000) == by_kernel);
        CHECK(times_by(app, gpuprof::replay_mode::launch, 0) == by_kernel);
        CHECK(app.read() == 16);
    }
}

TEST_CASE("launch replay: launches of kernels are CUPTI's automatic ranges, and graphs are ranges of gpuprof's") {
    program app{listed_configurations::open()};
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(app.d.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        REQUIRE(app.d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
        app.grow(stream);
        app.tall(5, stream);
        REQUIRE(app.d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
        listed_configurations::list.clear(); // the first one only tries whether there is room
        app.tall(1);
        REQUIRE(app.d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
        app.tall(2);
    });
    CHECK(text_of(report) == "");
    using configuration = listed_configurations::configuration;
    std::vector<configuration> const expected{{abi::CUPTI_AutoRange, abi::CUPTI_UserReplay},
                                              {abi::CUPTI_UserRange, abi::CUPTI_UserReplay},
                                              {abi::CUPTI_AutoRange, abi::CUPTI_UserReplay}};
    CHECK(listed_configurations::list == expected);
    CHECK(report["tall"].try_values(multiplied).value() == std::vector<double>{32, 64});
    CHECK(report["graph 0"].try_value(multiplied).value().value == 8 + 5 * 32);
    CHECK(app.read() == 16);
    CHECK(app.d.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
    CHECK(app.d.StreamDestroy(stream) == abi::CUDA_SUCCESS);
}

TEST_CASE("launch replay: hardware without ranges of single kernels counts with ranges around launches, and says so") {
    program app{listed_configurations::open()};
    bool refuses = false;
    SUBCASE("the configuration is refused") { refuses = true; }
    SUBCASE("the kernel has no range") {}
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        (refuses ? listed_configurations::refuses_auto : listed_configurations::hides_auto) = true;
        app.grow();
        app.grow();
    });
    listed_configurations::refuses_auto = listed_configurations::hides_auto = false;
    REQUIRE(report.completeness().problems.size() == 1);
    auto const& problem = report.completeness().problems[0];
    CHECK(problem.what == "ranges of kernels hold what launches them, too");
    CHECK(problem.remedy.find("replay_mode::kernel") != std::string::npos);
    if (refuses) {
        CHECK(problem.code == errc::unavailable);
        CHECK(problem.status == abi::CUPTI_ERROR_NOT_SUPPORTED);
    } else {
        CHECK(problem.code == errc::not_collected);
    }
    CHECK(report["grow"].try_values(multiplied).value() == std::vector<double>{8, 16});
    CHECK(app.read() == 32);
}

TEST_CASE("launch replay: caches are flushed before each pass, or left") {
    program app;
    constexpr auto missed = gpuprof::metric<"lts__t_sectors_op_read_lookup_miss.sum">;
    auto options = by_launch();
    auto const misses = [&](gpuprof::cache_control caches) {
        options.caches = caches;
        gpuprof::profiler prof{app.gpu, options, missed, ffma_thread_inst, instructions};
        auto const report = collect(prof, [&] {
            app.grow();
            app.set(8);
            app.grow();
        });
        CHECK(text_of(report) == "");
        CHECK(report.completeness().cache_flushes ==
              (caches == gpuprof::cache_control::flush ? 2 * prof.passes_needed() : 0));
        return report["grow"].try_values("lts__t_sectors_op_read_lookup_miss.sum").value()[1];
    };
    CHECK(misses(gpuprof::cache_control::flush) > misses(gpuprof::cache_control::leave));
}

TEST_CASE("launch replay: a graph is one piece of work, with the sums of its kernels") {
    program app;
    abi::CUstream stream = nullptr;
    REQUIRE(app.d.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    auto options = by_launch();
    constexpr auto grid = gpuprof::metric<"launch__grid_size">;
    gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst, grid};
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    auto const report = collect(prof, [&] {
        REQUIRE(app.d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
        app.grow(stream);
        app.tall(5, stream);
        REQUIRE(app.d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
        CHECK(app.read() == 8); // a capture runs nothing
        REQUIRE(app.d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
        CHECK(app.read() == 16);
        REQUIRE(app.d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
        app.tall(1);
    });
    CHECK(text_of(report) == "");
    CHECK(app.read() == 32);
    REQUIRE(report.size() == 2);
    auto const whole = report["graph 0"];
    CHECK(whole.try_values(multiplied).value() == std::vector<double>{8 + 5 * 32, 16 + 5 * 32});
    CHECK(whole.try_value("launch__grid_size").value().value == 6); // of both nodes
    CHECK(report["tall"].try_value(multiplied).value().value == 32);
    CHECK(app.d.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
    CHECK(app.d.StreamDestroy(stream) == abi::CUDA_SUCCESS);
}

namespace {

// A graph of what `body` gives a stream.
struct captured_graph {
    template <class Body>
    captured_graph(program& in, Body body) : d{in.d} {
        REQUIRE(d.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        REQUIRE(d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
        body(stream);
        REQUIRE(d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
        REQUIRE(d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    }
    ~captured_graph() {
        d.GraphExecDestroy(executable);
        d.GraphDestroy(graph);
        d.StreamDestroy(stream);
    }
    captured_graph(captured_graph const&) = delete;
    captured_graph& operator=(captured_graph const&) = delete;
    void launch() { REQUIRE(d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS); }

    abi::driver_table const& d;
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
};

} // namespace

TEST_CASE("launch replay: a graph that copies and fills is repeated, with the memory put back that its nodes write") {
    program app;
    // Words in allocations of their own, which no kernel has as an argument, except for the last.
    std::uint32_t const before[]{11, 22, 33, 44, 55, 0};
    abi::CUdeviceptr words[6]{};
    for (std::size_t i = 0; i < 6; ++i) {
        REQUIRE(app.d.MemAlloc(&words[i], 4) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemcpyHtoD(words[i], &before[i], 4) == abi::CUDA_SUCCESS);
    }
    std::uint32_t const on_host = 6;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    REQUIRE(prof.passes_needed() == 2);
    captured_graph graph{app, [&](abi::CUstream stream) {
                             // The first two change places by the third: run twice, they would be where they were.
                             REQUIRE(app.d.MemcpyDtoDAsync(words[2], words[0], 4, stream) == abi::CUDA_SUCCESS);
                             REQUIRE(app.d.MemcpyDtoDAsync(words[0], words[1], 4, stream) == abi::CUDA_SUCCESS);
                             REQUIRE(app.d.MemcpyDtoDAsync(words[1], words[2], 4, stream) == abi::CUDA_SUCCESS);
                             // The fifth gets what the fourth was before it is filled.
                             REQUIRE(app.d.MemcpyDtoDAsync(words[4], words[3], 4, stream) == abi::CUDA_SUCCESS);
                             REQUIRE(app.d.MemsetD32Async(words[3], 77, 1, stream) == abi::CUDA_SUCCESS);
                             REQUIRE(app.d.MemcpyHtoDAsync(words[5], &on_host, 4, stream) == abi::CUDA_SUCCESS);
                             app.grow_at(words[5], stream);
                         }};
    auto const report = collect(prof, [&] { graph.launch(); });
    CHECK(text_of(report) == "");
    CHECK(report.completeness().memory_restores == 1);
    CHECK(report["graph 0"].try_value(multiplied).value().value == 6);
    std::uint32_t const after[]{22, 11, 11, 77, 44, 12};
    for (std::size_t i = 0; i < 6; ++i) {
        CAPTURE(i);
        std::uint32_t found = 0;
        REQUIRE(app.d.MemcpyDtoH(&found, words[i], 4) == abi::CUDA_SUCCESS);
        CHECK(found == after[i]);
        CHECK(app.d.MemFree(words[i]) == abi::CUDA_SUCCESS);
    }
}

TEST_CASE("launch replay: a graph with another node is counted in one pass, and the report names the node") {
    program app;
    std::uint32_t on_host = 0;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    std::string_view cause;
    auto const report_of = [&](auto body) {
        captured_graph graph{app, [&](abi::CUstream stream) {
                                 app.grow(stream);
                                 body(stream);
                             }};
        return collect(prof, [&] { graph.launch(); });
    };
    gpuprof::report const report = [&] {
        SUBCASE("a copy to the host") {
            cause = "a node of the graph copies to memory of the host";
            auto made = report_of([&](abi::CUstream stream) {
                REQUIRE(app.d.MemcpyDtoHAsync(&on_host, app.word, 4, stream) == abi::CUDA_SUCCESS);
            });
            CHECK(on_host == 16);
            return made;
        }
        SUBCASE("a function of the host") {
            cause = "a node of the graph is a function of the host";
            return report_of([&](abi::CUstream stream) {
                auto const add = [](void* to) { ++*static_cast<std::uint32_t*>(to); };
                REQUIRE(app.d.LaunchHostFunc(stream, add, &on_host) == abi::CUDA_SUCCESS);
            });
        }
        SUBCASE("without one it is repeated") {}
        return report_of([](abi::CUstream) {});
    }();
    if (cause.empty()) {
        CHECK(report.complete());
        CHECK(app.read() == 16);
        return;
    }
    CHECK(on_host != 0);
    CHECK(app.read() == 16); // run once
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].cause == cause);
    CHECK(report.completeness().problems[0].what ==
          "a graph: 1 launch was not repeated: what one pass counts is there");
}

namespace {

// The embedded GPU runs a kernel within the launching call. Here events say that it still runs until the host lets it go: those
// that are recorded after the next launch.
struct slow_machine {
    inline static int records_until_waiting = 0; // 0: nothing waits
    inline static bool is_waiting = false;
    inline static decltype(abi::driver_table::EventQuery) really_query = nullptr;
    inline static decltype(abi::driver_table::EventRecord) really_record = nullptr;
    static void wait_from_next_launch() { records_until_waiting = 2; } // the one before it, and the one after it
    static void let_go() { is_waiting = false; }
    static gpuprof::device open() {
        static gpuprof::hw::machine slow = [] {
            gpuprof::hw::machine made = sim::embedded_machine();
            really_query = made.driver.EventQuery;
            really_record = made.driver.EventRecord;
            made.driver.EventRecord = [](abi::CUevent event, abi::CUstream stream) {
                if (records_until_waiting != 0 && --records_until_waiting == 0) is_waiting = true;
                return really_record(event, stream);
            };
            made.driver.EventQuery = [](abi::CUevent event) {
                return is_waiting ? abi::CUDA_ERROR_NOT_READY : really_query(event);
            };
            return made;
        }();
        int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
        return gpuprof::device::try_open(slow, ordinal, gpuprof::device_source::embedded).value();
    }
};

} // namespace

TEST_CASE(
    "launch replay: a kernel that waits for the host ends in time with its reason, and later launches are measured") {
    program app{slow_machine::open()};
    auto options = by_launch();
    options.replay_deadline_ms = 60;
    gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
    auto const began = gpuprof::platform::monotonic_nanoseconds();
    auto const report = collect(prof, [&] {
        slow_machine::wait_from_next_launch();
        app.grow();  // waits for what the host does below
        app.tall(1); // beside it
        slow_machine::let_go();
        CHECK(app.read() == 16); // once
        app.tall(2);
    });
    auto const took = (gpuprof::platform::monotonic_nanoseconds() - began) / 1'000'000;
    CHECK(took >= 60);
    CHECK(took < 5'000);
    REQUIRE(report.completeness().problems.size() == 2);
    auto const& waiting = report.completeness().problems[0];
    CHECK(waiting.code == errc::not_collected);
    CHECK(waiting.what == "grow<<<(1, 1, 1), (1, 1, 1)>>>: 1 launch was not measured");
    CHECK(waiting.cause == "it had not ended after 60 ms: it may wait for the host, or for a launch that comes later");
    CHECK(waiting.remedy.find("replay_mode::application") != std::string::npos);
    CHECK(waiting.remedy.find("scopes") != std::string::npos);
    CHECK(report.completeness().problems[1].cause == "a launch before it was given up and still ran");
    CHECK_FALSE(report["grow"].try_value(instructions_name));
    CHECK(report["grow"].launches().kernels == 1);
    auto const beside = report["tall"].try_values(multiplied).value();
    REQUIRE(beside.size() == 2);
    CHECK(beside[0] != beside[0]); // not measured
    CHECK(beside[1] == 64);        // by all passes: the ones left open do not count for it
    CHECK(report["tall"].try_values(instructions_name).value()[1] > 0);
}

TEST_CASE("launch replay: a kernel that never ends keeps neither the loop nor the profiler") {
    {
        program app{slow_machine::open()};
        auto options = by_launch();
        options.replay_deadline_ms = 30;
        gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] {
            slow_machine::wait_from_next_launch();
            app.grow();
        });
        CHECK(text_of(report).find("it had not ended after 30 ms") != std::string::npos);
        gpuprof::profiler next{app.gpu, options, instructions};
        auto const refused = collect(next, [&] { app.grow(); });
        CHECK(refused.completeness().problems.at(0).code == errc::busy); // the counters of that context stay taken
    }
    slow_machine::let_go();
}

TEST_CASE("launch replay: a kernel of NCCL that still runs is not waited for inside CUPTI") {
    program app{slow_machine::open()};
    auto options = by_launch();
    options.replay_deadline_ms = 40;
    gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        slow_machine::records_until_waiting = 1; // nothing is marked before it
        REQUIRE(app.d.LaunchKernel(app.kernel("ncclDevKernel_AllReduce"), 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr,
                                   nullptr) == abi::CUDA_SUCCESS);
        app.tall(1);
        app.tall(1);
        slow_machine::let_go();
        app.tall(2);
    });
    REQUIRE(report.completeness().problems.size() == 2);
    CHECK(report.completeness().problems[1].what == "tall<<<(1, 1, 1), (32, 1, 1)>>>: 2 launches were not measured");
    CHECK(report.completeness().problems[1].cause == "work before it had not ended after 40 ms");
    CHECK(report["tall"].try_values(multiplied).value()[2] == 64);
}

TEST_CASE("launch replay: what cannot be repeated says why, and what one pass counts is there") {
    program app;
    auto const only = [&](auto body) {
        gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
        return collect(prof, body);
    };
    SUBCASE("memory of the host") {
        void* pinned = nullptr;
        REQUIRE(app.d.MemAllocHost(&pinned, 64) == abi::CUDA_SUCCESS);
        *static_cast<std::uint32_t*>(pinned) = 4;
        abi::CUdeviceptr at = 0;
        REQUIRE(app.d.MemHostGetDevicePointer(&at, pinned, 0) == abi::CUDA_SUCCESS);
        auto const report = only([&] {
            app.grow_at(at);
            app.tall(1);
        });
        CHECK(*static_cast<std::uint32_t*>(pinned) == 8);
        REQUIRE(report.completeness().problems.size() == 1);
        auto const& why = report.completeness().problems[0];
        CHECK(why.what == "grow<<<(1, 1, 1), (1, 1, 1)>>>: 1 launch was not repeated: what one pass counts is there");
        CHECK(why.cause == "it reaches memory of the host, which the program may use meanwhile");
        bool const first = report["grow"].try_value(instructions_name).has_value(),
                   second = report["grow"].try_value(multiplied).has_value();
        CHECK(first != second); // one of the two passes
        CHECK(report["tall"].try_value(instructions_name));
        CHECK(report["tall"].try_value(multiplied).value().value == 32);
        CHECK(app.d.MemFreeHost(pinned) == abi::CUDA_SUCCESS);
    }
    SUBCASE("kernels that wait for other GPUs") {
        auto const report = only([&] {
            for (int i = 0; i < 2; ++i)
                REQUIRE(app.d.LaunchKernel(app.kernel("ncclDevKernel_AllReduce"), 1, 1, 1, 32, 1, 1, 0, nullptr,
                                           nullptr, nullptr) == abi::CUDA_SUCCESS);
        });
        REQUIRE(report.completeness().problems.size() == 1);
        CHECK(report.completeness().problems[0].what ==
              "ncclDevKernel_AllReduce<<<(1, 1, 1), (32, 1, 1)>>>: 2 launches were not measured");
        CHECK(report["ncclDevKernel_AllReduce"].count() == 2);
    }
    SUBCASE("a graph that the profiler does not know") {
        abi::CUstream stream = nullptr;
        abi::CUgraph graph = nullptr;
        abi::CUgraphExec executable = nullptr;
        REQUIRE(app.d.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
        app.grow(stream);
        REQUIRE(app.d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
        auto const report = only([&] { REQUIRE(app.d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS); });
        CHECK(app.read() == 16);
        REQUIRE(report.completeness().problems.size() == 1);
        CHECK(report.completeness().problems[0].cause ==
              "it was instantiated before the profiler was made, and what it writes is not known");
        CHECK(app.d.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
        CHECK(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
        CHECK(app.d.StreamDestroy(stream) == abi::CUDA_SUCCESS);
    }
    SUBCASE("a launch beside a capture") {
        abi::CUstream captured = nullptr, free = nullptr;
        abi::CUgraph graph = nullptr;
        REQUIRE(app.d.StreamCreate(&captured, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamCreate(&free, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        auto const report = only([&] {
            REQUIRE(app.d.StreamBeginCapture(captured, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
            app.grow(captured);
            app.tall(1, free);
            REQUIRE(app.d.StreamEndCapture(captured, &graph) == abi::CUDA_SUCCESS);
        });
        CHECK(app.read() == 8);
        CHECK(report["tall"].count() == 1);
        CHECK(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
        CHECK(app.d.StreamDestroy(captured) == abi::CUDA_SUCCESS);
        CHECK(app.d.StreamDestroy(free) == abi::CUDA_SUCCESS);
    }
    SUBCASE("a launch that the driver refuses") {
        auto const report = only([&] {
            CHECK(app.d.LaunchKernel(app.kernel("tall"), 1, 1, 1, 4096, 1, 1, 0, nullptr, nullptr, nullptr) !=
                  abi::CUDA_SUCCESS);
            app.tall(3);
        });
        REQUIRE(report.completeness().problems.size() == 1);
        CHECK(report.completeness().problems[0].code == errc::launch_failed);
        CHECK(report["tall"].try_values(multiplied).value() == std::vector<double>{96});
    }
    SUBCASE("more launches than there is room for") {
        auto options = by_launch();
        options.max_ranges = 2;
        gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] {
            for (unsigned i = 1; i <= 5; ++i) app.tall(i);
        });
        REQUIRE(report.completeness().problems.size() == 1);
        CHECK(report.completeness().problems[0].code == errc::too_many_ranges);
        CHECK(report.completeness().problems[0].what == "3 launches were over the room");
        CHECK(report["tall"].try_values(multiplied).value() == std::vector<double>{32, 64});
    }
}

TEST_CASE("launch replay: whatever call of the hardware fails, the program's result is that of one execution") {
    static int until_failure = 0;
    static gpuprof::abi::cupti_table working{};
    static gpuprof::hw::machine faulty = sim::embedded_machine();
    working = sim::embedded_machine().cupti;
    auto const fails = [] { return until_failure != 0 && --until_failure == 0; };
    static bool (*const next_fails)() = fails;
    faulty.cupti.RangeProfilerStart = [](abi::CUpti_RangeProfiler_Start_Params* params) {
        return next_fails() ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerStart(params);
    };
    faulty.cupti.RangeProfilerStop = [](abi::CUpti_RangeProfiler_Stop_Params* params) {
        return next_fails() ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerStop(params);
    };
    faulty.cupti.RangeProfilerPushRange = [](abi::CUpti_RangeProfiler_PushRange_Params* params) {
        return next_fails() ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerPushRange(params);
    };
    faulty.cupti.RangeProfilerPopRange = [](abi::CUpti_RangeProfiler_PopRange_Params* params) {
        return next_fails() ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerPopRange(params);
    };
    faulty.cupti.RangeProfilerDecodeData = [](abi::CUpti_RangeProfiler_DecodeData_Params* params) {
        return next_fails() ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerDecodeData(params);
    };
    faulty.cupti.RangeProfilerSetConfig = [](abi::CUpti_RangeProfiler_SetConfig_Params* params) {
        return next_fails() ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerSetConfig(params);
    };
    int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
    program app{gpuprof::device::try_open(faulty, ordinal, gpuprof::device_source::embedded).value()};
    gpuprof::profiler const first{app.gpu, by_launch(), instructions, ffma_thread_inst}; // others remember its plan
    bool const by_ranges[]{false, true};
    for (bool const by_range : by_ranges) {
        auto options = by_launch();
        if (by_range) {
            options.ranges = gpuprof::range_mode::user_range;
            options.replay = gpuprof::replay_mode::range;
        }
        int failing = 1;
        for (bool is_whole = false; !is_whole; ++failing) {
            REQUIRE(failing < 100);
            CAPTURE(failing);
            app.set(8);
            gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
            until_failure = failing;
            auto const report = collect(prof, [&] {
                for (int i = 0; i < 2; ++i) {
                    gpuprof::scope const range{prof, "range"};
                    app.grow();
                }
            });
            is_whole = until_failure != 0; // the last one is not reached
            until_failure = 0;
            CHECK(app.read() == 32);
            // The first call is that of a remembered plan, which is made anew.
            CHECK(report.complete() == (is_whole || failing == 1));
        }
        // Two launches, each with SetConfig, Decode, and in each of two passes Start, Stop, and for ranges Push and Pop.
        CHECK(failing > (by_range ? 18 : 12));
    }
}

TEST_CASE("launch replay: by CUPTI's profiling API, too, also after launches that one pass counts") {
    program app{gpuprof::open_device("sim:gh100,passes,target")};
    void* pinned = nullptr;
    REQUIRE(app.d.MemAllocHost(&pinned, 64) == abi::CUDA_SUCCESS);
    *static_cast<std::uint32_t*>(pinned) = 4;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        app.grow();
        app.grow_at(static_cast<abi::CUdeviceptr>(reinterpret_cast<std::uintptr_t>(pinned)));
        app.grow();
    });
    CHECK(report.hardware() == "profiling API");
    CHECK(app.read() == 32);
    REQUIRE(report.completeness().problems.size() == 1);
    auto const values = report["grow"].try_values(multiplied).value();
    REQUIRE(values.size() == 3);
    CHECK(values[0] == 8);
    CHECK(values[2] == 16);
    CHECK(app.d.MemFreeHost(pinned) == abi::CUDA_SUCCESS);
}

TEST_CASE("launch replay: what is launched in a pause is no range, runs once, and the next launch is measured") {
    program app;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        app.grow(); // multiplies 8 times
        {
            gpuprof::paused const here{prof};
            app.grow(); // 16 times
        }
        app.grow(); // 32 times
    });
    CHECK(report.complete());
    CHECK(report["grow"].count() == 2);
    CHECK(report["grow"].try_value(multiplied).value().value == 8 + 32);
    CHECK(app.read() == 64);
}

TEST_CASE("launch replay: a loop that is left keeps what was measured") {
    program app;
    gpuprof::profiler prof{app.gpu, by_launch(), instructions, ffma_thread_inst};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        app.grow();
        break;
    }
    auto const report = prof.report();
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report["grow"].try_value(multiplied).value().value == 8);
    app.grow(); // nobody listens any more
    CHECK(app.read() == 32);
}

TEST_CASE("launch replay: what does not go with it is refused") {
    program app;
    auto options = by_launch();
    options.ranges = gpuprof::range_mode::user_range;
    auto const scopes = gpuprof::profiler::try_create(app.gpu, options, instructions);
    REQUIRE_FALSE(scopes);
    CHECK(scopes.error().code == errc::invalid_argument);
    CHECK(scopes.error().remedy == "use range_mode::auto_range, or replay_mode::range");
    options = by_launch();
    options.keep_counter_data = true;
    auto const kept = gpuprof::profiler::try_create(app.gpu, options, instructions);
    REQUIRE_FALSE(kept);
    CHECK(kept.error().code == errc::invalid_argument);
    auto const maker = std::exchange(gpuprof::detail::program_call_replay, nullptr);
    auto const without = gpuprof::profiler::try_create(app.gpu, by_launch(), instructions);
    gpuprof::detail::program_call_replay = maker;
    REQUIRE_FALSE(without);
    CHECK(without.error().code == errc::unavailable);
    CHECK(without.error().remedy == "include gpuprof/call_replay.hpp in one file of it");
}

TEST_CASE("launch replay: metrics that need no counter, and no pass") {
    program app;
    gpuprof::profiler prof{app.gpu, by_launch(), gpuprof::metric<"launch__grid_size">};
    auto const report = collect(prof, [&] {
        app.tall(7);
        app.tall(9);
    });
    CHECK(text_of(report) == "");
    CHECK(report["tall"].try_values("launch__grid_size").value() == std::vector<double>{7, 9});
}

static_assert(gpuprof::go_together(gpuprof::range_mode::auto_range, gpuprof::replay_mode::launch));
static_assert(!gpuprof::go_together(gpuprof::range_mode::user_range, gpuprof::replay_mode::launch));
static_assert(gpuprof::rule_of(gpuprof::range_mode::auto_range, gpuprof::replay_mode::launch,
                               gpuprof::launched_work::graph)
                  .result == gpuprof::measured_as::whole_range);

} // namespace launch_replay_test

#endif
