// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled embedded GPU: the executor, with the counters of a launch and without any.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile

#include <gpuprof/hw/sim/execute/execute.inl.hpp>
#include <gpuprof/hw/sim/model/launch_counters.hpp>

GPUPROF_NAMESPACE_BEGIN
template sim::launch_result sim::execute(sim::kernel const&, sim::launch_config const&, sim::device_memory&,
                                         sim::launch_counters&, sim::execution_options const&);
template sim::launch_result sim::execute(sim::kernel const&, sim::launch_config const&, sim::device_memory&,
                                         sim::null_observer&, sim::execution_options const&);
GPUPROF_NAMESPACE_END

#endif
