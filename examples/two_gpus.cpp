// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several GPUs in one process: a thread and a profiler for each, one table for all; then copies between them, traced.
// What you learn: open_devices, profilers side by side, side_by_side, peer access, and the bandwidth of a copy between GPUs.
// Without a GPU: GPUPROF_SIM_DEVICES=2 two_gpus
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <thread>
#include <type_traits>
#include <vector>

#include <gpuprof/ranks.hpp>
#include <gpuprof/sim.hpp> // embedded GPUs, used where there is no real one
#include <gpuprof/trace.hpp>

#include "support/ptx_program.hpp"

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;
namespace metrics = gpuprof::metrics;
namespace ranks = gpuprof::ranks;

// ys[i] = 2 * xs[i]
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry twice(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<5>; .reg .u64 %rd<6>; .reg .f32 %f<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    add.f32 %f1, %f1, %f1;
    st.global.f32 [%rd5], %f1;
    ret;
}
)";

static constexpr std::uint32_t n = 1u << 18;
static constexpr unsigned block = 256;

// Each GPU has twice the work of the one before it.
static gpuprof::report measure(gpuprof::device const& gpu, unsigned number) {
    static_cast<void>(gpu.driver().CtxSetCurrent(gpu.context())); // as cudaSetDevice, for this thread
    device_buffer x{gpu, n * 4}, y{gpu, n * 4};
    ptx_program program{gpu, kernels};
    gpuprof::profiler prof{gpu, metrics::warps_launched, metrics::global_load_sectors, metrics::gpu_time_duration};
    for ([[maybe_unused]] auto pass : prof.passes()) {
        gpuprof::scope step{prof, "step"};
        for (unsigned i = 0; i < 1u << number; ++i) program.launch("twice", n / block, block, x.address(), y.address());
    }
    program.wait();
    return prof.report();
}

// Copies from the first GPU to the second, and reads what a kernel of the first one finds in the second one's memory.
static void exchange(gpuprof::device const& first, gpuprof::device const& second) {
    abi::driver_table const& driver = first.driver();
    auto const use = [&](gpuprof::device const& gpu) { static_cast<void>(driver.CtxSetCurrent(gpu.context())); };
    constexpr std::size_t size = std::size_t{64} << 20;
    use(second);
    device_buffer there{second, size};
    use(first);
    device_buffer here{first, size};

    int can = 0;
    bool const direct = driver.DeviceCanAccessPeer(&can, first.handle(), second.handle()) == abi::CUDA_SUCCESS &&
                        can != 0 && driver.CtxEnablePeerAccess(second.context(), 0) == abi::CUDA_SUCCESS;
    constexpr auto kinds = activity::kinds<activity::peer_memcpy>;
    auto trace = gpuprof::tracer<std::remove_const_t<decltype(kinds)>>::try_begin(first, kinds).value();
    static_cast<void>(driver.MemcpyPeer(there.address(), second.context(), here.address(), first.context(), size));
    static_cast<void>(driver.CtxSynchronize());
    trace.try_flush().value().visit([](activity::peer_memcpy const& copy) {
        double const nanoseconds = static_cast<double>(copy.time.end.ticks - copy.time.start.ticks);
        std::cout << "GPU " << copy.from_device << " to GPU " << copy.to_device << ": " << copy.size << " at "
                  << static_cast<int>(copy.size.value() / nanoseconds + 0.5) << " GB/s\n";
    });
    if (!direct) {
        std::cout << "The first GPU cannot access the second one's memory.\n";
        return;
    }
    float const three = 3;
    float six = 0;
    static_cast<void>(driver.MemcpyHtoD(there.address(), &three, sizeof three));
    ptx_program program{first, kernels};
    program.launch("twice", 1, 32, there.address(), here.address()); // reads the other GPU's memory
    here.download(&six, sizeof six);
    std::cout << "A kernel of the first GPU read the second one's memory: 2 * 3 = " << six << '\n';
}

int main() try {
    auto const opened = gpuprof::try_open_devices();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    std::vector<gpuprof::device> const& gpus = *opened;

    std::vector<gpuprof::report> reports(gpus.size());
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < gpus.size(); ++i) threads.emplace_back([&, i] { reports[i] = measure(gpus[i], i); });
    for (std::thread& each : threads) each.join();
    std::cout << ranks::side_by_side(reports);

    if (gpus.size() > 1) exchange(gpus[0], gpus[1]);
    else std::cout << "There is one GPU, so that nothing is copied between two.\n";
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
