// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name where a metric belongs.
// expect: gpuprof: write profiler.gpu, gpuprof::metric<.*name
// lines: 12
#include <gpuprof/gpuprof.hpp>

void launch();
void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    gpuprof::profiler const p{gpu, "sm__inst_executed.sum"};
#else
    gpuprof::profiler const p{gpu, gpuprof::metric<"sm__inst_executed.sum">};
#endif
}
