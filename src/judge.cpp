// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: judge.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/judge.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/judge.inl.hpp>
#endif
