// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A throughput as such, which is not evaluable.
// expect: gpuprof: a throughput needs .avg.pct_of_peak_sustained_elapsed or one of its relatives
// expect: "sm__throughput.avg"
// expect clang: name_fault::missing_throughput_submetric
// expect clang: "sm__throughput.avg"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__throughput.avg">;
#else
auto const value = gpuprof::metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">;
#endif
