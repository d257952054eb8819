// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-metric that the grammar has and no chip.
// expect: gpuprof: no known chip has the sub-metrics of a region or frame
// expect: "sm__inst_executed.sum.per_cycle_in_region"
// expect clang: name_fault::unlisted_submetric
// expect clang: "sm__inst_executed.sum.per_cycle_in_region"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.sum.per_cycle_in_region">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum.per_cycle_active">;
#endif
