// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checked_launch.hpp"

#include <utility>
#include <vector>

#include "../check/async_check.hpp"
#include "../check/checked_observer.hpp"
#include "../execute/execute.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

launch_result execute_checked(kernel const& k, launch_config const& config, device_memory& memory,
                              launch_counters& counters, execution_options const& options, check_set checks,
                              memory_shadow& shadow, std::vector<finding>& findings) {
    execution_options one_thread = options;
    one_thread.threads = 1;
    launch_check check{k, config, memory, shadow, checks};
    checked_observer<launch_counters> observer{counters, check};
    launch_result result = execute(k, config, memory, observer, one_thread);
    bool const waited = result.error && (result.error->kind == launch_failure::step_budget ||
                                         result.error->kind == launch_failure::deadlock);
    if (waited) async_check::stopped(check);
    for (finding& found : check.findings) findings.push_back(std::move(found));
    return result;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
