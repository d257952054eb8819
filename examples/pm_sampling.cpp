// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device's counters over time, while anything runs: the job of CUPTI's sample pm_sampling.
// What you learn: pm_sampler, its interval, typed values with their times, what was lost.
#include <iostream>

#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"
#include "support/vector_kernels.hpp"

int main() try {
    auto const gpu = gpuprof::try_open_device();
    if (!gpu) return std::cout << "No GPU to sample.\n" << gpu.error().message() << '\n', 0;
    constexpr unsigned n = 1u << 20, block = 256;
    device_buffer x{*gpu, n * 4}, y{*gpu, n * 4};
    ptx_program program{*gpu, vector_kernels};

    // sampling begins
    constexpr auto sectors = gpuprof::metric<"lts__t_sectors.sum">;
    auto sampler =
        gpuprof::pm_sampler::try_create(*gpu, {.interval = gpuprof::sampling_interval::nanoseconds(2000)}, sectors);
    if (!sampler) return std::cout << "This device is not sampled.\n" << sampler.error().message() << '\n', 0;
    sampler->start();
    for (int i = 0; i < 2; ++i) program.launch("add", n / block, block, x.address(), y.address());
    program.wait();
    sampler->stop();
    gpuprof::pm_series const series = sampler->take();
    gpuprof::sectors sum{};
    for (std::size_t i = 0; i < series.size(); ++i) {
        gpuprof::sectors const each{series.value(i, 0)};
        sum += each;
        std::cout << (series.time(i).start - series.time(0).start).value() << " ns: " << each.value() << ' '
                  << each.symbol() << (each.value() == 1 ? "" : "s") << '\n';
    }
    std::cout << sum.count() << " sectors in " << series.size() << " samples, "
              << (series.losses().complete() ? "none lost\n" : "some lost\n");
    // sampling ends
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
