// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: gpuprof.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/gpuprof.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/gpuprof.inl.hpp>
#endif
