// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profiler that would keep the address of a device that is gone.
// expect: gpuprof: keep the device in a variable
#include <gpuprof/gpuprof.hpp>

namespace metrics = gpuprof::metrics;

#ifdef GPUPROF_COMPILE_FAIL
gpuprof::profiler prof{gpuprof::open_device(), metrics::inst_executed};
#else
gpuprof::device const gpu = gpuprof::open_device();
gpuprof::profiler prof{gpu, metrics::inst_executed};
#endif
