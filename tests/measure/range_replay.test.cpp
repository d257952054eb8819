// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::range: gpuprof makes the driver calls of each outermost scope again, once a pass.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/abi/cupti_array_parameters.hpp>
#include <gpuprof/hw/abi/cupti_driver_parameters.hpp>
#include <gpuprof/hw/callbacks/captured_call.hpp>
#include <gpuprof/sim.hpp>

namespace range_replay_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::errc;
using gpuprof::scope;
using gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;
constexpr char const* multiplied = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";

namespace {

// grow: one thread multiplies as often as the word says, and doubles the word.
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
)";

struct program {
    explicit program(gpuprof::device opened) : gpu{std::move(opened)}, d{gpu.driver()} {
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module, kernels_ptx) == abi::CUDA_SUCCESS);
        for (abi::CUdeviceptr* each : {&word, &other}) {
            REQUIRE(d.MemAlloc(each, 1 << 14) == abi::CUDA_SUCCESS);
            REQUIRE(d.MemsetD8(*each, 0, 1 << 14) == abi::CUDA_SUCCESS);
        }
        for (auto& each : streams) REQUIRE(d.StreamCreate(&each, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
        REQUIRE(d.EventCreate(&event, 0) == abi::CUDA_SUCCESS);
        set(8);
    }
    program() : program{sim::open_embedded("gh100", sim::collection::in_passes).value()} {}
    ~program() {
        d.EventDestroy(event);
        for (auto const each : streams) d.StreamDestroy(each);
        d.MemFree(word);
        d.MemFree(other);
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
    void grow_at(abi::CUdeviceptr at, abi::CUstream stream = nullptr) {
        void* arguments[]{&at};
        REQUIRE(d.LaunchKernel(kernel("grow"), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == abi::CUDA_SUCCESS);
    }
    void tall(unsigned blocks, abi::CUstream stream = nullptr) {
        REQUIRE(d.LaunchKernel(kernel("tall"), blocks, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    void set(std::uint32_t value) { REQUIRE(d.MemcpyHtoD(word, &value, 4) == abi::CUDA_SUCCESS); }
    std::uint32_t read(abi::CUdeviceptr at) {
        std::uint32_t found = 0;
        REQUIRE(d.MemcpyDtoH(&found, at, 4) == abi::CUDA_SUCCESS);
        return found;
    }

    gpuprof::device gpu;
    abi::driver_table const& d;
    abi::CUmodule module = nullptr;
    abi::CUdeviceptr word = 0;
    abi::CUdeviceptr other = 0;
    std::array<abi::CUstream, 2> streams{};
    abi::CUevent event = nullptr;
};

gpuprof::profiler_options by_range() {
    gpuprof::profiler_options options;
    options.replay = gpuprof::replay_mode::range;
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

std::string text_of(gpuprof::report const& of) {
    std::string all;
    for (auto const& problem : of.completeness().problems) all += problem.message() + "\n";
    return all;
}

} // namespace

TEST_CASE("range replay: kernels that change their input measure the first run's in each pass, and are executed once") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    REQUIRE(prof.passes_needed() == 2);
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "range"};
            app.grow_at(app.word);
            app.grow_at(app.word);
        }
        CHECK(app.read(app.word) == 32);
        app.tall(5); // outside
        scope const range{prof, "range"};
        app.grow_at(app.word);
    });
    CHECK(text_of(report) == "");
    CHECK(app.read(app.word) == 64);
    CHECK(report["range"].try_values(multiplied).value() == std::vector<double>{8 + 16, 32});
    CHECK(report["range"].launches().kernels == 3);
    CHECK(report.completeness().memory_restores == 4); // before each of two passes, twice
    CHECK(report.completeness().replay_passes == 2);
}

