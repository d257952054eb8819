// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name as an argument.
// expect: gpuprof: write measure<.*name
// lines: 12
#include <gpuprof/gpuprof.hpp>

void launch();
void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    static_cast<void>(gpuprof::measure(gpu, "sm__inst_executed.sum", [] { launch(); }));
#else
    static_cast<void>(gpuprof::measure<"sm__inst_executed.sum">(gpu, [] { launch(); }));
#endif
}
