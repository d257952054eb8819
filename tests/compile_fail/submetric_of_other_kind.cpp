// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ratio's sub-metric asked of a counter.
// expect: gpuprof: this sub-metric does not belong to this kind of metric
// expect: "sm__inst_executed.sum.pct"
// expect clang: name_fault::submetric_not_of_this_kind
// expect clang: "sm__inst_executed.sum.pct"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.sum.pct">;
#else
auto const value = gpuprof::metric<"lts__t_sector_hit_rate.pct">;
#endif
