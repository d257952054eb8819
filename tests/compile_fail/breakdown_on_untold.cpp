// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The breakdown of a throughput whose constituents CUPTI keeps to itself.
// expect: gpuprof: CUPTI does not tell what this throughput is made of
// expect clang: breakdown_fault::no_parts_known
// lines: 10
#include <gpuprof/metric/breakdown.hpp>

#ifdef GPUPROF_COMPILE_FAIL
[[maybe_unused]] constexpr auto parts =
    gpuprof::breakdown_on<gpuprof::chip::gh100, "lts__throughput_internal_activity.avg.pct_of_peak_sustained_elapsed">;
#else
[[maybe_unused]] constexpr auto parts =
    gpuprof::breakdown_on<gpuprof::chip::gh100, "lts__throughput.avg.pct_of_peak_sustained_elapsed">;
#endif
