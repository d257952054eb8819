// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a listener hears of a kernel that ran. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_KERNEL_END_HPP
#define GPUPROF_HW_SIM_COUNTERS_KERNEL_END_HPP

#include "../chip/chip_model.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A kernel that ran to its end, where, and what it counted.
struct kernel_end {
    kernel const& code;
    launch_config const& config;
    chip_model const& chip;
    counter_values const& counted;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_KERNEL_END_HPP
