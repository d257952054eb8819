// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same without exceptions.
// expect: gpuprof: write try_measure<.*name
// lines: 12
#include <gpuprof/gpuprof.hpp>

void launch();
void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    static_cast<void>(gpuprof::try_measure(
        gpu, [] { launch(); }, "sm__inst_executed.sum"));
#else
    static_cast<void>(gpuprof::try_measure<"sm__inst_executed.sum">(gpu, [] { launch(); }));
#endif
}
