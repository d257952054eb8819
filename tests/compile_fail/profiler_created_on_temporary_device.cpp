// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same without exceptions.
// expect: gpuprof: keep the device in a variable
#include <gpuprof/gpuprof.hpp>

namespace metrics = gpuprof::metrics;

#ifdef GPUPROF_COMPILE_FAIL
auto prof = gpuprof::profiler::try_create(*gpuprof::try_open_device(), {}, metrics::inst_executed);
#else
auto gpu = gpuprof::try_open_device();
auto prof = gpuprof::profiler::try_create(*gpu, {}, metrics::inst_executed);
#endif
