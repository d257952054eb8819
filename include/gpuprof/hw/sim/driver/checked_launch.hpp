// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel with checks. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_CHECKED_LAUNCH_HPP
#define GPUPROF_HW_SIM_DRIVER_CHECKED_LAUNCH_HPP

#include <vector> // findings

#include "../check/finding.hpp"
#include "../check/memory_shadow.hpp"
#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../model/launch_counters.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// As execute(), on one host thread; appends what it finds.
launch_result execute_checked(kernel const& k, launch_config const& config, device_memory& memory,
                              launch_counters& counters, execution_options const& options, check_set checks,
                              memory_shadow& shadow, std::vector<finding>& findings);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "checked_launch.inl.hpp"
#endif

#endif // GPUPROF_HW_SIM_DRIVER_CHECKED_LAUNCH_HPP
