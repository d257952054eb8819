// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: replay.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/replay.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/replay.inl.hpp>
#endif
