// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a kernel on the embedded GPU.
#ifndef GPUPROF_SRC_SIM_EXECUTE_EXECUTE_HPP
#define GPUPROF_SRC_SIM_EXECUTE_EXECUTE_HPP

#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Runs a whole launch and returns when it has ended. CTA i runs on SM i % sm_count; CTAs begin in
// ascending order, and one may wait for any that the GPU holds beside it: see launch_run. What the launch writes, prints, counts and
// fails with is the same for any number of host threads (races of the kernel aside): each SM counts
// by itself, and an instruction by which CTAs speak to each other (atomics, volatile and ordered
// accesses, printf) waits until the CTAs before have ended, as they have with one thread. Sums
// nobody looks at before the end need not wait: see order_dependence.hpp. A launch ends its
// threads, so that a program may fork between launches. @pre nobody allocates, frees or maps in
// `memory` meanwhile. Takes the memory of the CTAs that run at once, one a host thread
// (cooperative: all). A launch on the same memory from another thread at the same time behaves as
// on a GPU. Defined in execute.inl.hpp; execute.cpp has it for launch_counters and null_observer.
template <observer Observer>
launch_result execute(kernel const& k, launch_config const& config, device_memory& memory, Observer& all,
                      execution_options const& options = {});

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_EXECUTE_HPP
