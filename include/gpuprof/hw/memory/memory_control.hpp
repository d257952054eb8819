// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profiler does to the device's memory before it measures again.
#ifndef GPUPROF_HW_MEMORY_MEMORY_CONTROL_HPP
#define GPUPROF_HW_MEMORY_MEMORY_CONTROL_HPP

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// How measured code finds the memory of its context in each pass after the first.
enum class memory_control : unsigned char {
    leave,          // as the last pass left it: code that changes its input measures other data each time
    restore,        // as it was before the first, all of it
    restore_written // what launches reach by their arguments as it was before the first, by what they changed
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_MEMORY_CONTROL_HPP
