// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one file of the program that compiles the embedded GPU.
#define GPUPROF_SIM_IMPLEMENTATION
#include <gpuprof/sim.hpp>
