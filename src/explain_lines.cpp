// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once: explain_lines.inl.hpp. A part of gpuprof::compiled.
#include <gpuprof/explain_lines.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile
#include <gpuprof/explain_lines.inl.hpp>
#endif
