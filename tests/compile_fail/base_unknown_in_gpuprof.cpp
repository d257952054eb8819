// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with everything included: the message is as short.
// expect: gpuprof: no known chip has this metric
// expect: "smsp__inst_exceuted.sum"
// expect clang: name_fault::unlisted_base
// expect clang: "smsp__inst_exceuted.sum"
// lines: 10
#include <gpuprof/gpuprof.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"smsp__inst_exceuted.sum">;
#else
auto const value = gpuprof::metric<"smsp__inst_exceuted.sum", gpuprof::newer_chip>;
#endif
