// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample pc_sampling_start_stop: only what runs between start and stop is sampled.
#include <iostream>

#include "judge.hpp"

int main() {
    kernels::workload const work;
    // sampling begins
    auto const gpu = gpuprof::open_device();
    gpuprof::pc_sampling_options options;
    options.ranges = true;
    auto sampler = gpuprof::pc_sampler::try_open(gpu, options).value();
    // sampling ends
    work.run_chase();
    CHECKED(cudaDeviceSynchronize());
    // sampling begins
    sampler.try_start().value();
    // sampling ends
    work.run_barrier();
    CHECKED(cudaDeviceSynchronize());
    // sampling begins
    sampler.try_stop().value();
    auto const first = sampler.try_take().value();
    // sampling ends
    work.run_sleep();
    CHECKED(cudaDeviceSynchronize());
    // sampling begins
    sampler.try_start().value();
    // sampling ends
    work.run_multiply();
    CHECKED(cudaDeviceSynchronize());
    // sampling begins
    sampler.try_stop().value();
    auto const second = sampler.try_take().value();
    auto const rest = sampler.try_finish().value();
    // sampling ends
    std::cout << gpuprof::io::table(first) << gpuprof::io::table(second) << std::flush;
    char const* const job = "pc_sampling_start_stop";
    judge_samples(job, first, {"barrier"});
    judge_samples(job, second, {"multiply"});
    row(job, "samples of others in the first range", std::to_string(first.samples() - samples_of(first, "barrier")),
        first.samples() == samples_of(first, "barrier"));
    row(job, "samples of others in the second range", std::to_string(second.samples() - samples_of(second, "multiply")),
        second.samples() == samples_of(second, "multiply"));
    row(job, "samples after the last range", std::to_string(rest.samples()), rest.samples() == 0);
    return failures != 0;
}
