// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same for equality, the number first.
// expect: gpuprof: compare with a quantity of the same unit, 4096_sectors or sectors.4096., or the bare .value
// lines: 10
#include <gpuprof/core/units.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = 12.5 == gpuprof::percent{12.5};
#else
auto const value = 12.5 == gpuprof::ratio{12.5};
#endif
