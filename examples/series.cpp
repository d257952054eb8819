// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which block size and how much shared memory a kernel should be launched with: all combinations, measured alike.
// What you learn: series, axes, combinations that cannot be launched, the best and what cannot be told from it.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

// relax: x[i] = 0.5 * (x[i] + x[i + 1]), sixteen times over a tile in shared memory. It changes its input.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 4 .b8 tile[];
.visible .entry relax(.param .u64 xs) {
    .reg .u32 %r<9>; .reg .u64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    mov.u32 %r5, tile; shl.b32 %r6, %r3, 2; add.u32 %r5, %r5, %r6;
    st.shared.f32 [%r5], %f1;
    mov.u32 %r7, 0;
$again:
    bar.sync 0;
    ld.shared.f32 %f2, [%r5+4];
    bar.sync 0;
    add.rn.f32 %f1, %f1, %f2; mul.rn.f32 %f1, %f1, 0f3F000000;
    st.shared.f32 [%r5], %f1;
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p1, %r7, 16;
    @%p1 bra $again;
    st.global.f32 [%rd3], %f1;
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
    namespace explain = gpuprof::explain;

    constexpr unsigned threads = 1u << 18;
    device_buffer x{gpu, std::size_t{threads} * 4};
    ptx_program program{gpu, kernels};
    std::uint64_t address = x.address();

    // The shared memory of a block: what its tile needs at least, and more, as a kernel with larger tiles would take.
    explain::series sweep{gpu,
                          {{"block", {64, 256, 1024, 2048}},
                           explain::dynamic_shared_axis(program.kernel("relax"), {8'200, 32'768, 98'304})},
                          gpuprof::metrics::gpu_time_duration,
                          gpuprof::metric<"sm__warps_active.avg.pct_of_peak_sustained_active">};
    std::cout << sweep.combinations() << " combinations, the work runs " << sweep.runs() << " times\n";

    auto const found = sweep.try_measure([&](explain::parameters const& with) {
        auto const block = with.get<unsigned>("block");
        void* arguments[]{&address};
        return gpu.driver().LaunchKernel(program.kernel("relax"), threads / block, 1, 1, block, 1, 1,
                                         with.get<unsigned>("shared"), nullptr, arguments, nullptr);
    });
    if (!found) {
        std::cout << "Nothing was measured.\n" << found.error().message() << '\n';
        return 0;
    }
    std::cout << *found;
    if (auto const best = found->try_best()) std::cout << "launch it with blocks of " << best->values["block"] << '\n';
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
