// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The diagnostic spells the part at fault.
// expect: text<.*"summ".*>
// expect: "sm__inst_executed.summ"
// expect clang: text<'s', *'u', *'m', *'m'>|text<.*"summ".*>
// expect clang: "sm__inst_executed.summ"
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.summ">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum">;
#endif
