// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-metric that CUPTI 11.3 withdrew.
// expect: gpuprof: burst sub-metrics were withdrawn; use the sustained ones
// expect: "sm__inst_executed.sum.pct_of_peak_burst_active"
// expect clang: name_fault::withdrawn_burst
// expect clang: "sm__inst_executed.sum.pct_of_peak_burst_active"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.sum.pct_of_peak_burst_active">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum.pct_of_peak_sustained_active">;
#endif
