// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name that is malformed on every chip.
// expect: gpuprof: the metric's roll-up is not one of .sum, .avg, .min, .max
// expect clang: name_fault::unknown_rollup
// lines: 10
#include <gpuprof/metric/catalogue/ga100.hpp>
#include <gpuprof/metric/on_chip.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric_on<gpuprof::chip::ga100, "sm__ctas_launched.summ">;
#else
auto const value = gpuprof::metric_on<gpuprof::chip::ga100, "sm__ctas_launched.sum">;
#endif
