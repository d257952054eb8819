// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one file of the program that brings the embedded GPU.
#include <gpuprof/sim.hpp>
