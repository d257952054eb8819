// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events and metrics of the old hardware, by their old names, on any GPU: the jobs of CUPTI's samples callback_event and
// callback_metric. Try GPUPROF_DEVICE=sim:2.0, sim:5.2, sim:7.0 and sim:9.0: not a line changes.
// What you learn: gpuprof/legacy.hpp, legacy_metric, legacy_event, and that a name keeps its unit everywhere.
#include <cstdint>
#include <iostream>

#include <gpuprof/legacy.hpp> // event hardware, and legacy names on every device
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "support/ptx_program.hpp"

using gpuprof::legacy_event;
using gpuprof::legacy_metric;

// copy: y[i] = x[i * stride]. parity: threads of odd number take another way than those of even number.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry copy(.param .u64 xs, .param .u64 ys, .param .u32 stride) {
    .reg .u32 %r<7>; .reg .u64 %rd<5>; .reg .f32 %f<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys]; ld.param.u32 %r5, [stride];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.lo.u32 %r6, %r4, %r5;
    mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd1, %rd3;
    mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd2, %rd4;
    ld.global.f32 %f1, [%rd3];
    st.global.f32 [%rd4], %f1;
    ret;
}
.visible .entry parity(.param .u64 ys) {
    .reg .u32 %r<7>; .reg .u64 %rd<4>; .reg .pred %p<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [ys]; cvta.to.global.u64 %rd1, %rd1;
    and.b32 %r5, %r3, 1;
    setp.eq.u32 %p1, %r5, 0;
    @%p1 bra even;
    mul.lo.u32 %r6, %r4, 3;
    bra done;
even:
    add.u32 %r6, %r4, 7;
done:
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r6;
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

    constexpr std::uint32_t n = 1u << 14;
    constexpr std::uint32_t stride = 32;
    constexpr unsigned block = 256;
    device_buffer x{gpu, std::size_t{n} * stride * 4}, y{gpu, n * 4};
    ptx_program program{gpu, kernels};

    gpuprof::profiler prof{gpu,
                           legacy_event<"warps_launched">,
                           legacy_event<"active_cycles">,
                           legacy_metric<"inst_executed">,
                           legacy_metric<"inst_per_warp">,
                           legacy_metric<"ipc">,
                           legacy_metric<"achieved_occupancy">,
                           legacy_metric<"warp_execution_efficiency">,
                           legacy_metric<"gld_efficiency">,
                           legacy_metric<"gst_efficiency">,
                           legacy_metric<"gld_requested_throughput">};
    for (auto pass : prof.passes()) {
        {
            gpuprof::scope kernel{prof, "coalesced"};
            program.launch("copy", n / block, block, x.address(), y.address(), 1u);
        }
        {
            gpuprof::scope kernel{prof, "strided"};
            program.launch("copy", n / block, block, x.address(), y.address(), stride);
        }
        {
            gpuprof::scope kernel{prof, "parity"};
            program.launch("parity", n / block, block, y.address());
        }
    }
    program.wait();

    gpuprof::report const report = prof.report();
    std::cout << report;
    if (!report.complete() && GPUPROF_ENABLED) return 1;

    gpuprof::percent const coalesced = report["coalesced"][legacy_metric<"gld_efficiency">];
    gpuprof::percent const strided = report["strided"][legacy_metric<"gld_efficiency">];
    std::cout << "Of what a load moved, " << coalesced.value() << " % was asked for when coalesced, " << strided.value()
              << " % at a stride of " << stride << ".\n";
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
