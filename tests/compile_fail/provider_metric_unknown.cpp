// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch metric with a letter wrong.
// expect: gpuprof: this provider has no metric of that name
// expect: "launch__grid_sise"
// expect clang: name_fault::unknown_provider_metric
// expect clang: "launch__grid_sise"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"launch__grid_sise">;
#else
auto const value = gpuprof::metric<"launch__grid_size">;
#endif
