// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: saved.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/saved.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/saved.inl.hpp>
#endif
