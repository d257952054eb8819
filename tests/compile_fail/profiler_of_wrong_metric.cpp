// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wrong name where a profiler is made: one message, not one for each use of the metric.
// expect: gpuprof: the metric's roll-up is not one of .sum, .avg, .min, .max
// expect: "sm__inst_executed.summ"
// expect clang: name_fault::unknown_rollup
// expect clang: "sm__inst_executed.summ"
// lines: 10
#include <gpuprof/gpuprof.hpp>

void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    gpuprof::profiler const p{gpu, gpuprof::metric<"sm__inst_executed.summ">};
#else
    gpuprof::profiler const p{gpu, gpuprof::metric<"sm__inst_executed.sum">};
#endif
}
