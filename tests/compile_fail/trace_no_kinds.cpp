// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tracer that is to collect nothing.
// expect: name the records to collect
#include <gpuprof/trace/tracer.hpp>

using namespace gpuprof;

#ifdef GPUPROF_COMPILE_FAIL
auto const kinds = activity::kinds<>;
#else
auto const kinds = activity::kinds<activity::memcpy>;
#endif
