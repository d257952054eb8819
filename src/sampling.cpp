// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: sampling.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/sampling.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/sampling.inl.hpp>
#endif
