// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracing that comes and goes while a program runs: now and then it looks at what ran, and in between CUPTI is not there.
// What you learn: try_stop() and try_start() for short breaks, try_detach() for long ones.
#include <cstdint>
#include <iostream>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one
#include <gpuprof/trace.hpp>

#include "support/ptx_program.hpp"
#include "support/vector_kernels.hpp"

namespace activity = gpuprof::activity;

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to trace.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    constexpr std::uint32_t n = 1u << 12;
    device_buffer x{gpu, n * 4};
    ptx_program program{gpu, vector_kernels};
    auto const work = [&](int launches) {
        for (int i = 0; i < launches; ++i) program.launch("scale", n / 256, 256u, x.address(), 2.0f);
        program.wait();
    };
    int kernels = 0;
    auto const count = [&](activity::kernel const&) { ++kernels; };

    for (int round = 1; round <= 3; ++round) {
        work(100); // at full speed: nothing is attached

        gpuprof::tracer trace{gpu, activity::kinds<activity::kernel>};
        work(10);
        trace.try_stop().value(); // a short break: CUPTI stays, and records nothing
        work(100);
        trace.try_start().value();
        work(5);

        kernels = 0;
        auto last = trace.try_detach(); // what is left comes back
        if (!last) {
            std::cout << "CUPTI could not leave: " << last.error().message() << '\n';
            return 0;
        }
        last->visit(count);
        std::cout << "round " << round << ": " << kernels << " kernels seen of 215 launched\n";
    }
    work(100);
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
