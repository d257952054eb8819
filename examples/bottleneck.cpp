// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A frozen frame of three objects, measured pass by pass, and what bounds each of them.
// What you learn: experiment, objects, mistakes, find_bottleneck, the numbers behind a verdict.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

// copy: 16 bytes a thread. sum_columns: each thread adds up 64 words of shared memory, in a bank that 32 lanes share.
// follow: each load needs what the one before it brought.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<9>; .reg .u64 %rd<6>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 16; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd4];
    st.global.v4.u32 [%rd5], {%r5, %r6, %r7, %r8};
    ret;
}
.visible .entry sum_columns(.param .u64 xs, .param .u64 ys) {
    .shared .align 4 .b8 tile[8192];
    .reg .u32 %r<10>; .reg .u64 %rd<4>; .reg .pred %p<2>;
    mov.u32 %r1, %tid.x; mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 7; and.b32 %r3, %r3, 4095; add.u32 %r4, %r2, %r3;
    mov.u32 %r5, 0; mov.u32 %r6, 0;
$again:
    ld.shared.u32 %r7, [%r4]; ld.shared.u32 %r8, [%r4+4];
    add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8;
    add.u32 %r4, %r4, 8; add.u32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, 32;
    @%p1 bra $again;
    ld.param.u64 %rd1, [ys]; cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r6;
    ret;
}
.visible .entry follow(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<6>; .reg .u64 %rd<6>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [xs]; cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
$next:
    mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
    ld.global.cg.u32 %r3, [%rd3];
    add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, 32;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 500;
    @%p1 bra $next;
    ld.param.u64 %rd4, [ys]; cvta.to.global.u64 %rd4, %rd4;
    st.global.u32 [%rd4], %r1;
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

    constexpr unsigned vectors = 3u << 20; // 48 MiB read, 48 MiB written
    device_buffer x{gpu, std::size_t{vectors} * 16}, y{gpu, std::size_t{vectors} * 16};
    ptx_program program{gpu, kernels};
    std::uint64_t const from = x.address(), to = y.address();

    // The metrics that the simplified experiments need, as far as this GPU has them.
    auto const metrics = gpuprof::explain::try_bottleneck_metrics(gpu);
    if (!metrics) {
        std::cout << "Nothing can be said of this GPU.\n" << metrics.error().message() << '\n';
        return 0;
    }
    gpuprof::experiment frozen{gpu};
    frozen.enable(*metrics);

    enum object : std::size_t { copy, sum_columns, follow, objects };
    frozen.reserve_objects(objects);
    auto const draw = [&](object id, unsigned grid, unsigned block, char const* kernel) {
        frozen.begin_object(id);
        program.launch(kernel, grid, block, from, to);
        frozen.end_object(id);
    };
    if (frozen.begin())
        for (std::size_t pass = 0; pass < frozen.passes(); ++pass) {
            frozen.begin_pass(pass);
            draw(copy, vectors / 256, 256, "copy");
            draw(sum_columns, 1056, 256, "sum_columns");
            draw(follow, 1, 32, "follow");
            frozen.end_pass(pass);
        }
    frozen.end();

    // Every call above answers what was wrong; what a program did not look at is kept.
    for (auto const& mistake : frozen.mistakes()) std::cout << "mistake: " << mistake.first.message() << '\n';
    if (frozen.refusal()) std::cout << frozen.refusal()->message() << '\n';

    constexpr char const* names[]{"copy", "sum_columns", "follow"};
    for (std::size_t id = 0; id < objects; ++id)
        if (auto const range = frozen.try_object(id))
            std::cout << names[id] << '\n' << gpuprof::explain::find_bottleneck(*range) << '\n';
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
