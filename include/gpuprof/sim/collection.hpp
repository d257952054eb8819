// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the embedded GPU has the limits of the hardware's counters.
#ifndef GPUPROF_SIM_COLLECTION_HPP
#define GPUPROF_SIM_COLLECTION_HPP

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// How ranges of one device are collected. A GPU in software counts everything all the time, so one execution of the
// measured code is enough. Hardware holds few counters at once and collects one nesting level at a time: the code runs
// once for each pass and level.
enum class collection : unsigned char {
    at_once,  // all metrics and all nesting levels in one pass
    in_passes // as the hardware plans it
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_COLLECTION_HPP
