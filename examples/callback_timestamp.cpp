// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the program is inside each copy and each launch: the job of CUPTI's sample callback_timestamp.
// What you learn: gpuprof::callbacks, families of functions, and the word that goes from a call's entry to its exit.
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/trace/callbacks.hpp>
#include <gpuprof/trace/function_families.hpp>

#include "support/ptx_program.hpp"

// add: z[i] = x[i] + y[i].
static constexpr char kernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry add(.param .u64 xs, .param .u64 ys, .param .u64 zs) {
    .reg .u32 %r<8>; .reg .u64 %rd<8>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd4, %r4, 4;
    ld.param.u64 %rd1, [xs]; add.u64 %rd1, %rd1, %rd4; ld.global.u32 %r5, [%rd1];
    ld.param.u64 %rd2, [ys]; add.u64 %rd2, %rd2, %rd4; ld.global.u32 %r6, [%rd2];
    ld.param.u64 %rd3, [zs]; add.u64 %rd3, %rd3, %rd4;
    add.u32 %r7, %r5, %r6;
    st.global.u32 [%rd3], %r7;
    ret;
}
)";

static std::uint64_t now() {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count());
}

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    constexpr unsigned count = 4096;
    device_buffer x{gpu, count * 4}, y{gpu, count * 4}, z{gpu, count * 4};
    ptx_program program{gpu, kernels};
    std::vector<unsigned> host(count, 7);

    // The handler runs on the thread that makes the call; this program has one.
    auto const report = [](gpuprof::api_call_event const& call) {
        if (call.enter()) {
            call.word() = now();
            return;
        }
        auto const ns = now() - call.word();
        std::cout << std::left << std::setw(24) << call.name() << std::right << std::setw(10) << ns / 1000 << " us";
        if (auto const copy = call.copy()) std::cout << "  " << copy->bytes << " bytes";
        if (auto const launch = call.launch())
            std::cout << "  " << call.symbol() << ", " << launch->grid[0] << " blocks";
        std::cout << (call.failed() ? "  failed\n" : "\n");
    };
    auto heard = gpuprof::callbacks::try_begin(
        gpu, gpuprof::driver_calls::copies | gpuprof::driver_calls::launches | gpuprof::driver_calls::synchronizations,
        report);
    if (!heard) {
        std::cout << "No callbacks.\n" << heard.error().message() << '\n';
        return 0;
    }

    auto const& driver = gpu.driver();
    static_cast<void>(driver.MemcpyHtoD(x.address(), host.data(), count * 4));
    static_cast<void>(driver.MemcpyHtoD(y.address(), host.data(), count * 4));
    program.launch("add", count / 256, 256, x.address(), y.address(), z.address());
    program.wait();
    static_cast<void>(driver.MemcpyDtoH(host.data(), z.address(), count * 4));
    if (host[17] != 14 && GPUPROF_ENABLED) return 1;
    return 0;
} catch (std::exception const& failed) {
    std::cerr << failed.what() << '\n';
    return 1;
}
