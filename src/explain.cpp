// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: explain.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/explain.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/explain.inl.hpp>
#endif
