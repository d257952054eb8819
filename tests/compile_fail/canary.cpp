// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not a test of gpuprof: the runner must call this one a failure, because what should not compile does.
// expect: nothing at all
#include <gpuprof/core/units.hpp>

auto const value = gpuprof::bytes{1} + gpuprof::bytes{1};
