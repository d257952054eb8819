// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define GPUPROF_SIM_IMPLEMENTATION
#include <gpuprof/sim.hpp>
