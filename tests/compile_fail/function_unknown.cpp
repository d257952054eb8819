// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's name with a wrong letter; the message shows the nearest.
// expect: no_such_function_nearest_is
// expect: "cuLaunchKernal"
// expect: "cuLaunchKernel"
// expect clang: no_such_function_nearest_is
// expect clang: text<'c', 'u', 'L', 'a', 'u', 'n', 'c', 'h', 'K', 'e', 'r', 'n', 'e', 'l'>|"cuLaunchKernel"
// lines: 12
#include <gpuprof/trace/functions.hpp>

#ifdef GPUPROF_COMPILE_FAIL
constexpr auto value = gpuprof::driver_call<"cuLaunchKernal">;
#else
constexpr auto value = gpuprof::driver_call<"cuLaunchKernel">;
#endif
