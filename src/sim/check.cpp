// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled embedded GPU: the executor with checks.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile

#include <gpuprof/hw/sim/driver/checked_launch.inl.hpp>

#endif
