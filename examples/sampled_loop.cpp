// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hot loop that runs once: its scopes have counters all the same, from samples of the hardware.
// What you learn: sampled_profiler, bursts, how far a value may be off, a scope that is too short to tell.
#include <cstdint>
#include <iostream>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

// y[i] = x[i] after `rounds` multiplications and additions.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry polynomial(.param .u64 xs, .param .u64 ys, .param .u32 rounds) {
    .reg .pred %p<2>; .reg .u32 %r<7>; .reg .u64 %rd<6>; .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys]; ld.param.u32 %r5, [rounds];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4]; mov.f32 %f2, %f1;
AGAIN:
    fma.rn.f32 %f2, %f2, %f1, %f1;
    sub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra AGAIN;
    st.global.f32 [%rd5], %f2;
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
    constexpr std::uint32_t blocks = 132, block = 32; // one warp on each multiprocessor of an H200
    device_buffer x{gpu, blocks * block * 4}, y{gpu, blocks * block * 4};
    ptx_program program{gpu, kernels};

    constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;
    auto made = gpuprof::sampled_profiler::try_create(gpu, {}, instructions, gpuprof::metric<"gpu__time_duration.sum">);
    if (!made) { // an older GPU, or an older CUPTI
        std::cout << "This device is not sampled.\n" << made.error().message() << '\n';
        return 0;
    }
    gpuprof::sampled_profiler& prof = *made;
    {
        auto burst = prof.sample();
        for (int i = 0; i < 10; ++i) {
            gpuprof::scope frame{prof, "frame"};
            {
                gpuprof::scope step{prof, "long"};
                program.launch("polynomial", blocks, block, x.address(), y.address(), 2000u);
            }
            gpuprof::scope step{prof, "short"};
            program.launch("polynomial", 1, 32, x.address(), y.address(), 1u);
        }
    }
    gpuprof::report const report = prof.report();
    std::cout << report;

    // Every warp executes the same: what ranges would count is known.
    auto const range = report.try_range("frame/long");
    auto const counted = range ? range->try_get(instructions) : range.error();
    auto const deviation = range ? range->try_deviation(instructions.name()) : range.error();
    if (counted && deviation && *deviation)
        std::cout << "long: " << gpuprof::instructions{counted->value() / 10} << " a frame, +- "
                  << **deviation / counted->value() * 100 << " %\n";
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
