// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver.hpp"

#include <gpuprof/hw/abi/driver.hpp>

#include "announced.hpp"
#include "context.hpp"
#include "copy.hpp"
#include "device.hpp"
#include "event.hpp"
#include "function.hpp"
#include "graph.hpp"
#include "known_objects.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "peer.hpp"
#include "primary.hpp"
#include "start.hpp"
#include "stream.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

driver_table table() noexcept {
    publish_objects();
    driver_table calls;
    put<&driver_table::Init, init>(calls);
    put<&driver_table::DriverGetVersion, driver_get_version, call_needs::nothing>(calls);
    put<&driver_table::GetErrorName, get_error_name, call_needs::nothing>(calls);
    put<&driver_table::GetErrorString, get_error_string, call_needs::nothing>(calls);

    put<&driver_table::DeviceGetCount, device_get_count>(calls);
    put<&driver_table::DeviceGet, device_get>(calls);
    put<&driver_table::DeviceGetName, device_get_name>(calls);
    put<&driver_table::DeviceGetAttribute, device_get_attribute>(calls);
    put<&driver_table::DeviceGetUuid, device_get_uuid>(calls);
    put<&driver_table::DeviceTotalMem, device_total_mem>(calls);
    put<&driver_table::DeviceGetPCIBusId, device_get_pci_bus_id>(calls);
    put<&driver_table::DeviceCanAccessPeer, device_can_access_peer>(calls);

    put<&driver_table::DevicePrimaryCtxRetain, device_primary_ctx_retain>(calls);
    put<&driver_table::DevicePrimaryCtxRelease, device_primary_ctx_release>(calls);
    put<&driver_table::DevicePrimaryCtxGetState, device_primary_ctx_get_state>(calls);
    put<&driver_table::DevicePrimaryCtxSetFlags, device_primary_ctx_set_flags>(calls);
    put<&driver_table::DevicePrimaryCtxReset, device_primary_ctx_reset>(calls);
    put<&driver_table::CtxCreate, ctx_create>(calls);
    put<&driver_table::CtxDestroy, ctx_destroy>(calls);
    put<&driver_table::CtxPushCurrent, ctx_push_current>(calls);
    put<&driver_table::CtxPopCurrent, ctx_pop_current>(calls);
    put<&driver_table::CtxSetCurrent, ctx_set_current>(calls);
    put<&driver_table::CtxGetCurrent, ctx_get_current>(calls);
    put<&driver_table::CtxGetDevice, ctx_get_device>(calls);
    put<&driver_table::CtxSynchronize, ctx_synchronize>(calls);
    put<&driver_table::CtxGetApiVersion, ctx_get_api_version>(calls);
    put<&driver_table::CtxGetId, ctx_get_id>(calls);
    put<&driver_table::CtxGetLimit, ctx_get_limit>(calls);
    put<&driver_table::CtxSetLimit, ctx_set_limit>(calls);
    put<&driver_table::CtxGetStreamPriorityRange, ctx_get_stream_priority_range>(calls);
    put<&driver_table::CtxEnablePeerAccess, ctx_enable_peer_access>(calls);
    put<&driver_table::CtxDisablePeerAccess, ctx_disable_peer_access>(calls);

    put<&driver_table::ModuleLoadData, module_load_data>(calls);
    put<&driver_table::ModuleLoadDataEx, module_load_data_ex>(calls);
    put<&driver_table::ModuleLoadFatBinary, module_load_fat_binary>(calls);
    put<&driver_table::ModuleUnload, module_unload>(calls);
    put<&driver_table::ModuleGetFunction, module_get_function>(calls);
    put<&driver_table::ModuleGetGlobal, module_get_global>(calls);
    put<&driver_table::FuncGetAttribute, func_get_attribute>(calls);
    put<&driver_table::FuncSetAttribute, func_set_attribute>(calls);
    put<&driver_table::FuncSetCacheConfig, func_set_cache_config>(calls);
    put<&driver_table::FuncGetName, func_get_name>(calls);
    put<&driver_table::FuncGetParamInfo, func_get_param_info>(calls);
    put<&driver_table::KernelGetFunction, kernel_get_function>(calls);

    put<&driver_table::MemGetInfo, mem_get_info>(calls);
    put<&driver_table::MemAlloc, mem_alloc>(calls);
    put<&driver_table::MemAllocPitch, mem_alloc_pitch>(calls);
    put<&driver_table::MemFree, mem_free>(calls);
    put<&driver_table::MemAllocManaged, mem_alloc_managed>(calls);
    put<&driver_table::MemHostAlloc, mem_host_alloc>(calls);
    put<&driver_table::MemAllocHost, mem_alloc_host>(calls);
    put<&driver_table::MemFreeHost, mem_free_host>(calls);
    put<&driver_table::MemHostGetDevicePointer, mem_host_get_device_pointer>(calls);
    put<&driver_table::MemGetAddressRange, mem_get_address_range>(calls);
    put<&driver_table::MemAllocAsync, mem_alloc_async>(calls);
    put<&driver_table::MemFreeAsync, mem_free_async>(calls);
    put<&driver_table::PointerGetAttribute, pointer_get_attribute>(calls);

    put<&driver_table::Memcpy, memcpy_unified>(calls);
    put<&driver_table::MemcpyAsync, memcpy_unified_async>(calls);
    put<&driver_table::MemcpyHtoD, memcpy_htod>(calls);
    put<&driver_table::MemcpyHtoDAsync, memcpy_htod_async>(calls);
    put<&driver_table::MemcpyDtoH, memcpy_dtoh>(calls);
    put<&driver_table::MemcpyDtoHAsync, memcpy_dtoh_async>(calls);
    put<&driver_table::MemcpyDtoD, memcpy_dtod>(calls);
    put<&driver_table::MemcpyDtoDAsync, memcpy_dtod_async>(calls);
    put<&driver_table::MemcpyPeer, memcpy_peer>(calls);
    put<&driver_table::MemcpyPeerAsync, memcpy_peer_async>(calls);
    put<&driver_table::Memcpy2D, memcpy_2d>(calls);
    put<&driver_table::Memcpy2DAsync, memcpy_2d_async>(calls);
    put<&driver_table::Memcpy3D, memcpy_3d>(calls);
    put<&driver_table::Memcpy3DAsync, memcpy_3d_async>(calls);
    put<&driver_table::MemsetD8, memset_d8>(calls);
    put<&driver_table::MemsetD8Async, memset_d8_async>(calls);
    put<&driver_table::MemsetD16, memset_d16>(calls);
    put<&driver_table::MemsetD16Async, memset_d16_async>(calls);
    put<&driver_table::MemsetD32, memset_d32>(calls);
    put<&driver_table::MemsetD32Async, memset_d32_async>(calls);
    put<&driver_table::MemsetD2D8, memset_d2d8>(calls);
    put<&driver_table::MemsetD2D8Async, memset_d2d8_async>(calls);
    put<&driver_table::MemsetD2D16, memset_d2d16>(calls);
    put<&driver_table::MemsetD2D16Async, memset_d2d16_async>(calls);
    put<&driver_table::MemsetD2D32, memset_d2d32>(calls);
    put<&driver_table::MemsetD2D32Async, memset_d2d32_async>(calls);

    put<&driver_table::StreamCreate, stream_create>(calls);
    put<&driver_table::StreamCreateWithPriority, stream_create_with_priority>(calls);
    put<&driver_table::StreamDestroy, stream_destroy>(calls);
    put<&driver_table::StreamSynchronize, stream_synchronize>(calls);
    put<&driver_table::StreamQuery, stream_query>(calls);
    put<&driver_table::StreamGetId, stream_get_id>(calls);
    put<&driver_table::StreamWaitEvent, stream_wait_event>(calls);
    put<&driver_table::StreamBeginCapture, stream_begin_capture>(calls);
    put<&driver_table::StreamEndCapture, stream_end_capture>(calls);
    put<&driver_table::StreamIsCapturing, stream_is_capturing>(calls);
    put<&driver_table::EventCreate, event_create>(calls);
    put<&driver_table::EventRecord, event_record>(calls);
    put<&driver_table::EventQuery, event_query>(calls);
    put<&driver_table::EventSynchronize, event_synchronize>(calls);
    put<&driver_table::EventDestroy, event_destroy>(calls);
    put<&driver_table::EventElapsedTime, event_elapsed_time>(calls);

    put<&driver_table::LaunchKernel, launch_kernel>(calls);
    put<&driver_table::LaunchKernelEx, launch_kernel_ex>(calls);
    put<&driver_table::LaunchCooperativeKernel, launch_cooperative_kernel>(calls);
    put<&driver_table::LaunchHostFunc, launch_host_func>(calls);
    put<&driver_table::OccupancyMaxActiveBlocksPerMultiprocessor, occupancy_max_active_blocks_per_multiprocessor>(
        calls);
    put<&driver_table::OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
        occupancy_max_active_blocks_per_multiprocessor_with_flags>(calls);
    put<&driver_table::OccupancyMaxPotentialBlockSize, occupancy_max_potential_block_size>(calls);
    put<&driver_table::OccupancyMaxPotentialBlockSizeWithFlags, occupancy_max_potential_block_size_with_flags>(calls);
    put<&driver_table::OccupancyAvailableDynamicSMemPerBlock, occupancy_available_dynamic_smem_per_block>(calls);
    put<&driver_table::OccupancyMaxPotentialClusterSize, occupancy_max_potential_cluster_size>(calls);
    put<&driver_table::OccupancyMaxActiveClusters, occupancy_max_active_clusters>(calls);

    put<&driver_table::GraphCreate, graph_create>(calls);
    put<&driver_table::GraphInstantiateWithFlags, graph_instantiate_with_flags>(calls);
    put<&driver_table::GraphLaunch, graph_launch>(calls);
    put<&driver_table::GraphDestroy, graph_destroy>(calls);
    put<&driver_table::GraphExecDestroy, graph_exec_destroy>(calls);
    put<&driver_table::GraphGetNodes, graph_get_nodes>(calls);
    put<&driver_table::GraphNodeGetType, graph_node_get_type>(calls);
    put<&driver_table::GraphNodeGetDependencies, graph_node_get_dependencies>(calls);
    put<&driver_table::GraphKernelNodeGetParams, graph_kernel_node_get_params>(calls);
    put<&driver_table::GraphKernelNodeGetAttribute, graph_kernel_node_get_attribute>(calls);
    put<&driver_table::GraphMemcpyNodeGetParams, graph_memcpy_node_get_params>(calls);
    put<&driver_table::GraphMemsetNodeGetParams, graph_memset_node_get_params>(calls);
    put<&driver_table::GraphExecGetFlags, graph_exec_get_flags>(calls);
    put<&driver_table::ProfilerStart, profiler_start>(calls);
    put<&driver_table::ProfilerStop, profiler_stop>(calls);
    return calls;
}

driver_table legacy_table() noexcept {
    driver_table calls = table();
    put<&driver_table::DriverGetVersion, legacy_driver_get_version, call_needs::nothing>(calls);
    return calls;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
