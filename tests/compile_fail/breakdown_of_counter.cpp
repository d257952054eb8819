// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The breakdown of what is no throughput.
// expect: gpuprof: only a throughput has a breakdown
// expect clang: name_fault::breakdown_of_no_throughput
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"breakdown:sm__inst_executed.sum">;
#else
auto const value = gpuprof::metric<"breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed">;
#endif
