// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::kernel: kernels that CUPTI must not repeat are left out, and the others are measured.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/platform/library.hpp>
#include <gpuprof/sim.hpp>

#if !GPUPROF_WINDOWS
#include <dlfcn.h>
#include <unistd.h>
#endif

namespace kernel_replay_guard_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::errc;
using gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;
constexpr char const* multiplied = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr char const* by_partners = "it waits for its partners on other GPUs, which run once";

namespace {

// Each multiplies once a thread; touch reads a word, too.
constexpr char kernels_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry tall() { .reg .f32 %f; fma.rn.f32 %f, %f, %f, %f; ret; }
.visible .entry ncclDevKernel_AllReduce() { .reg .f32 %f; fma.rn.f32 %f, %f, %f, %f; ret; }
.visible .entry touch(.param .u64 word) {
    .reg .u32 %n; .reg .u64 %a<2>; .reg .f32 %f;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    ld.global.u32 %n, [%a1];
    fma.rn.f32 %f, %f, %f, %f;
    ret;
}
)";

// The embedded GPU, whose starts and stops of the hardware are counted. It runs a kernel within the launching call; after
// hold(), events that are recorded say that it still runs.
struct watched_machine {
    inline static int starts = 0, stops = 0;
    inline static bool holds_next = false, is_held = false;
    inline static abi::cupti_table cupti{};
    inline static abi::driver_table driver{};
    static void hold() { holds_next = true; }
    static void let_go() { is_held = holds_next = false; }
    static gpuprof::device open() {
        static gpuprof::hw::machine watched = [] {
            gpuprof::hw::machine made = sim::embedded_machine();
            cupti = made.cupti;
            driver = made.driver;
            made.cupti.RangeProfilerStart = [](abi::CUpti_RangeProfiler_Start_Params* params) {
                ++starts;
                return cupti.RangeProfilerStart(params);
            };
            made.cupti.RangeProfilerStop = [](abi::CUpti_RangeProfiler_Stop_Params* params) {
                ++stops;
                return cupti.RangeProfilerStop(params);
            };
            made.driver.EventRecord = [](abi::CUevent event, abi::CUstream stream) {
                is_held = is_held || std::exchange(holds_next, false);
                return driver.EventRecord(event, stream);
            };
            made.driver.EventQuery = [](abi::CUevent event) {
                return is_held ? abi::CUDA_ERROR_NOT_READY : driver.EventQuery(event);
            };
            return made;
        }();
        starts = stops = 0;
        let_go();
        int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
        return gpuprof::device::try_open(watched, ordinal, gpuprof::device_source::embedded).value();
    }
};

struct program {
    explicit program(gpuprof::device opened) : gpu{std::move(opened)}, d{gpu.driver()} {
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module, kernels_ptx) == abi::CUDA_SUCCESS);
    }
    program() : program{watched_machine::open()} {}
    ~program() {
        d.ModuleUnload(module);
        abi::CUcontext popped = nullptr;
        d.CtxPopCurrent(&popped);
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;

    void launch(char const* name, unsigned blocks, void** arguments = nullptr, abi::CUstream stream = nullptr) {
        abi::CUfunction found = nullptr;
        REQUIRE(d.ModuleGetFunction(&found, module, name) == abi::CUDA_SUCCESS);
        REQUIRE(d.LaunchKernel(found, blocks, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr) == abi::CUDA_SUCCESS);
    }
    void tall(unsigned blocks, abi::CUstream stream = nullptr) { launch("tall", blocks, nullptr, stream); }
    void all_reduce(abi::CUstream stream = nullptr) { launch("ncclDevKernel_AllReduce", 1, nullptr, stream); }

    gpuprof::device gpu;
    abi::driver_table const& d;
    abi::CUmodule module = nullptr;
};

gpuprof::profiler_options by_kernel() {
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    options.replay_deadline_ms = 40;
    return options;
}

template <class Body>
gpuprof::report collect(gpuprof::profiler& prof, Body body) {
    for ([[maybe_unused]] auto const& pass : prof.passes()) body();
    return prof.report();
}

std::vector<double> multiplied_by(gpuprof::report const& of, char const* kernel) {
    return of[kernel].try_values(multiplied).value();
}

} // namespace

