// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The breakdown on a chip of what is no throughput.
// expect: gpuprof: only a throughput has a breakdown
// expect clang: name_fault::breakdown_of_no_throughput
// lines: 10
#include <gpuprof/metric/breakdown.hpp>

#ifdef GPUPROF_COMPILE_FAIL
[[maybe_unused]] constexpr auto parts = gpuprof::breakdown_on<gpuprof::chip::gh100, "sm__inst_executed.sum">;
#else
[[maybe_unused]] constexpr auto parts =
    gpuprof::breakdown_on<gpuprof::chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed">;
#endif