TEST_CASE("range replay: fills, copies, events and streams are made again in their order") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    std::uint32_t result = 0;
    auto const report = collect(prof, [&] {
        std::uint32_t input = 3;
        scope const range{prof, "range"};
        REQUIRE(app.d.MemcpyHtoDAsync(app.word, &input, 4, app.streams[0]) == abi::CUDA_SUCCESS);
        app.grow_at(app.word, app.streams[0]); // 3 multiplications, 6 remains
        REQUIRE(app.d.EventRecord(app.event, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamWaitEvent(app.streams[1], app.event, 0) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemcpyDtoDAsync(app.other, app.word, 4, app.streams[1]) == abi::CUDA_SUCCESS);
        app.grow_at(app.other, app.streams[1]); // 6, 12 remains
        REQUIRE(app.d.MemcpyDtoHAsync(&result, app.other, 4, app.streams[1]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamSynchronize(app.streams[1]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD32(app.word, 2, 1) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.FuncSetCacheConfig(app.kernel("grow"), abi::CU_FUNC_CACHE_PREFER_L1) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.FuncSetAttribute(app.kernel("grow"), abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                       50) == abi::CUDA_SUCCESS);
        app.grow_at(app.word, app.streams[0]); // 2, 4 remains
        REQUIRE(app.d.CtxSynchronize() == abi::CUDA_SUCCESS);
        result += 100; // by the host: must not be lost
        input = 77;    // later passes copy what was there at the call
    });
    CHECK(text_of(report) == "");
    CHECK(result == 112);
    CHECK(app.read(app.word) == 4);
    CHECK(app.read(app.other) == 12);
    CHECK(report["range"].try_value(multiplied).value().value == 3 + 6 + 2);
}

TEST_CASE("range replay: scopes inside a scope have their own values") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        for (int i = 0; i < 2; ++i) {
            scope const outer{prof, "outer"};
            app.grow_at(app.word);
            {
                scope const inner{prof, "inner"};
                app.grow_at(app.word);
            }
            app.tall(1);
        }
    });
    CHECK(text_of(report) == "");
    CHECK(app.read(app.word) == 8 * 16);
    CHECK(report["outer"].try_values(multiplied).value() == std::vector<double>{8 + 16 + 32, 32 + 64 + 32});
    CHECK(report["outer/inner"].try_values(multiplied).value() == std::vector<double>{16, 64});
}

TEST_CASE("range replay: a graph is a call of the range") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(app.d.StreamBeginCapture(app.streams[0], abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    app.grow_at(app.word, app.streams[0]);
    app.tall(2, app.streams[0]);
    REQUIRE(app.d.StreamEndCapture(app.streams[0], &graph) == abi::CUDA_SUCCESS);
    REQUIRE(app.d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    auto const report = collect(prof, [&] {
        scope const range{prof, "range"};
        REQUIRE(app.d.GraphLaunch(executable, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.GraphLaunch(executable, app.streams[0]) == abi::CUDA_SUCCESS);
    });
    CHECK(text_of(report) == "");
    CHECK(app.read(app.word) == 32);
    CHECK(report["range"].try_value(multiplied).value().value == 8 + 16 + 2 * 64);
    CHECK(app.d.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    CHECK(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
}

TEST_CASE("range replay: a call that is not supported is named, and the range is not measured") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    abi::CUdeviceptr before = 0;
    REQUIRE(app.d.MemAlloc(&before, 64) == abi::CUDA_SUCCESS);
    REQUIRE(app.d.MemsetD32(before, 1, 1) == abi::CUDA_SUCCESS);
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "of a pool"};
            abi::CUdeviceptr own = 0;
            REQUIRE(app.d.MemAllocAsync(&own, 64, app.streams[0]) == abi::CUDA_SUCCESS);
            app.grow_at(app.word);
            REQUIRE(app.d.MemFreeAsync(own, app.streams[0]) == abi::CUDA_SUCCESS);
            app.grow_at(app.word);
        }
        {
            scope const range{prof, "with less memory"};
            app.grow_at(before);
            REQUIRE(app.d.MemFree(before) == abi::CUDA_SUCCESS);
        }
        scope const range{prof, "plain"};
        app.tall(1);
    });
    CHECK(app.read(app.word) == 32);
    REQUIRE(report.completeness().problems.size() == 2);
    auto const found = text_of(report);
    CHECK(found.find("range \"of a pool\": 1 range was not measured") != std::string::npos);
    CHECK(found.find("cuMemAllocAsync: calls of that kind are not repeated") != std::string::npos);
    CHECK(found.find("cuMemFree_v2: it ends memory from before the range that calls of the range use") !=
          std::string::npos);
    CHECK_FALSE(report["of a pool"].try_value(multiplied));
    CHECK(report["of a pool"].launches().kernels == 2);
    CHECK_FALSE(report["with less memory"].try_value(multiplied));
    CHECK(report["plain"].try_value(multiplied).value().value == 32);
}

