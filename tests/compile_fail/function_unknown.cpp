// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's name with a wrong letter.
// expect: gpuprof: neither the driver nor the runtime nor NVTX has a function of this name
// lines: 12
#include <gpuprof/trace/function_names.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::calls<"cuLaunchKernal">;
#else
auto const value = gpuprof::calls<"cuLaunchKernel">;
#endif
