// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hardware unit that does not exist.
// expect: gpuprof: what stands before the double underscore of the metric's name is no unit of the GPU
// expect: "sn__inst_executed.sum"
// expect clang: name_fault::unknown_unit
// expect clang: "sn__inst_executed.sum"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sn__inst_executed.sum">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum">;
#endif
