// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name beside a metric, with options.
// expect: gpuprof: write profiler.gpu, gpuprof::metric<.*name
// lines: 12
#include <gpuprof/gpuprof.hpp>

void launch();
void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    gpuprof::profiler const p{gpu, gpuprof::profiler_options{}, gpuprof::metrics::dram_bytes, "sm__inst_executed.sum"};
#else
    gpuprof::profiler const p{gpu, gpuprof::profiler_options{}, gpuprof::metrics::dram_bytes,
                              gpuprof::metrics::inst_executed};
#endif
}
