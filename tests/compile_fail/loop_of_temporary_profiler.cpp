// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over the passes of a profiler that is gone when the loop begins.
// expect: gpuprof: keep the profiler in a variable
#include <gpuprof/gpuprof.hpp>

void collect(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    for (auto pass : gpuprof::profiler{gpu, gpuprof::metrics::inst_executed}.passes()) {}
#else
    gpuprof::profiler prof{gpu, gpuprof::metrics::inst_executed};
    for (auto pass : prof.passes()) {}
#endif
}
