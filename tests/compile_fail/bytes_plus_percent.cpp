// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes and percent have no sum.
// expect: no match for .*operator\+|invalid operands to binary expression
#include <gpuprof/core/units.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::bytes{1} + gpuprof::percent{1};
#else
auto const value = gpuprof::bytes{1} + gpuprof::bytes{1};
#endif
