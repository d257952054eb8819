// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: ranks.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/ranks.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/ranks.inl.hpp>
#endif
