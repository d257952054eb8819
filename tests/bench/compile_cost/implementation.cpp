// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define GPUPROF_IMPLEMENTATION
#include <gpuprof/gpuprof.hpp>
