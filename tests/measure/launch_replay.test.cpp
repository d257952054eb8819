// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mode::launch: gpuprof makes each launching call once a pass, and the application sees one execution.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
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
    explicit program(char const* chip = "gh100") : program{sim::open_embedded(chip, sim::collection::in_passes).value()} {}
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
        REQUIRE(d.LaunchKernel(kernel("tall"), blocks, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr) == abi::CUDA_SUCCESS);
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
    CHECK(report.completeness().memory_restores == 2); // one a launch, before its second pass
    CHECK(report.completeness().replay_passes == 2);
}

} // namespace launch_replay_test

#endif
