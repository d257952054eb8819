// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not a test of gpuprof: the runner must call this one a failure, because the message has more lines than it may have.
// expect: gpuprof: the metric's roll-up is not one of .sum, .avg, .min, .max
// expect clang: name_fault::unknown_rollup
// lines: 2
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.summ">;
#endif