TEST_CASE(
    "range replay: memory that begins and ends in the range has a stand-in, also where its address is used again") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    abi::CUdeviceptr first = 0, second = 0;
    auto const report = collect(prof, [&] {
        scope const range{prof, "range"};
        REQUIRE(app.d.MemAlloc(&first, 4096) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD32(first + 64, 3, 1) == abi::CUDA_SUCCESS);
        app.grow_at(first + 64); // 3, 6 remains
        REQUIRE(app.d.MemcpyDtoD(app.word, first + 64, 4) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemFree(first) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemAlloc(&second, 4096) == abi::CUDA_SUCCESS);
        std::uint32_t const five = 5;
        REQUIRE(app.d.MemcpyHtoD(second + 64, &five, 4) == abi::CUDA_SUCCESS);
        app.grow_at(second + 64); // 5, 10 remains
        app.grow_at(app.word);    // 6, 12 remains
    });
    CHECK(text_of(report) == "");
    CHECK(report["range"].try_value(multiplied).value().value == 3 + 5 + 6);
    CHECK(app.read(app.word) == 12);
    CHECK(app.read(second + 64) == 10);
    CHECK(app.d.MemFree(second) == abi::CUDA_SUCCESS);
}

TEST_CASE("range replay: streams and events that begin and end in the range have stand-ins") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        scope const range{prof, "range"};
        abi::CUstream own = nullptr, plain = nullptr;
        abi::CUevent done = nullptr;
        REQUIRE(app.d.StreamCreateWithPriority(&own, abi::CU_STREAM_NON_BLOCKING, 0) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamCreate(&plain, 0) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.EventCreate(&done, 0) == abi::CUDA_SUCCESS);
        app.grow_at(app.word, own); // 8
        REQUIRE(app.d.EventRecord(done, own) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamWaitEvent(plain, done, 0) == abi::CUDA_SUCCESS);
        app.grow_at(app.word, plain); // 16
        REQUIRE(app.d.EventDestroy(done) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamDestroy(own) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamDestroy(plain) == abi::CUDA_SUCCESS);
        app.grow_at(app.word); // 32
    });
    CHECK(text_of(report) == "");
    CHECK(report["range"].try_value(multiplied).value().value == 8 + 16 + 32);
    CHECK(app.read(app.word) == 64);
}

TEST_CASE("range replay: a stream from before the profiler that ends in the range is named, a graph likewise") {
    program app;
    abi::CUstream old = nullptr;
    REQUIRE(app.d.StreamCreate(&old, 0) == abi::CUDA_SUCCESS);
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr, unused = nullptr;
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "stream"};
            app.grow_at(app.word, old);
            REQUIRE(app.d.StreamDestroy(old) == abi::CUDA_SUCCESS);
        }
        {
            scope const range{prof, "captured"}; // what a capture records runs with its graph
            REQUIRE(app.d.StreamBeginCapture(app.streams[0], abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
            app.grow_at(app.word, app.streams[0]);
            REQUIRE(app.d.StreamEndCapture(app.streams[0], &graph) == abi::CUDA_SUCCESS);
            REQUIRE(app.d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
            REQUIRE(app.d.GraphInstantiateWithFlags(&unused, graph, 0) == abi::CUDA_SUCCESS);
            REQUIRE(app.d.GraphLaunch(executable, app.streams[0]) == abi::CUDA_SUCCESS); // 16
            REQUIRE(app.d.GraphExecDestroy(unused) == abi::CUDA_SUCCESS);
            REQUIRE(app.d.GraphDestroy(graph) == abi::CUDA_SUCCESS);
        }
        scope const range{prof, "graph"};
        REQUIRE(app.d.GraphLaunch(executable, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.GraphExecDestroy(executable) == abi::CUDA_SUCCESS);
    });
    CHECK(app.read(app.word) == 64);
    auto const found = text_of(report);
    CHECK(found.find("cuStreamDestroy_v2: the stream was made before the profiler began to measure") !=
          std::string::npos);
    CHECK(found.find("cuGraphExecDestroy: the range launches the graph") != std::string::npos);
    CHECK(report.completeness().problems.size() == 2);
    CHECK(report["captured"].try_value(multiplied).value().value == 16);
}

TEST_CASE("range replay: a host function is called once, and what it may write is not copied again") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    static int calls = 0;
    calls = 0;
    auto const function = [](void*) { ++calls; };
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "alone"};
            app.grow_at(app.word, app.streams[0]); // 8
            REQUIRE(app.d.LaunchHostFunc(app.streams[0], function, nullptr) == abi::CUDA_SUCCESS);
            app.grow_at(app.word, app.streams[0]); // 16
        }
        scope const range{prof, "copied"};
        std::uint32_t const value = 2;
        REQUIRE(app.d.LaunchHostFunc(app.streams[0], function, nullptr) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemcpyHtoDAsync(app.word, &value, 4, app.streams[0]) == abi::CUDA_SUCCESS);
        app.grow_at(app.word, app.streams[0]);
        REQUIRE(app.d.StreamSynchronize(app.streams[0]) == abi::CUDA_SUCCESS);
    });
    CHECK(calls == 2);
    CHECK(report["alone"].try_value(multiplied).value().value == 8 + 16);
    CHECK_FALSE(report["copied"].try_value(multiplied));
    CHECK(text_of(report).find("cuMemcpyHtoDAsync_v2: it may copy what a host function before it writes") !=
          std::string::npos);
    CHECK(app.read(app.word) == 4);
}

