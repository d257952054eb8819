// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an event's count while kernels run, from a second thread: the job of CUPTI's sample event_sampling. Needs event
// hardware (capability 2.0 to 7.2); without one, try GPUPROF_DEVICE=sim:5.2.
// What you learn: event_sampler, and that sampling neither waits for the GPU nor belongs to a range.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "support/ptx_program.hpp"

// sum: every thread adds up `count` numbers.
static constexpr char kernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry sum(.param .u64 ys, .param .u32 count) {
    .reg .u32 %r<8>; .reg .u64 %rd<4>; .reg .pred %p<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [ys]; ld.param.u32 %r5, [count];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r6, 0;
again:
    add.u32 %r6, %r6, %r5;
    sub.u32 %r5, %r5, 1;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra again;
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

    std::vector<std::string> const events{"inst_executed"};
    auto sampler = gpuprof::event_sampler::try_open(gpu, events);
    if (!sampler) {
        std::cout << "No events to sample.\n" << sampler.error().message() << '\n';
        return 0;
    }
    device_buffer y{gpu, 4096 * 4};
    ptx_program program{gpu, kernels};

    // One thread samples until the other one has finished its kernels, and once more for what came last.
    std::atomic<bool> done{false};
    std::vector<gpuprof::event_sample> samples;
    std::thread reader{[&] {
        for (bool last = false; !last;) {
            last = done;
            gpuprof::event_sample one;
            if (auto read = sampler->try_sample(one); !read) {
                std::cerr << read.error().message() << '\n';
                return;
            }
            samples.push_back(one);
            std::this_thread::sleep_for(std::chrono::milliseconds{2});
        }
    }};
    for (int i = 0; i < 20; ++i) program.launch("sum", 16, 256, y.address(), 200u);
    program.wait();
    done = true;
    reader.join();

    double total = 0;
    std::size_t busy = 0;
    for (gpuprof::event_sample const& each : samples) {
        total += each.counts[0];
        busy += each.counts[0] > 0;
    }
    std::cout << gpu.name() << ": " << events[0] << " in " << samples.size() << " samples, " << busy
              << " of them not empty:\n";
    std::uint64_t const begin = samples.empty() ? 0 : samples.front().timestamp_ns;
    for (gpuprof::event_sample const& each : samples)
        if (each.counts[0] > 0)
            std::cout << "  " << (each.timestamp_ns - begin) / 1000 << " us: " << each.counts[0] << '\n';
    std::cout << total << " warp instructions together\n";
    return total > 0 || !GPUPROF_ENABLED ? 0 : 1;
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
