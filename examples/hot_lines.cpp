// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lines of a kernel its warps stall at, and why: hot_lines [page.html] also writes the lines as a page of HTML.
// What you learn: pc_sampler, module_code, lines_of(), tables of kernels and of lines.
#include <cstdint>
#include <iostream>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

// gather: ys[i] = 3 * xs[32 * i] + 1, with a step of 128 bytes from thread to thread.
static constexpr char kernels[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry gather(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<6>; .reg .u64 %rd<7>; .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    shl.b32 %r5, %r4, 5;
    ld.param.u64 %rd1, [xs];
    ld.param.u64 %rd2, [ys];
    cvta.to.global.u64 %rd1, %rd1;
    cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r5, 4;
    add.u64 %rd4, %rd1, %rd3;
    ld.global.f32 %f1, [%rd4];
    fma.rn.f32 %f2, %f1, 0f40400000, 0f3F800000;
    mul.wide.u32 %rd5, %r4, 4;
    add.u64 %rd6, %rd2, %rd5;
    st.global.f32 [%rd6], %f2;
    ret;
}
)";

int main(int argc, char** argv) try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to sample.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    gpuprof::pc_sampling_options options;
    options.period = 8; // a sample every 256 cycles: the kernel is short
    auto sampler = gpuprof::pc_sampler::try_open(gpu, options);
    auto code = gpuprof::module_code::try_watch(gpu); // before the kernel is loaded
    if (!sampler || !code) {
        std::cout << "No samples of instructions.\n" << (sampler ? code.error() : sampler.error()).message() << '\n';
        return 0;
    }

    constexpr std::uint32_t n = 1u << 16;
    device_buffer x{gpu, n * 128}, y{gpu, n * 4};
    ptx_program program{gpu, kernels};
    program.launch("gather", n / 256, 256u, x.address(), y.address());

    gpuprof::pc_samples const samples = sampler->try_finish().value();
    gpuprof::source_table const lines = gpuprof::lines_of(samples, *code);
    std::cout << gpuprof::io::table(samples) << '\n' << gpuprof::io::table(lines);
    if (argc > 1) gpuprof::io::try_write_html(lines, argv[1]).value();
    return samples.samples() > 0 || !GPUPROF_ENABLED ? 0 : 1;
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
