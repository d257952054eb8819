// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: bottleneck.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/bottleneck.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/bottleneck.inl.hpp>
#endif
