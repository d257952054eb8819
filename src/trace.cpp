// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: trace.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/trace.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/trace.inl.hpp>
#endif
