// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chip whose catalogue was not included; another chip's does not help.
// expect: gpuprof: include <gpuprof/metric/catalogue/gh100.hpp>, or the header named after this chip
#include <gpuprof/metric/catalogue/ga100.hpp>
#include <gpuprof/metric/on_chip.hpp>

#ifdef GPUPROF_COMPILE_FAIL
[[maybe_unused]] constexpr auto metric = gpuprof::metric_on<gpuprof::chip::gh100, "sm__inst_executed.sum">;
#else
[[maybe_unused]] constexpr auto metric = gpuprof::metric_on<gpuprof::chip::ga100, "sm__inst_executed.sum">;
#endif
