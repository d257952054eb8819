// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each instruction of a kernel counts, without replay: sums of each kernel, and of each line of its source.
// What you learn: sass_counter, sass_counts, lines_of().
#include <cstdint>
#include <iostream>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

// halve: ys[i] = i / 2, counted down one by one: threads of a warp leave the loop one after the other.
static constexpr char kernels[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry halve(.param .u64 ys) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>; .reg .pred %p<2>;
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [ys];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r2, %r1;
    mov.u32 %r3, 0;
again:
    setp.lt.u32 %p1, %r2, 2;
    @%p1 bra done;
    sub.u32 %r2, %r2, 2;
    add.u32 %r3, %r3, 1;
    bra.uni again;
done:
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
}
)";

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to count on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    auto code = gpuprof::module_code::try_watch(gpu); // before the kernel is loaded
    auto counter = gpuprof::sass_counter::try_open(
        gpu, {"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed", "smsp__sass_inst_executed_op_global_st"});
    if (!counter || !code) {
        std::cout << "No counts of instructions.\n" << (counter ? code.error() : counter.error()).message() << '\n';
        return 0;
    }

    device_buffer y{gpu, 256 * 4};
    ptx_program program{gpu, kernels};
    program.launch("halve", 1, 256u, y.address());

    gpuprof::sass_counts const counts = counter->try_finish().value();
    std::cout << gpuprof::io::table(counts) << '\n' << gpuprof::io::table(counts, lines_of(counts, *code));
    return counts.records.empty() && GPUPROF_ENABLED ? 1 : 0;
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
