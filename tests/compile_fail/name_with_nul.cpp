// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name that CUPTI would read as another.
// expect: gpuprof: the metric's name has a NUL character in it
// expect clang: name_fault::embedded_nul
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed\0.sum">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum">;
#endif