TEST_CASE("range replay: copies of rows are made again, with what the host had") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    std::array<std::uint32_t, 8> back{};
    auto const report = collect(prof, [&] {
        scope const range{prof, "range"};
        std::array<std::uint32_t, 8> given{9, 9, 3, 9, 9, 9, 5, 9}; // rows of four words, of which the third is copied
        abi::CUDA_MEMCPY2D in;
        in.srcMemoryType = abi::CU_MEMORYTYPE_HOST;
        in.srcHost = given.data();
        in.srcXInBytes = 8;
        in.srcPitch = 16;
        in.dstMemoryType = abi::CU_MEMORYTYPE_DEVICE;
        in.dstDevice = app.word;
        in.dstPitch = 256;
        in.dstY = 1;
        in.WidthInBytes = 4;
        in.Height = 2;
        REQUIRE(app.d.Memcpy2DAsync(&in, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.StreamSynchronize(app.streams[0]) == abi::CUDA_SUCCESS);
        given = {};
        app.grow_at(app.word + 256); // 3, 6 remains
        app.grow_at(app.word + 512); // 5, 10 remains
        abi::CUDA_MEMCPY2D over;
        over.srcMemoryType = abi::CU_MEMORYTYPE_DEVICE;
        over.srcDevice = app.word;
        over.srcPitch = 256;
        over.srcY = 1;
        over.dstMemoryType = abi::CU_MEMORYTYPE_UNIFIED;
        over.dstDevice = app.other;
        over.dstPitch = 64;
        over.WidthInBytes = 4;
        over.Height = 2;
        REQUIRE(app.d.Memcpy2D(&over) == abi::CUDA_SUCCESS);
        app.grow_at(app.other + 64); // 10, 20 remains
        abi::CUDA_MEMCPY2D out;
        out.srcMemoryType = abi::CU_MEMORYTYPE_DEVICE;
        out.srcDevice = app.other;
        out.srcPitch = 64;
        out.dstMemoryType = abi::CU_MEMORYTYPE_HOST;
        out.dstHost = back.data();
        out.dstPitch = 16;
        out.WidthInBytes = 4;
        out.Height = 2;
        REQUIRE(app.d.Memcpy2D(&out) == abi::CUDA_SUCCESS);
        back[0] += 1;
        REQUIRE(app.d.StreamSynchronize(app.streams[0]) == abi::CUDA_SUCCESS);
    });
    CHECK(text_of(report) == "");
    CHECK(report["range"].try_value(multiplied).value().value == 3 + 5 + 10);
    CHECK(back == std::array<std::uint32_t, 8>{7, 0, 0, 0, 20});
    CHECK(app.read(app.other + 64) == 20);
}

TEST_CASE("range replay: a copy of layers is captured from its parameters, and made again as one") {
    program app;
    std::array<std::uint32_t, 16> given{}; // two layers of two rows of four words
    for (std::uint32_t i = 0; i < 16; ++i) given[i] = i;
    abi::CUDA_MEMCPY3D in;
    in.srcMemoryType = abi::CU_MEMORYTYPE_HOST;
    in.srcHost = given.data();
    in.srcPitch = 16;
    in.srcHeight = 2;
    in.srcXInBytes = 4;
    in.dstMemoryType = abi::CU_MEMORYTYPE_DEVICE;
    in.dstDevice = app.word;
    in.dstPitch = 64;
    in.dstHeight = 4;
    in.dstZ = 1;
    in.WidthInBytes = 8;
    in.Height = 2;
    in.Depth = 2;
    struct {
        abi::CUDA_MEMCPY3D const* copy;
    } const parameters{&in};
    auto const captured = gpuprof::hw::try_capture(app.d, "cuMemcpy3D_v2", {}, &parameters).value();
    REQUIRE(captured);
    given = {};
    std::vector<unsigned char> scratch;
    REQUIRE(gpuprof::hw::repeat(*captured, app.d, scratch) == abi::CUDA_SUCCESS);
    REQUIRE(app.d.CtxSynchronize() == abi::CUDA_SUCCESS);
    for (std::uint32_t z = 0; z < 2; ++z)
        for (std::uint32_t y = 0; y < 2; ++y)
            for (std::uint32_t x = 0; x < 2; ++x)
                CHECK(app.read(app.word + (1 + z) * 256 + y * 64 + x * 4) == z * 8 + y * 4 + x + 1);
    CHECK(app.read(app.word + 8) == 0);
}

