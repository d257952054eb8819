// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one file of the program that names the embedded GPU, which is linked.
#include <gpuprof/sim.hpp>