TEST_CASE("kernel replay: a kernel of NCCL is not repeated, runs once, and the kernels around it are measured") {
    for (bool const by_older : {false, true}) {
        CAPTURE(by_older);
        program app{by_older ? gpuprof::open_device("sim:gh100,passes,target") : watched_machine::open()};
        gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] {
            app.tall(1);
            app.all_reduce();
            app.all_reduce();
            app.tall(2);
            app.tall(3);
            app.all_reduce();
        });
        CHECK(report.hardware() == (by_older ? "profiling API" : "range profiler"));
        REQUIRE(report.size() == 1);
        CHECK(multiplied_by(report, "tall") == std::vector<double>{32, 64, 96});
        CHECK(report["tall"].launches().kernels == 3);
        REQUIRE(report.completeness().problems.size() == 1);
        auto const& problem = report.completeness().problems[0];
        CHECK(problem.code == errc::not_collected);
        CHECK(problem.what == "ncclDevKernel_AllReduce<<<(1, 1, 1), (32, 1, 1)>>>: 3 launches were not measured");
        CHECK(problem.cause == by_partners);
        CHECK(problem.remedy.find("replay_mode::user with scopes") != std::string::npos);
        if (by_older) continue;
        CHECK(watched_machine::starts == 2); // the last kernel is launched while the hardware is stopped
        CHECK(watched_machine::stops == 2);
    }
}

TEST_CASE("kernel replay: without such kernels the hardware is started and stopped once") {
    program app;
    gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        for (unsigned i = 1; i <= 4; ++i) app.tall(i);
    });
    CHECK(report.complete());
    CHECK(multiplied_by(report, "tall") == std::vector<double>{32, 64, 96, 128});
    CHECK(watched_machine::starts == 1);
    CHECK(watched_machine::stops == 1);
}

TEST_CASE("kernel replay: who asks for it has each kernel repeated") {
    program app;
    auto options = by_kernel();
    options.caution = gpuprof::replay_caution::none;
    gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] { app.all_reduce(); });
    CHECK(report.complete());
    CHECK(multiplied_by(report, "ncclDevKernel_AllReduce") == std::vector<double>{32});
}

TEST_CASE("kernel replay: the hardware does not go on while a kernel of NCCL still runs") {
    program app;
    gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
    auto const began = gpuprof::platform::monotonic_nanoseconds();
    auto const report = collect(prof, [&] {
        app.tall(1);
        watched_machine::hold();
        app.all_reduce();
        app.tall(2); // waits for the deadline, then runs beside it
        app.tall(3); // does not wait again
        CHECK(watched_machine::starts == 1);
        watched_machine::let_go();
        app.tall(4);
        CHECK(watched_machine::starts == 2);
    });
    auto const took = (gpuprof::platform::monotonic_nanoseconds() - began) / 1'000'000;
    CHECK(took >= 40);
    CHECK(took < 5'000);
    CHECK(multiplied_by(report, "tall") == std::vector<double>{32, 128});
    REQUIRE(report.completeness().problems.size() == 3);
    CHECK(report.completeness().problems[0].cause == by_partners);
    CHECK(report.completeness().problems[1].what == "tall<<<(2, 1, 1), (32, 1, 1)>>>: 1 launch was not measured");
    CHECK(report.completeness().problems[1].cause ==
          "a kernel before it was not replayed, and had not ended after 40 ms");
    CHECK(report.completeness().problems[2].what == "tall<<<(3, 1, 1), (32, 1, 1)>>>: 1 launch was not measured");
}

TEST_CASE("kernel replay: a kernel of NCCL that never ends keeps neither the loop nor the profiler") {
    {
        program app;
        gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] {
            app.tall(1);
            watched_machine::hold();
            app.all_reduce();
        });
        REQUIRE(report.completeness().problems.size() >= 1);
        std::string all;
        for (auto const& problem : report.completeness().problems) all += problem.message() + "\n";
        CHECK(all.find("had not ended 40 ms after the last launch") != std::string::npos);
        CHECK(all.find(by_partners) != std::string::npos);
        gpuprof::profiler next{app.gpu, by_kernel(), instructions};
        auto const refused = collect(next, [&] { app.tall(1); });
        CHECK(refused.completeness().problems.at(0).code == errc::busy); // the counters of that context stay taken
    }
    watched_machine::let_go();
}

