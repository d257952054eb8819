// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a test controls the fault-injecting library: exported functions, to be found by name. Its devices are
// every embedded chip, oldest first. The environment's GPUPROF_FAULT="symbol:nth:status" sets one fault as it is loaded. Its
// cuInit loads the library that CUDA_INJECTION64_PATH names, as NVIDIA's driver does.
#ifndef GPUPROF_TESTS_SUPPORT_FAULT_LIBCUPTI_HPP
#define GPUPROF_TESTS_SUPPORT_FAULT_LIBCUPTI_HPP

#include <cstddef>

#if defined(_WIN32)
#define GPUPROF_FAULT_EXPORTED extern "C" __attribute__((dllexport))
#else
#define GPUPROF_FAULT_EXPORTED extern "C" __attribute__((visibility("default")))
#endif

// The nth call of that exported CUPTI name since the last clear, counted from 1, returns the status and does nothing;
// every call if `nth` is 0; the nth call of all if `symbol` is null.
GPUPROF_FAULT_EXPORTED void gpuprof_fault_fail(char const* symbol, std::size_t nth, int status);

// No more faults, and calls are counted from zero.
GPUPROF_FAULT_EXPORTED void gpuprof_fault_clear();

// CUPTI calls since the last clear: of that name, or all if it is null.
GPUPROF_FAULT_EXPORTED std::size_t gpuprof_fault_calls(char const* symbol);

// The exported name of the nth call since the last clear, counted from 1; null if there were fewer. Lives until the next
// question.
GPUPROF_FAULT_EXPORTED char const* gpuprof_fault_symbol(std::size_t nth);

#endif // GPUPROF_TESTS_SUPPORT_FAULT_LIBCUPTI_HPP
