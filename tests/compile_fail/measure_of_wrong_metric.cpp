// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name that no chip has, where work is measured.
// expect: gpuprof: no known chip has this metric
// expect: "smsp__inst_exceuted.sum"
// expect clang: name_fault::unlisted_base
// expect clang: "smsp__inst_exceuted.sum"
// lines: 12
#include <gpuprof/gpuprof.hpp>

void launch();
void run(gpuprof::device const& gpu) {
#ifdef GPUPROF_COMPILE_FAIL
    static_cast<void>(gpuprof::measure<"smsp__inst_exceuted.sum">(gpu, [] { launch(); }));
#else
    static_cast<void>(gpuprof::measure<"smsp__inst_executed.sum">(gpu, [] { launch(); }));
#endif
}
