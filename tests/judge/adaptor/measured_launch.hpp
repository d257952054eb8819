// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cases of all frameworks check: a kernel of 12 warps and 384 threads, and a range in which nothing is launched.
#ifndef GPUPROF_TESTS_JUDGE_ADAPTOR_MEASURED_LAUNCH_HPP
#define GPUPROF_TESTS_JUDGE_ADAPTOR_MEASURED_LAUNCH_HPP

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/sim.hpp>

namespace metrics = gpuprof::metrics;

#if GPUPROF_ENABLED
#include "consumer/launch.cpp"

inline gpuprof::observation measured_launch() {
    gpuprof::device const gpu = *gpuprof::sim::open_embedded("gh100");
    return gpuprof::observe(
        gpu, [&] { launch(gpu); }, metrics::threads_launched, metrics::warps_launched);
}
inline gpuprof::observation measured_nothing() {
    gpuprof::device const gpu = *gpuprof::sim::open_embedded("gh100");
    return gpuprof::observe(
        gpu, [] {}, metrics::threads_launched, metrics::warps_launched);
}

#else // nothing is measured
inline gpuprof::observation measured_launch() {
    return gpuprof::observe(
        *gpuprof::try_open_device(), [] {}, metrics::threads_launched, metrics::warps_launched);
}
inline gpuprof::observation measured_nothing() { return measured_launch(); }
#endif

#endif // GPUPROF_TESTS_JUDGE_ADAPTOR_MEASURED_LAUNCH_HPP
