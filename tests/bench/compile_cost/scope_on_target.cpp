// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of an application that opens scopes on a profiler made elsewhere.
#include <gpuprof/scope.hpp>

void work();

void measured(gpuprof::scope_target& target) {
    gpuprof::scope step{target, "step"};
    work();
}
