// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-metric that does not exist.
// expect: gpuprof: there is no such sub-metric
// expect: "sm__inst_executed.sum.per_minute"
// expect clang: name_fault::unknown_submetric
// expect clang: "sm__inst_executed.sum.per_minute"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.sum.per_minute">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum.per_second">;
#endif
