// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's libcheckpoint: it saves and restores the memory of a context.
#ifndef GPUPROF_SRC_SIM_DRIVER_CHECKPOINT_HPP
#define GPUPROF_SRC_SIM_DRIVER_CHECKPOINT_HPP

#include <gpuprof/hw/abi/cupti_checkpoint.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The calls. A copy takes host memory of the size of all allocations; the amounts of memory to keep
// free are not looked at. A restore passes over allocations that are gone, and leaves those that are
// new as they are. The caches keep what they have: it is as with NVIDIA's library, which restores no
// caches. Calls are safe from any thread.
[[nodiscard]] abi::checkpoint_table const& checkpoint_calls() noexcept;

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CHECKPOINT_HPP
