// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of a range as counters of a benchmark; adaptor_reports.py reads Google Benchmark's JSON.
#include <benchmark/benchmark.h>

#include "judge/adaptor/measured_launch.hpp"

#include <gpuprof/judge/adaptor/benchmarks.hpp>

namespace {
void with_counters(benchmark::State& state) {
    auto const m = measured_launch();
    for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
    add_counters(state, m);
}
void without_kernel(benchmark::State& state) {
    auto const m = measured_nothing();
    for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
    add_counters(state, m);
}
BENCHMARK(with_counters)->Iterations(1);
BENCHMARK(without_kernel)->Iterations(1);
} // namespace

BENCHMARK_MAIN();
