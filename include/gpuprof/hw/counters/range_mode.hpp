// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ranges are marked and work is repeated.
#ifndef GPUPROF_HW_COUNTERS_RANGE_MODE_HPP
#define GPUPROF_HW_COUNTERS_RANGE_MODE_HPP

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Who marks the ranges (CUPTI 12.0, 2.7.2).
enum class range_mode : unsigned char {
    user_range, // scopes do
    auto_range  // every kernel launch is a range; launches are serialised
};

// Who repeats the work when the counters do not fit one pass (CUPTI 12.0, 2.7.2).
enum class replay_mode : unsigned char {
    user,   // the application, once a replay pass
    kernel, // CUPTI, each kernel as it is launched; auto_range ranges only
    launch, // gpuprof, each launching call, a graph's too; auto_range only. Caches and memory are as options say each pass
    range,      // gpuprof, the driver calls of each outermost scope
    application // whoever runs the program: one replay pass a process, which go on from a file (docs/application-replay.md)
};

// What replay_mode::kernel leaves out, as far as it is known before the launch: kernels that wait for something that runs once
// would wait for ever when CUPTI repeats them, or spoil what they share. Kernels of graphs are looked at, too.
enum class replay_caution : unsigned char {
    none, // nothing: each kernel is repeated
    other_gpus, // kernels of NCCL and NVSHMEM, by their names, and kernels with arguments that point into memory of another GPU
    host_memory // those, and kernels with arguments that point into page-locked memory of the host
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_RANGE_MODE_HPP
