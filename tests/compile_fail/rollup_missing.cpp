// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter as such, which is not evaluable.
// expect: gpuprof: a counter or throughput needs a roll-up: .sum, .avg, .min or .max
// expect: "sm__inst_executed"
// expect clang: name_fault::missing_rollup
// expect clang: "sm__inst_executed"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.avg">;
#endif
