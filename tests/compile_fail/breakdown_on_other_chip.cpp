// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The breakdown of a throughput that another chip has: distributed shared memory came with capability 9.0.
// expect: gpuprof: this chip has no throughput of this name; the closest that it has stands beside
// expect: text<.*"l1tex__m_xbar2l1tex_throughput_pipe_lsu"
// expect clang: breakdown_fault::not_on_chip
// lines: 10
#include <gpuprof/metric/breakdown.hpp>

#ifdef GPUPROF_COMPILE_FAIL
[[maybe_unused]] constexpr auto parts =
    gpuprof::breakdown_on<gpuprof::chip::gv100,
                          "l1tex__m_xbar2l1tex_throughput_pipe_lsu_mem_dshared.avg.pct_of_peak_sustained_elapsed">;
#else
[[maybe_unused]] constexpr auto parts =
    gpuprof::breakdown_on<gpuprof::chip::gv100,
                          "l1tex__m_xbar2l1tex_throughput_pipe_lsu.avg.pct_of_peak_sustained_elapsed">;
#endif
