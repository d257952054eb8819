// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled embedded GPU: CUPTI's table.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile

#include <gpuprof/hw/sim/cupti/cupti.inl.hpp>

#endif
