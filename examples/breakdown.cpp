// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes a throughput as high as it is: each of its constituents, the highest first.
// What you learn: try_breakdown() for a device, and a profiler whose metrics are known when the program runs.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <iostream>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/range/device_breakdown.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

// y[i] = x[(32 * i) mod n], n a power of two: each thread of a warp reads from a cache line of its own.
static constexpr char gather[] = R"(
.version 7.0
.target sm_70
.address_size 64
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
    constexpr char throughput[] = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    auto const breakdown = gpuprof::try_breakdown(gpu, throughput, gpuprof::breakdown_depth::all_levels);
    if (!breakdown) {
        std::cout << "No breakdown.\n" << breakdown.error().message() << '\n';
        return 0;
    }

    constexpr std::uint32_t n = 1u << 20;
    constexpr unsigned block = 256;
    device_buffer x{gpu, n * 4}, y{gpu, n * 4};
    ptx_program program{gpu, gather};

    std::vector<gpuprof::metric_info> metrics = breakdown->parts;
    metrics.push_back(gpuprof::try_metric(throughput).value());
    auto prof = gpuprof::profiler::try_create(gpu, {}, metrics);
    if (!prof) {
        std::cout << "Nothing measured.\n" << prof.error().message() << '\n';
        return 0;
    }
    for (auto pass : prof->passes()) {
        gpuprof::scope scope{*prof, "gather"};
        program.launch("gather", n / block, block, x.address(), y.address(), n - 1);
    }
    auto const report = prof->report();
    auto const range = report["gather"];

    auto const share = [&](gpuprof::metric_info const& of) {
        auto const value = range.try_value(of.name); // none where a peak is not known
        return value ? value->value : -1;
    };
    std::cout << std::fixed << std::setprecision(1) << std::setw(6) << share(metrics.back()) << " %  " << throughput
              << ", the highest of:\n";
    metrics.pop_back();
    std::sort(metrics.begin(), metrics.end(), [&](auto const& a, auto const& b) { return share(a) > share(b); });
    for (auto const& each : metrics)
        if (share(each) >= 0) std::cout << std::setw(6) << share(each) << " %  " << each.name << '\n';
    for (gpuprof::error const& each : breakdown->lacking) std::cout << "   n/a    " << each.what << '\n';
    if (!breakdown->lacking.empty()) std::cout << "n/a: " << breakdown->lacking.front().cause << ".\n";
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
