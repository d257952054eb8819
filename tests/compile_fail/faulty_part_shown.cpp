// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The diagnostic spells the part at fault: s, u, m, m.
// expect: faulty_part<'s', *'u', *'m', *'m'>
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"sm__inst_executed.summ">;
#else
auto const value = gpuprof::metric<"sm__inst_executed.sum">;
#endif
