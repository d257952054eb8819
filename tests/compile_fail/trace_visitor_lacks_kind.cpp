// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A visitor that does not take every kind of record that the tracer collects.
// expect: the visitor must take every kind of record that the tracer collects
#include <gpuprof/trace/tracer.hpp>

#include <gpuprof/trace/overloaded.hpp>

using namespace gpuprof;

void print(trace_batch<activity::kind_list<activity::kernel, activity::memcpy>> const& batch) {
#ifdef GPUPROF_COMPILE_FAIL
    batch.visit(overloaded{[](activity::kernel const&) {}});
#else
    batch.visit(overloaded{[](activity::kernel const&) {}, [](activity::memcpy const&) {}});
#endif
}
