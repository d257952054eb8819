// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device attribute with a letter wrong.
// expect: gpuprof: this provider has no metric of that name
#include <gpuprof/metric/metric.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const value = gpuprof::metric<"device__attribute_multiprocesor_count">;
#else
auto const value = gpuprof::metric<"device__attribute_multiprocessor_count">;
#endif
