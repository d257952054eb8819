// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled embedded GPU: CUPTI's table.
#include <gpuprof/hw/sim/cupti/cupti.inl.hpp>
