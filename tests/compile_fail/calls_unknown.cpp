// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a function whose name has a wrong letter; the message shows the nearest.
// expect: no_such_function_nearest_is
// expect: "cudaMemcpyAsinc"
// expect: "cudaMemcpyAsync"
// expect clang: no_such_function_nearest_is
// expect clang: text<'c', 'u', 'd', 'a', 'M', 'e', 'm', 'c', 'p', 'y', 'A', 's', 'y', 'n', 'c'>|"cudaMemcpyAsync"
// lines: 12
#include <gpuprof/trace/function_names.hpp>

#ifdef GPUPROF_COMPILE_FAIL
constexpr auto value = gpuprof::calls<"cudaMemcpyAsinc">;
#else
constexpr auto value = gpuprof::calls<"cudaMemcpyAsync">;
#endif
