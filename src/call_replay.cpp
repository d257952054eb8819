// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: call_replay.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/call_replay.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/call_replay.inl.hpp>
#endif
