// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not a test of gpuprof: the runner must call this one a failure, because the compiler says something else.
// expect: a sentence that no compiler says
#include <gpuprof/core/units.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::bytes{1} + gpuprof::percent{1};
#endif
