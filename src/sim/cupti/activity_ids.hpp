// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that give the number of a handle in activity records, and calls that say what CUPTI
// supports.
#ifndef GPUPROF_SRC_SIM_CUPTI_ACTIVITY_IDS_HPP
#define GPUPROF_SRC_SIM_CUPTI_ACTIVITY_IDS_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

CUptiResult get_device_id(CUcontext context, std::uint32_t* id);
CUptiResult get_context_id(CUcontext context, std::uint32_t* id);
CUptiResult get_stream_id_ex(CUcontext context, CUstream stream, std::uint8_t per_thread, std::uint32_t* id);
CUptiResult get_stream_id(CUcontext context, CUstream stream, std::uint32_t* id);
CUptiResult get_graph_id(CUgraph graph, std::uint32_t* id);
CUptiResult get_graph_exec_id(CUgraphExec executable, std::uint32_t* id);
CUptiResult get_graph_node_id(CUgraphNode node, std::uint64_t* id);

// The clocks of the embedded GPU are fixed.
CUptiResult get_auto_boost_state(CUcontext context, CUpti_ActivityAutoBoostState* state);

CUptiResult device_virtualization_mode(CUdevice device, CUpti_DeviceVirtualizationMode* mode);
CUptiResult device_supported(CUdevice device, int* supported);

// The supported capabilities are those of the chips that can be embedded.
CUptiResult compute_capability_supported(int generation, int revision, int* supported);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ACTIVITY_IDS_HPP
