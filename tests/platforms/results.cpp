// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels on the embedded GPU and prints what is in memory afterwards, and every value of a report, bit by bit:
// results.txt has what Linux on x86-64 prints, and a test on each platform compares. Four kernels: a big grid, one whose
// threads part ways and meet again, arithmetic that a compiler could fuse, and functions that come from the C library.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "../../examples/support/ptx_program.hpp"

namespace {

constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry big(.param .u64 to) {
    .reg .u32 %r<6>; .reg .u64 %rd<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    mul.lo.u32 %r5, %r4, 2654435761; xor.b32 %r5, %r5, %r1;
    st.global.u32 [%rd3], %r5;
    ret;
}
.visible .entry diverge(.param .u64 to) {
    .reg .pred %p<4>; .reg .u32 %r<9>; .reg .u64 %rd<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    and.b32 %r5, %r4, 31; mov.u32 %r6, %r4; mov.u32 %r7, 0;
$again:
    setp.eq.u32 %p1, %r5, 0;
    @%p1 bra $done;
    and.b32 %r8, %r6, 1; setp.eq.u32 %p2, %r8, 1;
    @%p2 bra $odd;
    shr.u32 %r6, %r6, 1; add.u32 %r7, %r7, 1;
    bra $met;
$odd:
    mad.lo.u32 %r6, %r6, 3, 1;
    atom.global.add.u32 %r8, [%rd1+16384], 1;
$met:
    sub.u32 %r5, %r5, 1;
    bra $again;
$done:
    shl.b32 %r7, %r7, 24; xor.b32 %r6, %r6, %r7;
    st.global.u32 [%rd3], %r6;
    ret;
}
.visible .entry fused(.param .u64 to) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>; .reg .f32 %f<6>; .reg .f64 %d<7>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    mul.wide.u32 %rd2, %r4, 8; add.u64 %rd3, %rd1, %rd2;
    cvt.rn.f32.u32 %f1, %r4; add.f32 %f1, %f1, 0f3DCCCCCD; rcp.rn.f32 %f2, %f1;
    mul.rn.f32 %f3, %f1, %f2; sub.rn.f32 %f3, %f3, 0f3F800000;
    fma.rn.f32 %f4, %f1, %f2, 0fBF800000;
    mad.rn.f32 %f5, %f3, 0f40400000, %f4;
    cvt.f64.f32 %d1, %f1; rcp.rn.f64 %d2, %d1;
    mul.rn.f64 %d3, %d1, %d2; sub.rn.f64 %d3, %d3, 0d3FF0000000000000;
    fma.rn.f64 %d4, %d1, %d2, 0dBFF0000000000000;
    sqrt.rn.f64 %d5, %d1; add.rn.f64 %d3, %d3, %d4; fma.rz.f64 %d6, %d5, %d5, %d3;
    cvt.f64.f32 %d5, %f5; add.rn.f64 %d6, %d6, %d5;
    st.global.f64 [%rd3], %d6;
    ret;
}
.visible .entry functions(.param .u64 to) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>; .reg .f32 %f<8>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    cvt.rn.f32.u32 %f1, %r4; mul.rn.f32 %f1, %f1, 0f3A83126F;
    sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f1; ex2.approx.f32 %f4, %f1;
    add.rn.f32 %f1, %f1, 0f3F800000;
    lg2.approx.f32 %f5, %f1; rsqrt.approx.f32 %f6, %f1; div.approx.f32 %f7, %f2, %f1;
    add.rn.f32 %f2, %f2, %f3; add.rn.f32 %f4, %f4, %f5; add.rn.f32 %f6, %f6, %f7;
    add.rn.f32 %f2, %f2, %f4; add.rn.f32 %f2, %f2, %f6;
    st.global.f32 [%rd3], %f2;
    ret;
}
)";

// FNV-1a: one bit of difference anywhere is another number.
std::uint64_t digest(device_buffer const& memory, std::size_t bytes) {
    std::vector<unsigned char> content(bytes);
    memory.download(content.data(), bytes);
    std::uint64_t sum = 0xcbf2'9ce4'8422'2325;
    for (unsigned char const each : content) sum = (sum ^ each) * 0x100'0000'01b3;
    return sum;
}

void print(char const* what, std::uint64_t bits) {
    std::printf("%s %08x%08x\n", what, static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits & 0xffff'ffff));
}

} // namespace

int main() try {
    gpuprof::device const gpu = gpuprof::sim::open_embedded("GH100").value();
    constexpr std::size_t bytes = std::size_t{1} << 22;
    struct run {
        char const* kernel;
        unsigned grid;
        std::size_t digested;
    };
    ptx_program program{gpu, kernels};
    device_buffer memory{gpu, bytes};
    // Blocks of 256 threads; the digest is of what they wrote.
    for (run const& each : {run{"big", 4096, bytes}, run{"diverge", 16, 4 * 4097}, run{"fused", 64, 8 * 64 * 256},
                            run{"functions", 64, 4 * 64 * 256}}) {
        gpuprof::profiler counters{gpu,
                                   gpuprof::metric<"smsp__inst_executed.sum">,
                                   gpuprof::metric<"smsp__thread_inst_executed.sum">,
                                   gpuprof::metric<"smsp__warps_launched.sum">,
                                   gpuprof::metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum">,
                                   gpuprof::metric<"lts__t_sectors.sum">,
                                   gpuprof::metric<"dram__bytes_write.sum">,
                                   gpuprof::metric<"sm__cycles_active.avg">,
                                   gpuprof::metric<"gpc__cycles_elapsed.max">,
                                   gpuprof::metric<"sm__warps_active.avg.pct_of_peak_sustained_active">,
                                   gpuprof::metric<"gpu__time_duration.sum">};
        for (auto pass : counters.passes()) {
            gpuprof::scope const range{counters, each.kernel};
            program.launch(each.kernel, each.grid, 256, memory.address());
        }
        program.wait();
        std::printf("%s\n", each.kernel);
        print("  memory", digest(memory, each.digested));
        gpuprof::report const report = counters.report();
        for (auto const& metric : report.metrics()) {
            auto const value = report[each.kernel].try_value(metric.name);
            std::printf("  %s", metric.name.c_str());
            if (value) print("", std::bit_cast<std::uint64_t>(value->value));
            else std::printf(" %s\n", value.error().message().c_str());
        }
    }
} catch (std::exception const& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
