// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scope that ends where it begins: it has no name. With -Werror, as a project has; without, it is a warning.
// expect: (ignoring (return value|temporary)|nodiscard)
#include <gpuprof/scope.hpp>

#pragma GCC diagnostic error "-Wunused-result"
#pragma GCC diagnostic error "-Wunused-value"

void step(gpuprof::scope_target& target) {
#ifdef GPUPROF_COMPILE_FAIL
    gpuprof::scope{target, "step"};
#else
    gpuprof::scope here{target, "step"};
#endif
}
