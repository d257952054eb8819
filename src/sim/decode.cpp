// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled embedded GPU: from PTX to code.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile

#include <gpuprof/hw/sim/decode/program.inl.hpp>

#endif
