// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values come from. Layer: core.
#ifndef GPUPROF_CORE_DEVICE_SOURCE_HPP
#define GPUPROF_CORE_DEVICE_SOURCE_HPP

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where values come from. A report says which and never mixes them.
enum class device_source : unsigned char {
    hardware, // a GPU of this machine
    embedded  // the GPU that gpuprof/sim.hpp executes on the CPU
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_DEVICE_SOURCE_HPP
