// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ratio as such, which is not evaluable.
// expect: gpuprof: a ratio needs .pct, .ratio or .max_rate
// expect: "lts__t_sector_hit_rate"
// expect clang: name_fault::missing_ratio_submetric
// expect clang: "lts__t_sector_hit_rate"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"lts__t_sector_hit_rate">;
#else
auto const value = gpuprof::metric<"lts__t_sector_hit_rate.pct">;
#endif
