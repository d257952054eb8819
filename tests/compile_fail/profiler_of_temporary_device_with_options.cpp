// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with options, in braces, too.
// expect: gpuprof: keep the device in a variable
#include <gpuprof/gpuprof.hpp>

namespace metrics = gpuprof::metrics;

#ifdef GPUPROF_COMPILE_FAIL
gpuprof::profiler prof{gpuprof::open_device(), {.max_ranges = 1}, metrics::inst_executed};
#else
gpuprof::device const gpu = gpuprof::open_device();
gpuprof::profiler prof{gpu, {.max_ranges = 1}, metrics::inst_executed};
#endif
