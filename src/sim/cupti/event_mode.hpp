// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's collection modes and kernel replay for the embedded GPU.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_MODE_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_MODE_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// The mode stands for groups that are enabled already, too. Not in kernel replay mode:
// CUPTI_ERROR_INVALID_OPERATION.
CUptiResult set_event_collection_mode(CUcontext context, CUpti_EventCollectionMode mode);

// Any number of groups can be enabled then. Kernels are not really repeated, since everything is
// counted in one run.
CUptiResult enable_kernel_replay_mode(CUcontext context);

// Disables every group of the context.
CUptiResult disable_kernel_replay_mode(CUcontext context);

// One subscriber a process; null ends it.
CUptiResult kernel_replay_subscribe_update(CUpti_KernelReplayUpdateFunc update, void* data);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_MODE_HPP
