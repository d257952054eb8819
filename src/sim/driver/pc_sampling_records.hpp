// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the activity records of PC sampling: where the warps of a launch were sampled, and why
// they stalled. As an H200 gives them with CUPTI 12.6 and 12.9: the function once, each source line
// once after the kind was enabled, the samples by instruction and reason, a summary of each launch.
#ifndef GPUPROF_SRC_SIM_DRIVER_PC_SAMPLING_RECORDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_PC_SAMPLING_RECORDS_HPP

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct kernel;
struct launch_waits;
} // namespace sim

namespace sim::driver {

struct call;
struct context_state;
struct module_state;

// Whether launches are sampled: on chips from capability 5.2 on (CUPTI 12.0, 2.3.2). Samples of 5.2
// do not say whether anything else was issued.
[[nodiscard]] bool takes_pc_samples(context_state const& context);

// @param waits of the launch that has just run
void record_pc_samples(call& in, sim::kernel const& kernel, module_state& module, launch_waits const& waits);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_PC_SAMPLING_RECORDS_HPP