#if !GPUPROF_WINDOWS // whose libraries have other names
TEST_CASE("kernel replay: beside NCCL on a machine with several GPUs, gpuprof repeats launches instead, and says so") {
    // Another library by NCCL's name.
    std::string const some = gpuprof::platform::find_mapped_library(
        [](std::string_view path) { return path.find("libgcc_s") != path.npos || path.find("libm.so") != path.npos; });
    REQUIRE_FALSE(some.empty());
    auto const folder = std::filesystem::temp_directory_path() / ("gpuprof-partner-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    std::filesystem::copy_file(some, folder / "libnccl.so.2", std::filesystem::copy_options::overwrite_existing);
    program app;
    static int gpus = 1;
    static gpuprof::hw::machine several = app.gpu.machine();
    several.driver.DeviceGetCount = [](int* count) { return *count = gpus, abi::CUDA_SUCCESS; };
    auto const gpu = gpuprof::device::try_open(several, app.gpu.ordinal(), gpuprof::device_source::embedded).value();
    auto const changed = [&](gpuprof::profiler_options const& options = by_kernel()) {
        gpuprof::profiler prof{gpu, options, instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] {
            app.tall(1);
            app.all_reduce();
            app.tall(2);
        });
        CHECK(multiplied_by(report, "tall") == std::vector<double>{32, 64});
        REQUIRE(report.completeness().problems.size() == (options.caution == gpuprof::replay_caution::none ? 0 : 1));
        return report.completeness().replay_changed;
    };
    gpus = 2;
    CHECK_FALSE(changed()); // there is no such library
    void* const nccl = ::dlopen((folder / "libnccl.so.2").c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(nccl != nullptr);
    auto const why = changed();
    REQUIRE(why);
    CHECK(why->code == errc::unavailable);
    CHECK(why->cause ==
          (folder / "libnccl.so.2").string() + " is loaded, and CUPTI cannot save the memory that it maps");
    CHECK(why->remedy.find("NCCL_CUMEM_ENABLE=0") != std::string::npos);
    auto options = by_kernel();
    options.merge_repeated = true;
    auto const refused = gpuprof::profiler::try_create(gpu, options, instructions, ffma_thread_inst);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().cause.find("merged ranges where gpuprof repeats driver calls") != std::string::npos);
    options = by_kernel();
    options.caution = gpuprof::replay_caution::none;
    CHECK_FALSE(changed(options));
    gpuprof::profiler one_pass{gpu, by_kernel(), instructions};
    CHECK_FALSE(collect(one_pass, [&] { app.tall(1); }).completeness().replay_changed); // nothing is saved
    gpus = 1;
    CHECK_FALSE(changed());
    gpus = 2;
    REQUIRE(::setenv("NCCL_CUMEM_ENABLE", "0", 1) == 0);
    CHECK_FALSE(changed());
    ::unsetenv("NCCL_CUMEM_ENABLE");
    CHECK(changed());
    ::dlclose(nccl);
    std::filesystem::remove_all(folder);
}
#endif

TEST_CASE("kernel replay: memory of the host among the arguments is left out where that is asked for") {
    program app;
    void* pinned = nullptr;
    REQUIRE(app.d.MemAllocHost(&pinned, 64) == abi::CUDA_SUCCESS);
    abi::CUdeviceptr at = 0;
    REQUIRE(app.d.MemHostGetDevicePointer(&at, pinned, 0) == abi::CUDA_SUCCESS);
    void* arguments[]{&at};
    for (bool const is_asked : {false, true}) {
        CAPTURE(is_asked);
        auto options = by_kernel();
        if (is_asked) options.caution = gpuprof::replay_caution::host_memory;
        gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
        auto const report = collect(prof, [&] {
            app.launch("touch", 1, arguments);
            app.tall(2);
        });
        CHECK(multiplied_by(report, "tall") == std::vector<double>{64});
        CHECK(report.size() == (is_asked ? 1 : 2));
        CHECK(report.complete() != is_asked);
        if (!is_asked) continue;
        CHECK(report.completeness().problems[0].cause ==
              "it reaches memory of the host, which the program may use meanwhile");
    }
    CHECK(app.d.MemFreeHost(pinned) == abi::CUDA_SUCCESS);
}

