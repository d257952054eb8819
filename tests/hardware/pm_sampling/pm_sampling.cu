// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample pm_sampling: five metrics each 100,000 cycles of the system clock while a vector is added 100 times.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>

#define CHECKED(call)                                                                                                  \
    if (cudaError_t const status = call) return std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)), 2

__global__ void vectorAdd(int const* a, int const* b, int* c, int n) {
    int const i = static_cast<int>(blockDim.x * blockIdx.x + threadIdx.x);
    if (i < n) c[i] = a[i] + b[i];
}

static double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

int main() {
    constexpr int n = 4096 * 4096 * 2, block = 512;
    int* buffers[3];
    for (int*& each : buffers) CHECKED(cudaMalloc(&each, n * sizeof(int)));
    for (int* const each : buffers) CHECKED(cudaMemset(each, 1, n * sizeof(int)));
    CHECKED(cudaDeviceSynchronize());
    auto const launch = [&] { vectorAdd<<<(n + block - 1) / block, block>>>(buffers[0], buffers[1], buffers[2], n); };

    // sampling begins
    auto const gpu = gpuprof::open_device();
    auto sampler =
        gpuprof::pm_sampler::try_create(
            gpu, {.interval = gpuprof::sampling_interval::cycles(100'000)}, gpuprof::metric<"gr__cycles_active.avg">,
            gpuprof::metric<"gr__cycles_elapsed.max">, gpuprof::metric<"gpu__time_duration.sum">,
            gpuprof::metric<"sm__inst_executed_realtime.avg.per_cycle_active">,
            gpuprof::metric<"sm__cycles_active.avg">, gpuprof::metric<"sm__inst_executed_realtime.sum">)
            .value();
    sampler.start();
    for (int i = 0; i < 100; ++i) launch();
    cudaDeviceSynchronize();
    sampler.stop();
    gpuprof::pm_series const series = sampler.take();
    // sampling ends
    { auto const ended = std::move(sampler); } // the range profiler needs the counters

    double instructions = 0;
    for (std::size_t m = 0; m < series.metrics().size(); ++m) {
        std::vector<double> first;
        for (std::size_t i = 0; i < series.size(); ++i) {
            if (i < 50) first.push_back(series.value(i, m));
            if (m == 5) instructions += series.value(i, m);
        }
        if (first.empty()) return 1;
        std::printf("median: %s %.3f\n", series.metrics()[m].name.data(), median(first));
    }
    gpuprof::profiler prof{gpu, gpuprof::metric<"sm__inst_executed.sum">};
    for (auto pass : prof.passes()) {
        gpuprof::scope const one{prof, "add"};
        launch();
    }
    double const truth = 100 * prof.report()["add"][gpuprof::metric<"sm__inst_executed.sum">].value();
    double const off = 100 * (instructions / truth - 1);
    std::printf(
        "pm_sampling | instructions of all samples, beside the range profiler's | %.0f of %.0f, %+.3f %% | %s\n",
        instructions, truth, off, off < 0.1 && off > -0.1 ? "yes" : "NO");
    std::printf("pm_sampling | samples, and whether some were lost | %zu, %s | %s\n", series.size(),
                series.losses().complete() ? "none" : "some", series.losses().complete() ? "yes" : "NO");
    return series.losses().complete() && off < 0.1 && off > -0.1 ? 0 : 1;
}