TEST_CASE("range replay: copies with an array are captured with their place in it") {
    program app;
    static abi::CUDA_MEMCPY3D seen;
    static std::vector<unsigned char> from_host;
    abi::driver_table table = app.d;
    table.Memcpy3DAsync = [](abi::CUDA_MEMCPY3D const* box, abi::CUstream) {
        seen = *box;
        auto const* const begin = static_cast<unsigned char const*>(box->srcHost);
        from_host.assign(begin, begin == nullptr ? begin : begin + box->WidthInBytes * box->Height * box->Depth);
        return abi::CUDA_SUCCESS;
    };
    auto const again = [&](char const* name, auto const& parameters) {
        auto const captured = gpuprof::hw::try_capture(table, name, {}, &parameters).value();
        REQUIRE(captured);
        std::vector<unsigned char> scratch;
        seen = {};
        CHECK(gpuprof::hw::repeat(*captured, table, scratch) == abi::CUDA_SUCCESS);
        return *captured;
    };
    int one = 0, two = 0;
    auto const array = reinterpret_cast<abi::CUarray>(&one), other = reinterpret_cast<abi::CUarray>(&two);
    std::array<unsigned char, 64> given{};
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<unsigned char>(i);

    abi::CUDA_MEMCPY3D box;
    box.srcHost = given.data();
    box.srcPitch = 16;
    box.srcY = 1;
    box.srcXInBytes = 4;
    box.dstMemoryType = abi::CU_MEMORYTYPE_ARRAY;
    box.dstArray = array;
    box.dstXInBytes = 12;
    box.dstY = 5;
    box.dstZ = 7;
    box.WidthInBytes = 8;
    box.Height = 2;
    box.Depth = 1;
    auto const to_array = again("cuMemcpy3D_v2", abi::cuMemcpy3D_v2_params{&box});
    CHECK(gpuprof::hw::writes_array(to_array));
    CHECK(to_array.words.empty());
    CHECK(to_array.bytes == std::vector<unsigned char>{20, 21, 22, 23, 24, 25, 26, 27, 36, 37, 38, 39, 40, 41, 42, 43});
    CHECK(from_host == to_array.bytes);
    CHECK(seen.srcPitch == 8);
    CHECK(seen.dstArray == array);
    CHECK(seen.dstXInBytes == 12);
    CHECK(seen.dstY == 5);
    CHECK(seen.dstZ == 7);

    abi::CUDA_MEMCPY2D rows;
    rows.srcMemoryType = abi::CU_MEMORYTYPE_ARRAY;
    rows.srcArray = array;
    rows.srcY = 3;
    rows.dstMemoryType = abi::CU_MEMORYTYPE_DEVICE;
    rows.dstDevice = app.word;
    rows.dstPitch = 32;
    rows.dstY = 2;
    rows.WidthInBytes = 16;
    rows.Height = 4;
    auto const from_array = again("cuMemcpy2D_v2", abi::cuMemcpy2D_v2_params{&rows});
    CHECK_FALSE(gpuprof::hw::writes_array(from_array));
    CHECK(from_array.words == std::vector<abi::CUdeviceptr>{app.word + 64});
    CHECK(seen.srcArray == array);
    CHECK(seen.srcY == 3);
    CHECK(seen.dstDevice == app.word + 64);

    static_cast<void>(again("cuMemcpyAtoA_v2", abi::cuMemcpyAtoA_v2_params{array, 4, other, 8, 12}));
    CHECK(seen.dstArray == array);
    CHECK(seen.dstXInBytes == 4);
    CHECK(seen.srcArray == other);
    CHECK(seen.srcXInBytes == 8);
    CHECK(seen.WidthInBytes == 12);
    static_cast<void>(again("cuMemcpyAtoH_v2", abi::cuMemcpyAtoH_v2_params{given.data(), array, 4, 12}));
    CHECK(seen.dstHost != given.data()); // what the program did with it stays
    static_cast<void>(
        again("cuMemcpyHtoAAsync_v2", abi::cuMemcpyHtoAAsync_v2_params{array, 4, given.data(), 2, nullptr}));
    CHECK(from_host == std::vector<unsigned char>{0, 1});
    static_cast<void>(again("cuMemcpyDtoA_v2", abi::cuMemcpyDtoA_v2_params{array, 0, app.word, 4}));
    CHECK(seen.srcDevice == app.word);
    CHECK(again("cuMemcpyAtoD_v2", abi::cuMemcpyAtoD_v2_params{app.other, array, 0, 4}).words ==
          std::vector<abi::CUdeviceptr>{app.other});
}