TEST_CASE("kernel replay: an argument in memory of another GPU leaves the kernel out") {
    program app;
    static decltype(abi::driver_table::PointerGetAttribute) ask = nullptr;
    static gpuprof::hw::machine elsewhere = sim::embedded_machine();
    ask = sim::embedded_machine().driver.PointerGetAttribute;
    elsewhere.driver.PointerGetAttribute = [](void* to, abi::CUpointer_attribute attribute, abi::CUdeviceptr of) {
        auto const status = ask(to, attribute, of);
        if (attribute == abi::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL && status == abi::CUDA_SUCCESS)
            *static_cast<int*>(to) += 1;
        return status;
    };
    program other{gpuprof::device::try_open(elsewhere, app.gpu.ordinal(), gpuprof::device_source::embedded).value()};
    abi::CUdeviceptr word = 0;
    REQUIRE(other.d.MemAlloc(&word, 64) == abi::CUDA_SUCCESS);
    REQUIRE(other.d.MemsetD8(word, 0, 64) == abi::CUDA_SUCCESS);
    void* arguments[]{&word};
    gpuprof::profiler prof{other.gpu, by_kernel(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        other.launch("touch", 1, arguments);
        other.tall(1);
    });
    CHECK(multiplied_by(report, "tall") == std::vector<double>{32});
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].cause == "it reaches memory of another device");
    CHECK(other.d.MemFree(word) == abi::CUDA_SUCCESS);
}

TEST_CASE("kernel replay: a graph with a kernel of NCCL is left out as a whole") {
    program app;
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(app.d.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        REQUIRE(app.d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
        app.tall(5, stream);
        app.all_reduce(stream);
        REQUIRE(app.d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
        app.tall(1);
        REQUIRE(app.d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
        app.tall(2);
    });
    CHECK(multiplied_by(report, "tall") == std::vector<double>{32, 64});
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].what == "a graph: 1 launch was not measured");
    CHECK(report.completeness().problems[0].cause == by_partners);
    CHECK(app.d.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
    CHECK(app.d.StreamDestroy(stream) == abi::CUDA_SUCCESS);
}

TEST_CASE("kernel replay: in a pause nothing is said of kernels of NCCL, and later launches wait for them") {
    program app;
    gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        app.tall(1);
        {
            gpuprof::paused const here{prof};
            watched_machine::hold();
            app.all_reduce();
        }
        CHECK(watched_machine::starts == 1); // a start would wait for the kernel
        watched_machine::let_go();
        app.tall(2);
        CHECK(watched_machine::starts == 2);
        {
            gpuprof::paused const here{prof};
            app.tall(7);
        }
        CHECK(watched_machine::starts == 3);
        app.tall(3);
    });
    CHECK(report.complete());
    CHECK(multiplied_by(report, "tall") == std::vector<double>{32, 64, 96});
}

TEST_CASE("kernel replay: launches of several threads, some of which are left out") {
    program app;
    gpuprof::profiler prof{app.gpu, by_kernel(), instructions, ffma_thread_inst};
    abi::CUfunction tall = nullptr, reduce = nullptr;
    REQUIRE(app.d.ModuleGetFunction(&tall, app.module, "tall") == abi::CUDA_SUCCESS);
    REQUIRE(app.d.ModuleGetFunction(&reduce, app.module, "ncclDevKernel_AllReduce") == abi::CUDA_SUCCESS);
    auto const report = collect(prof, [&] {
        std::vector<std::thread> all;
        for (int i = 0; i < 4; ++i)
            all.emplace_back([&] {
                app.d.CtxPushCurrent(app.gpu.context());
                for (int n = 0; n < 6; ++n)
                    app.d.LaunchKernel(n % 3 == 1 ? reduce : tall, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
            });
        for (auto& each : all) each.join();
    });
    CHECK(multiplied_by(report, "tall") == std::vector<double>(16, 64));
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].what ==
          "ncclDevKernel_AllReduce<<<(2, 1, 1), (32, 1, 1)>>>: 8 launches were not measured");
}

TEST_CASE("kernel replay: hardware that does not stop ends the collection, and the program goes on") {
    program app;
    static bool fails = false;
    static gpuprof::hw::machine faulty = sim::embedded_machine();
    static abi::cupti_table working = sim::embedded_machine().cupti;
    faulty.cupti.RangeProfilerStop = [](abi::CUpti_RangeProfiler_Stop_Params* params) {
        return fails ? abi::CUPTI_ERROR_UNKNOWN : working.RangeProfilerStop(params);
    };
    program other{gpuprof::device::try_open(faulty, app.gpu.ordinal(), gpuprof::device_source::embedded).value()};
    gpuprof::profiler prof{other.gpu, by_kernel(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        fails = true;
        other.all_reduce();
        other.tall(1);
        fails = false;
    });
    REQUIRE(report.completeness().problems.size() >= 1);
    CHECK(report.completeness().problems[0].what.find("cuptiRangeProfilerStop") != std::string::npos);
}

} // namespace kernel_replay_guard_test

#endif // GPUPROF_EXCEPTIONS
