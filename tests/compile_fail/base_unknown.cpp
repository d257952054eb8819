// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A base name with two letters exchanged; the message shows the name, and the nearest that a chip has.
// expect: gpuprof: no known chip has this metric
// expect: "smsp__inst_exceuted.sum"
// expect: "smsp__inst_executed"
// expect clang: name_fault::unlisted_base
// expect clang: "smsp__inst_exceuted.sum"
// expect clang: text<'s', *'m', *'s', *'p', *'_', *'_', *'i', *'n', *'s', *'t', *'_', *'e', *'x', *'e', *'c', *'u', *'t', *'e', *'d'>|text<.*"smsp__inst_executed".*>
// lines: 10
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"smsp__inst_exceuted.sum">;
#else
auto const value = gpuprof::metric<"smsp__inst_executed.sum">;
#endif
