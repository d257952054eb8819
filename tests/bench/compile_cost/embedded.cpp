// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same, on the embedded GPU where there is no real one.
#include <gpuprof/sim.hpp>

#include "profiler.cpp"
