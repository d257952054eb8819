// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of checked_launch.hpp. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_CHECKED_LAUNCH_INL_HPP
#define GPUPROF_HW_SIM_DRIVER_CHECKED_LAUNCH_INL_HPP

#include <utility> // std::move
#include <vector>  // findings

#include "../check/checked_observer.hpp"
#include "../execute/execute.inl.hpp"
#include "checked_launch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

GPUPROF_INLINE launch_result execute_checked(kernel const& k, launch_config const& config, device_memory& memory,
                                             launch_counters& counters, execution_options const& options,
                                             check_set checks, memory_shadow& shadow, std::vector<finding>& findings) {
    execution_options alone = options;
    alone.threads = 1;
    launch_check check{k, config, memory, shadow, checks};
    checked_observer<launch_counters> observer{counters, check};
    launch_result done = execute(k, config, memory, observer, alone);
    for (finding& one : check.findings) findings.push_back(std::move(one));
    return done;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_CHECKED_LAUNCH_INL_HPP
