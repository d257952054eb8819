// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program to record and to replay: three kernels, launched through the driver of whatever device it gets.
#ifndef GPUPROF_TESTS_SUPPORT_RECORDED_PROGRAM_HPP
#define GPUPROF_TESTS_SUPPORT_RECORDED_PROGRAM_HPP

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace test {

inline constexpr char recorded_kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 128 .b8 data[16384];
.visible .entry load(.param .u32 stride) {
    .reg .u64 %rd<4>; .reg .u32 %r<6>; .reg .f32 %f<2>;
    ld.param.u32 %r5, [stride];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.lo.u32 %r4, %r4, %r5; mul.wide.u32 %rd1, %r4, 4;
    mov.u64 %rd2, data; add.u64 %rd3, %rd2, %rd1;
    ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3], %f1;
    ret;
}
.visible .entry nothing() { ret; }
)";

// Launches as a program would: it does not know what device it has.
class kernels_of {
public:
    explicit kernels_of(gpuprof::device const& gpu) : driver_{gpu.driver()} {
        REQUIRE(driver_.ModuleLoadData(&module_, recorded_kernels) == gpuprof::abi::CUDA_SUCCESS);
    }
    void load(unsigned blocks, unsigned stride = 1) const {
        void* parameters[]{&stride};
        launch("load", blocks, parameters);
    }
    void nothing() const { launch("nothing", 1, nullptr); }

private:
    void launch(char const* name, unsigned blocks, void** parameters) const {
        gpuprof::abi::CUfunction kernel = nullptr;
        REQUIRE(driver_.ModuleGetFunction(&kernel, module_, name) == gpuprof::abi::CUDA_SUCCESS);
        CHECK(driver_.LaunchKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) ==
              gpuprof::abi::CUDA_SUCCESS);
    }
    gpuprof::abi::driver_table const& driver_;
    gpuprof::abi::CUmodule module_ = nullptr;
};

// Counters, a quotient that may be 0/0, what is known of a launch, a text.
inline gpuprof::result<gpuprof::profiler> recorded_profiler(gpuprof::device const& gpu,
                                                            gpuprof::profiler_options const& options = {}) {
    return gpuprof::profiler::try_create(
        gpu, options, gpuprof::metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum">,
        gpuprof::metric<"smsp__warps_launched.sum">, gpuprof::metric<"l1tex__t_sector_hit_rate.pct">,
        gpuprof::metric<"launch__grid_size">, gpuprof::metric<"launch__occupancy_limit_warps">,
        gpuprof::metric<"device__attribute_display_name">);
}

// frame { step, step, last }: the steps load, the last one does nothing.
inline gpuprof::report recorded_run(gpuprof::device const& gpu) {
    kernels_of const kernels{gpu};
    auto prof = recorded_profiler(gpu);
    REQUIRE_MESSAGE(prof, (prof ? std::string{} : prof.error().message()));
    for (gpuprof::pass const& each : prof->passes()) {
        static_cast<void>(each);
        gpuprof::scope frame{*prof, "frame"};
        for (unsigned stride = 1; stride <= 2; ++stride) {
            gpuprof::scope step{*prof, "step"};
            kernels.load(4, stride);
        }
        gpuprof::scope last{*prof, "last"};
        kernels.nothing();
    }
    auto report = prof->try_report();
    REQUIRE(report);
    return *report;
}

inline gpuprof::device embedded_gpu() {
    auto opened = gpuprof::sim::open_embedded("");
    REQUIRE(opened);
    return *std::move(opened);
}
inline gpuprof::device replayed(std::string const& file) {
    auto opened = gpuprof::hw::try_open_recording(file);
    REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
    return *std::move(opened);
}

inline std::string content_of(std::string const& file) {
    std::ifstream in{file, std::ios::binary};
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}
inline void put(std::string const& file, std::string const& text) {
    std::ofstream out{file, std::ios::binary};
    out << text;
}

inline bool says(gpuprof::error const& why, char const* part) {
    std::string const text = why.message();
    bool const found = text.find(part) != text.npos;
    if (!found) MESSAGE(text);
    return found;
}

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_RECORDED_PROGRAM_HPP
