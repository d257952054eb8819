// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A roll-up with a letter too many.
// expect: gpuprof: the metric's roll-up is not one of .sum, .avg, .min, .max
// expect: "sm__inst_executed.summ"
// expect clang: name_fault::unknown_rollup
// expect clang: "sm__inst_executed.summ"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.summ">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum">;
#endif
