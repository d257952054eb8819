// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a kernel on the embedded GPU. Layer: embedded GPU, the executor's interface.
#ifndef GPUPROF_HW_SIM_EXECUTE_EXECUTE_HPP
#define GPUPROF_HW_SIM_EXECUTE_EXECUTE_HPP

#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Runs a whole launch and returns when it has ended. CTA i runs on SM i % sm_count; each host thread runs the CTAs of
// its SMs in ascending order, so a CTA may wait for CTAs before it. A cooperative launch runs in one host thread, all
// CTAs taking turns. What the observer counts does not depend on the number of threads, unless the kernel's own
// course does. @pre nobody allocates, frees or maps in `memory` meanwhile. Takes the memory of the CTAs that run at
// once, one a host thread (cooperative: all). A launch on the same memory from another thread at the same time
// behaves as on a GPU.
// The compiled library has it for launch_counters.
template <observer Observer>
launch_result execute(kernel const& k, launch_config const& config, device_memory& memory, Observer& all,
                      execution_options const& options = {});

} // namespace sim
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "execute.inl.hpp"
#endif

#endif // GPUPROF_HW_SIM_EXECUTE_EXECUTE_HPP
