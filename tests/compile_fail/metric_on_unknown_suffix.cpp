// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-metric that the chip's metric has not.
// expect: gpuprof: this chip has the metric, but not with this roll-up or sub-metric
// expect: ".sum.per_cycle_in_region"
// expect clang: chip_fault::not_with_this_suffix
// expect clang: "sm__ctas_launched.sum.per_cycle_in_region"
// lines: 10
#include <gpuprof/metric/catalogue/ga100.hpp>
#include <gpuprof/metric/on_chip.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric_on<gpuprof::chip::ga100, "sm__ctas_launched.sum.per_cycle_in_region">;
#else
auto const value = gpuprof::metric_on<gpuprof::chip::ga100, "sm__ctas_launched.sum.per_cycle_active">;
#endif
