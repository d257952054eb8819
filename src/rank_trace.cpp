// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: rank_trace.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/rank_trace.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/rank_trace.inl.hpp>
#endif