TEST_CASE("range replay: calls of several threads are made again in the order that they were made in") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        scope const range{prof, "range"};
        for (int turn = 0; turn < 4; ++turn) { // threads take turns: 8, 16, 3, 6, ...
            std::thread{[&] {
                REQUIRE(app.d.CtxPushCurrent(app.gpu.context()) == abi::CUDA_SUCCESS);
                if (turn == 2) REQUIRE(app.d.MemsetD32(app.word, 3, 1) == abi::CUDA_SUCCESS);
                app.grow_at(app.word);
                abi::CUcontext popped = nullptr;
                REQUIRE(app.d.CtxPopCurrent(&popped) == abi::CUDA_SUCCESS);
            }}.join();
        }
        std::vector<std::thread> beside; // and at once, each in a stream and memory of its own
        for (unsigned i = 0; i < 2; ++i)
            beside.emplace_back([&app, i] {
                REQUIRE(app.d.CtxPushCurrent(app.gpu.context()) == abi::CUDA_SUCCESS);
                abi::CUdeviceptr const at = app.other + 64 * i;
                REQUIRE(app.d.MemsetD32Async(at, i + 1, 1, app.streams[i]) == abi::CUDA_SUCCESS);
                for (int again = 0; again < 3; ++again) app.grow_at(at, app.streams[i]);
                abi::CUcontext popped = nullptr;
                REQUIRE(app.d.CtxPopCurrent(&popped) == abi::CUDA_SUCCESS);
            });
        for (std::thread& each : beside) each.join();
    });
    CHECK(text_of(report) == "");
    CHECK(report["range"].launches().kernels == 4 + 6);
    CHECK(report["range"].try_value(multiplied).value().value == 8 + 16 + 3 + 6 + (1 + 2 + 4) + (2 + 4 + 8));
    CHECK(app.read(app.word) == 12);
    CHECK(app.read(app.other + 64) == 16);
}

TEST_CASE(
    "range replay: managed memory keeps a range from being measured, for what the host writes to it would be lost") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    abi::CUdeviceptr managed = 0;
    REQUIRE(app.d.MemAllocManaged(&managed, 64, abi::CU_MEM_ATTACH_GLOBAL) == abi::CUDA_SUCCESS);
    auto* const host = reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(managed));
    *host = 4;
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "kernel"};
            app.grow_at(managed);
            REQUIRE(app.d.CtxSynchronize() == abi::CUDA_SUCCESS);
            *host += 1;
        }
        {
            scope const range{prof, "copy"};
            REQUIRE(app.d.MemcpyDtoD(app.word, managed, 4) == abi::CUDA_SUCCESS);
        }
        scope const range{prof, "plain"};
        app.tall(1);
    });
    CHECK(*host == 9);
    CHECK(app.read(app.word) == 9);
    auto const found = text_of(report);
    CHECK(found.find("grow: it reaches managed memory, which the program may use before the range ends") !=
          std::string::npos);
    CHECK(found.find("range \"copy\": 1 range was not measured") != std::string::npos);
    CHECK(report["plain"].try_value(multiplied).value().value == 32);
    CHECK(app.d.MemFree(managed) == abi::CUDA_SUCCESS);
}

