// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main job: scopes around a hot loop, as many passes as the counters need, a table of typed values.
// What you learn: profiler, passes(), nested scopes, report, and what a strided access costs in sectors.
#include <cstdint>
#include <iostream>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

namespace metrics = gpuprof::metrics;

// saxpy: y[i] = a * x[i] + y[i]. gather: y[i] = x[(32 * i) mod n], n a power of two.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry saxpy(.param .u64 xs, .param .u64 ys, .param .f32 a) {
    .reg .u32 %r<5>; .reg .u64 %rd<6>; .reg .f32 %f<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys]; ld.param.f32 %f1, [a];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%rd5], %f3;
    ret;
}
.visible .entry gather(.param .u64 xs, .param .u64 ys, .param .u32 mask) {
    .reg .u32 %r<8>; .reg .u64 %rd<6>; .reg .f32 %f<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys]; ld.param.u32 %r5, [mask];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    shl.b32 %r6, %r4, 5; and.b32 %r6, %r6, %r5;
    mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd1, %rd3;
    mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd2, %rd4;
    ld.global.f32 %f1, [%rd3];
    st.global.f32 [%rd4], %f1;
    ret;
}
)";

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    constexpr std::uint32_t n = 1u << 20;
    constexpr unsigned block = 256;
    device_buffer x{gpu, n * 4}, y{gpu, n * 4};
    ptx_program program{gpu, kernels};

    gpuprof::profiler prof{gpu,
                           metrics::warps_launched,
                           metrics::inst_executed,
                           metrics::global_load_requests,
                           metrics::global_load_sectors,
                           metrics::l2_sectors_read,
                           metrics::gpu_time_duration};
    for (auto pass : prof.passes()) {
        gpuprof::scope frame{prof, "frame"};
        for (int i = 0; i < 3; ++i) {
            gpuprof::scope step{prof, "saxpy"};
            program.launch("saxpy", n / block, block, x.address(), y.address(), 2.0f);
        }
        gpuprof::scope step{prof, "gather"};
        program.launch("gather", n / block, block, x.address(), y.address(), n - 1);
    }
    program.wait();

    gpuprof::report const report = prof.report();
    std::cout << report;

    // Values are typed: sectors over requests is sectors per request, and nothing else compiles.
    for (auto const* path : {"frame/saxpy", "frame/gather"}) {
        gpuprof::sectors_per_request const spread =
            report[path][metrics::global_load_sectors] / report[path][metrics::global_load_requests];
        std::cout << path << ": " << spread << (spread.value() <= 4 ? ", coalesced\n" : ", scattered\n");
    }
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
