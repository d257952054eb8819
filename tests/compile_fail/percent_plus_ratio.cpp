// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A percentage is not rescaled silently to add it to a ratio.
// expect: no match for .*operator\+|invalid operands to binary expression
#include <gpuprof/core/units.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::percent{1} + gpuprof::ratio{1};
#else
auto const value = gpuprof::percent{1} + gpuprof::percent{1};
#endif
