// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that ran, as listeners hear of it.
#ifndef GPUPROF_SRC_SIM_DRIVER_KERNEL_END_HPP
#define GPUPROF_SRC_SIM_DRIVER_KERNEL_END_HPP

#include "../chip/chip_model.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../counters/raw_counter.hpp"
#include "../model/time_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A kernel that ran to its end, where, what it counted, and how long it took.
struct kernel_end {
    kernel const& code;
    launch_config const& config;
    chip_model const& chip;
    counter_values const& counted;
    time_estimate const& time;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_KERNEL_END_HPP
