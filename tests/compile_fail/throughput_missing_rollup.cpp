// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A throughput with a sub-metric and without a roll-up, as the guide writes the sub-metrics.
// expect: gpuprof: a counter or throughput needs a roll-up
// expect: "sm__throughput.pct_of_peak_sustained_elapsed"
// expect clang: name_fault::missing_rollup
// expect clang: "sm__throughput.pct_of_peak_sustained_elapsed"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__throughput.pct_of_peak_sustained_elapsed">;
#else
auto const value = gpuprof::metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">;
#endif