TEST_CASE("range replay: a refused call is not repeated, and memory of the host keeps a range from it") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    void* pinned = nullptr;
    REQUIRE(app.d.MemAllocHost(&pinned, 64) == abi::CUDA_SUCCESS);
    *static_cast<std::uint32_t*>(pinned) = 4;
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "refused"};
            CHECK(app.d.MemcpyDtoDAsync(0, app.word, 4, app.streams[0]) != abi::CUDA_SUCCESS);
            CHECK(app.d.MemcpyHtoD(app.word, nullptr, 4) != abi::CUDA_SUCCESS);
            CHECK(app.d.LaunchKernelEx(nullptr, app.kernel("tall"), nullptr, nullptr) != abi::CUDA_SUCCESS);
            CHECK(app.d.LaunchKernel(app.kernel("grow"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) !=
                  abi::CUDA_SUCCESS); // without its argument
            app.tall(1);
        }
        scope const range{prof, "pinned"};
        app.grow_at(static_cast<abi::CUdeviceptr>(reinterpret_cast<std::uintptr_t>(pinned)));
    });
    CHECK(*static_cast<std::uint32_t*>(pinned) == 8);
    REQUIRE(report.completeness().problems.size() == 2);
    CHECK(report.completeness().problems[0].code == errc::launch_failed); // as in every mode
    CHECK(report.completeness().problems[1].cause ==
          "grow: it reaches memory of the host, which the program may use meanwhile");
    CHECK(report["refused"].try_value(multiplied).value().value == 32);
    CHECK(app.d.MemFreeHost(pinned) == abi::CUDA_SUCCESS);
}

TEST_CASE("range replay: work that waits for the host ends in time, and the next range is measured") {
    static bool is_waiting = false;
    static decltype(abi::driver_table::EventQuery) really = nullptr;
    static gpuprof::hw::machine slow = sim::embedded_machine();
    really = sim::embedded_machine().driver.EventQuery;
    slow.driver.EventQuery = [](abi::CUevent event) { return is_waiting ? abi::CUDA_ERROR_NOT_READY : really(event); };
    int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
    program app{gpuprof::device::try_open(slow, ordinal, gpuprof::device_source::embedded).value()};
    auto options = by_range();
    options.replay_deadline_ms = 40;
    gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        {
            scope const range{prof, "waits"};
            app.grow_at(app.word);
            is_waiting = true; // from here on
        }
        is_waiting = false; // by the host
        scope const range{prof, "next"};
        app.grow_at(app.word);
    });
    CHECK(app.read(app.word) == 32);
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].what == "range \"waits\": 1 range was not measured");
    CHECK(report.completeness().problems[0].cause ==
          "its work had not ended after 40 ms: it may wait for the host, or for work that comes later");
    CHECK(report["next"].try_value(multiplied).value().value == 16);
}

TEST_CASE("range replay: on hardware a patched metric and launches of two streams do not go together") {
    auto const opened = sim::open_embedded("gh100", sim::collection::in_passes).value();
    program on{gpuprof::device::try_open(opened.machine(), opened.ordinal(), gpuprof::device_source::hardware).value()};
    for (bool const patched : {false, true}) {
        CAPTURE(patched);
        std::vector<gpuprof::metric_info> list{
            gpuprof::try_metric(patched ? multiplied : "dram__bytes_read.sum").value(),
            gpuprof::try_metric("smsp__warps_launched.sum").value()};
        gpuprof::profiler prof{on.gpu, by_range(), list};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            {
                scope const two{prof, "two"};
                on.tall(3, on.streams[0]);
                on.tall(4, on.streams[1]);
            }
            scope const one{prof, "one"};
            on.tall(5, on.streams[1]);
            on.tall(6, on.streams[1]);
        }
        auto const report = prof.report();
        CHECK(report.try_range("one").value().try_value("smsp__warps_launched.sum").value().value == 11);
        REQUIRE(report.completeness().problems.size() == (patched ? 1 : 0));
        CHECK(report.try_range("two").value().try_value("smsp__warps_launched.sum").has_value() == !patched);
        if (patched)
            CHECK(report.completeness().problems[0].message().find("counted by patching") != std::string::npos);
    }
}

TEST_CASE("range replay: whoever listens to passes hears of all of them at the end") {
    program app;
    static std::vector<std::pair<std::size_t, std::size_t>> heard;
    heard.clear();
    auto options = by_range();
    options.on_pass.tell = [](void*, std::size_t done, std::size_t needed) noexcept {
        heard.push_back({done, needed});
    };
    gpuprof::profiler prof{app.gpu, options, instructions, ffma_thread_inst};
    static_cast<void>(collect(prof, [&] {
        scope const range{prof, "range"};
        app.tall(1);
    }));
    CHECK(heard == std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}, {2, 2}});
}

