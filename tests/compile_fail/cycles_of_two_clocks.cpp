// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles of different clocks do not convert into each other.
// expect: no matching function for call to .*unit_cast
#include <gpuprof/core/units.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value =
    gpuprof::unit_cast<gpuprof::cycles<gpuprof::clock_domain::gpc>>(gpuprof::cycles<gpuprof::clock_domain::dram>{1});
#else
auto const value = gpuprof::unit_cast<gpuprof::seconds>(gpuprof::nanoseconds{1});
#endif
