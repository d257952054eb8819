// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of records that CUPTI does not collect together: kernels one after the other, and as they run.
// expect: CUPTI does not record these kinds together
#include <gpuprof/trace/tracer.hpp>

using namespace gpuprof;

#ifdef GPUPROF_COMPILE_FAIL
auto const kinds = activity::kinds<activity::kernel, activity::serial_kernels>;
#else
auto const kinds = activity::kinds<activity::memcpy, activity::serial_kernels>;
#endif