TEST_CASE("range replay: all forms of calls are made again as they were made") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    auto const report = collect(prof, [&] {
        scope const range{prof, "range"};
        abi::CUdeviceptr at = app.word;
        std::size_t size = sizeof at;
        void* packed[]{reinterpret_cast<void*>(std::uintptr_t{1}), &at, reinterpret_cast<void*>(std::uintptr_t{2}),
                       &size, nullptr};
        REQUIRE(app.d.LaunchKernel(app.kernel("grow"), 1, 1, 1, 1, 1, 1, 0, app.streams[0], nullptr, packed) ==
                abi::CUDA_SUCCESS); // 8
        void* list[]{&at};
        REQUIRE(app.d.LaunchCooperativeKernel(app.kernel("grow"), 1, 1, 1, 1, 1, 1, 0, app.streams[0], list) ==
                abi::CUDA_SUCCESS); // 16
        abi::CUlaunchConfig config;
        config.gridDimX = config.gridDimY = config.gridDimZ = 1;
        config.blockDimX = config.blockDimY = config.blockDimZ = 1;
        config.hStream = app.streams[0];
        REQUIRE(app.d.LaunchKernelEx(&config, app.kernel("grow"), list, nullptr) == abi::CUDA_SUCCESS); // 32
        at = 0; // the calls have their own copies
        REQUIRE(app.d.Memcpy(app.other, app.word, 4) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD8Async(app.word, 1, 1, app.streams[0]) == abi::CUDA_SUCCESS);  // 64 becomes 1
        REQUIRE(app.d.MemsetD16Async(app.word, 3, 1, app.streams[0]) == abi::CUDA_SUCCESS); // 3
        app.grow_at(app.word, app.streams[0]);                                              // 3
        REQUIRE(app.d.MemsetD2D8(app.other + 64, 64, 1, 4, 2) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD2D32(app.other + 256, 64, 5, 1, 2) == abi::CUDA_SUCCESS);
        app.grow_at(app.other + 320); // 5
        REQUIRE(app.d.MemsetD2D16(app.other + 512, 64, 0x102, 2, 2) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD2D8Async(app.word + 128, 64, 0, 64, 2, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD2D32Async(app.word + 128, 64, 7, 1, 2, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.MemsetD2D16Async(app.word + 128, 64, 6, 1, 1, app.streams[0]) == abi::CUDA_SUCCESS);
        app.grow_at(app.word + 128, app.streams[0]); // 6
        app.grow_at(app.word + 192, app.streams[0]); // 7
        REQUIRE(app.d.StreamQuery(app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.EventRecord(app.event, app.streams[0]) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.EventQuery(app.event) == abi::CUDA_SUCCESS);
        REQUIRE(app.d.EventSynchronize(app.event) == abi::CUDA_SUCCESS);
    });
    CHECK(text_of(report) == "");
    CHECK(report["range"].try_value(multiplied).value().value == 8 + 16 + 32 + 3 + 5 + 6 + 7);
    CHECK(app.read(app.word + 128) == 12);
    CHECK(app.read(app.word + 192) == 14);
    CHECK(app.read(app.other + 576) == 0x01020102);
    CHECK(app.read(app.word) == 6);
    CHECK(app.read(app.other) == 64);
    CHECK(app.read(app.other + 320) == 10);
    CHECK(app.read(app.other + 64) == 0x01010101);
}

TEST_CASE("range replay: a pause is refused in words, and the program goes on") {
    program app;
    gpuprof::profiler prof{app.gpu, by_range(), instructions, ffma_thread_inst};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        scope const range{prof, "range"};
        app.grow_at(app.word);
        gpuprof::paused const here{prof};
        app.grow_at(app.word);
    }
    auto const report = prof.report();
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].code == errc::unavailable);
    CHECK_FALSE(report.try_range("range").value().try_value("smsp__inst_executed.sum").has_value());
    CHECK(app.read(app.word) == 32);
}

TEST_CASE("range replay: what does not go with it is refused") {
    program app;
    auto options = by_range();
    options.ranges = gpuprof::range_mode::auto_range;
    auto const kernels = gpuprof::profiler::try_create(app.gpu, options, instructions);
    REQUIRE_FALSE(kernels);
    CHECK(kernels.error().remedy == "use range_mode::user_range, or replay_mode::launch");
    options = by_range();
    options.merge_repeated = true;
    auto const merged = gpuprof::profiler::try_create(app.gpu, options, instructions);
    REQUIRE_FALSE(merged);
    CHECK(merged.error().code == errc::invalid_argument);
}

static_assert(gpuprof::go_together(gpuprof::range_mode::user_range, gpuprof::replay_mode::range));
static_assert(!gpuprof::go_together(gpuprof::range_mode::auto_range, gpuprof::replay_mode::range));

} // namespace range_replay_test

#endif
