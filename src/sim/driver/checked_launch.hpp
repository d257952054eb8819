// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel with checks.
#ifndef GPUPROF_SRC_SIM_DRIVER_CHECKED_LAUNCH_HPP
#define GPUPROF_SRC_SIM_DRIVER_CHECKED_LAUNCH_HPP

#include <vector>

#include <gpuprof/sim/check_set.hpp>
#include <gpuprof/sim/finding.hpp>

#include "../check/memory_shadow.hpp"
#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../model/launch_counters.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// As execute(), on one host thread; appends what the checks find.
launch_result execute_checked(kernel const& k, launch_config const& config, device_memory& memory,
                              launch_counters& counters, execution_options const& options, check_set checks,
                              memory_shadow& shadow, std::vector<finding>& findings);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CHECKED_LAUNCH_HPP
