// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sectors compared with a number that does not say what it counts.
// expect: gpuprof: compare with a quantity of the same unit, 4096_sectors or sectors.4096., or the bare .value
// lines: 10
#include <gpuprof/core/unit_literals.hpp>

using namespace gpuprof::literals;

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::sectors{4} <= 4096;
#else
auto const value = gpuprof::sectors{4} <= 4096_sectors;
#endif
