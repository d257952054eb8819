// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same by a literal.
// expect: gpuprof: no known chip has this metric
// expect: "smsp__inst_exceuted.sum"
// expect clang: "smsp__inst_exceuted.sum"_metric
// lines: 10
#include <gpuprof/metric/metric.hpp>

using namespace gpuprof::literals;
#ifdef GPUPROF_COMPILE_FAIL
auto const value = "smsp__inst_exceuted.sum"_metric;
#else
auto const value = "smsp__inst_executed.sum"_metric;
#endif
