// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A null pointer as a context or as a name. 0 is a number.
// expect: a null context is none; open_device.0. is the first GPU
// expect: a null pointer names no device; try_open_device.0. is the first GPU
#include <gpuprof/gpuprof.hpp>

#ifdef GPUPROF_COMPILE_FAIL
auto const gpu = gpuprof::open_device(nullptr);
auto const tried = gpuprof::try_open_device(nullptr);
#else
auto const gpu = gpuprof::open_device(0);
auto const tried = gpuprof::try_open_device(0);
#endif
