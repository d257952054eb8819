// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of driver.hpp. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_DRIVER_DRIVER_INL_HPP
#define GPUPROF_HW_SIM_DRIVER_DRIVER_INL_HPP

#include "driver.hpp"
#include "../../abi/driver.hpp"
#include "announced.hpp"
#include "context.hpp"
#include "copy.hpp"
#include "device.hpp"
#include "event.hpp"
#include "function.hpp"
#include "graph.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "primary.hpp"
#include "stream.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

GPUPROF_INLINE driver_table table() noexcept {
    driver_table calls;
    calls.Init = init;
    calls.DriverGetVersion = driver_get_version;
    calls.GetErrorName = get_error_name;
    calls.GetErrorString = get_error_string;

    calls.DeviceGetCount = device_get_count;
    calls.DeviceGet = device_get;
    calls.DeviceGetName = device_get_name;
    calls.DeviceGetAttribute = device_get_attribute;
    calls.DeviceGetUuid = device_get_uuid;
    calls.DeviceTotalMem = device_total_mem;
    calls.DeviceGetPCIBusId = device_get_pci_bus_id;

    calls.DevicePrimaryCtxRetain = device_primary_ctx_retain;
    calls.DevicePrimaryCtxRelease = device_primary_ctx_release;
    calls.DevicePrimaryCtxGetState = device_primary_ctx_get_state;
    calls.DevicePrimaryCtxSetFlags = device_primary_ctx_set_flags;
    calls.DevicePrimaryCtxReset = device_primary_ctx_reset;
    calls.CtxCreate = ctx_create;
    calls.CtxDestroy = ctx_destroy;
    calls.CtxPushCurrent = ctx_push_current;
    calls.CtxPopCurrent = ctx_pop_current;
    calls.CtxSetCurrent = ctx_set_current;
    calls.CtxGetCurrent = ctx_get_current;
    calls.CtxGetDevice = ctx_get_device;
    calls.CtxSynchronize = ctx_synchronize;
    calls.CtxGetApiVersion = ctx_get_api_version;
    calls.CtxGetId = ctx_get_id;
    calls.CtxGetLimit = ctx_get_limit;
    calls.CtxSetLimit = ctx_set_limit;
    calls.CtxGetStreamPriorityRange = ctx_get_stream_priority_range;

    calls.ModuleLoadData = module_load_data;
    calls.ModuleLoadDataEx = module_load_data_ex;
    calls.ModuleLoadFatBinary = module_load_fat_binary;
    calls.ModuleUnload = module_unload;
    calls.ModuleGetFunction = module_get_function;
    calls.ModuleGetGlobal = module_get_global;
    calls.FuncGetAttribute = func_get_attribute;
    calls.FuncSetAttribute = func_set_attribute;
    calls.FuncSetCacheConfig = func_set_cache_config;
    calls.FuncGetName = func_get_name;
    calls.KernelGetFunction = kernel_get_function;

    calls.MemGetInfo = mem_get_info;
    calls.MemAlloc = mem_alloc;
    calls.MemAllocPitch = mem_alloc_pitch;
    calls.MemFree = mem_free;
    calls.MemAllocManaged = mem_alloc_managed;
    calls.MemHostAlloc = mem_host_alloc;
    calls.MemAllocHost = mem_alloc_host;
    calls.MemFreeHost = mem_free_host;
    calls.MemHostGetDevicePointer = mem_host_get_device_pointer;
    calls.MemGetAddressRange = mem_get_address_range;
    calls.MemAllocAsync = mem_alloc_async;
    calls.MemFreeAsync = mem_free_async;
    calls.PointerGetAttribute = pointer_get_attribute;

    calls.Memcpy = memcpy_unified;
    calls.MemcpyAsync = memcpy_unified_async;
    calls.MemcpyHtoD = memcpy_htod;
    calls.MemcpyHtoDAsync = memcpy_htod_async;
    calls.MemcpyDtoH = memcpy_dtoh;
    calls.MemcpyDtoHAsync = memcpy_dtoh_async;
    calls.MemcpyDtoD = memcpy_dtod;
    calls.MemcpyDtoDAsync = memcpy_dtod_async;
    calls.Memcpy2D = memcpy_2d;
    calls.Memcpy2DAsync = memcpy_2d_async;
    calls.MemsetD8 = memset_d8;
    calls.MemsetD8Async = memset_d8_async;
    calls.MemsetD16 = memset_d16;
    calls.MemsetD16Async = memset_d16_async;
    calls.MemsetD32 = memset_d32;
    calls.MemsetD32Async = memset_d32_async;
    calls.MemsetD2D8 = memset_d2d8;
    calls.MemsetD2D32 = memset_d2d32;

    calls.StreamCreate = stream_create;
    calls.StreamCreateWithPriority = stream_create_with_priority;
    calls.StreamDestroy = stream_destroy;
    calls.StreamSynchronize = stream_synchronize;
    calls.StreamQuery = stream_query;
    calls.StreamGetId = stream_get_id;
    calls.StreamWaitEvent = stream_wait_event;
    calls.StreamBeginCapture = stream_begin_capture;
    calls.StreamEndCapture = stream_end_capture;
    calls.StreamIsCapturing = stream_is_capturing;
    calls.EventCreate = event_create;
    calls.EventRecord = event_record;
    calls.EventQuery = event_query;
    calls.EventSynchronize = event_synchronize;
    calls.EventDestroy = event_destroy;
    calls.EventElapsedTime = event_elapsed_time;

    calls.LaunchKernel = announced_launch_kernel;
    calls.LaunchKernelEx = announced_launch_kernel_ex;
    calls.LaunchCooperativeKernel = announced_launch_cooperative_kernel;
    calls.LaunchHostFunc = launch_host_func;
    calls.OccupancyMaxActiveBlocksPerMultiprocessor = occupancy_max_active_blocks_per_multiprocessor;
    calls.OccupancyMaxActiveBlocksPerMultiprocessorWithFlags =
        occupancy_max_active_blocks_per_multiprocessor_with_flags;
    calls.OccupancyMaxPotentialBlockSize = occupancy_max_potential_block_size;
    calls.OccupancyMaxPotentialBlockSizeWithFlags = occupancy_max_potential_block_size_with_flags;
    calls.OccupancyAvailableDynamicSMemPerBlock = occupancy_available_dynamic_smem_per_block;
    calls.OccupancyMaxPotentialClusterSize = occupancy_of_clusters;
    calls.OccupancyMaxActiveClusters = occupancy_of_clusters;

    calls.GraphCreate = graph_create;
    calls.GraphInstantiateWithFlags = graph_instantiate_with_flags;
    calls.GraphLaunch = announced_graph_launch;
    calls.GraphDestroy = graph_destroy;
    calls.GraphExecDestroy = graph_exec_destroy;
    calls.GraphGetNodes = graph_get_nodes;
    calls.ProfilerStart = profiler_start;
    calls.ProfilerStop = profiler_stop;
    return calls;
}

GPUPROF_INLINE driver_table legacy_table() noexcept {
    driver_table calls = table();
    calls.DriverGetVersion = legacy_driver_get_version;
    return calls;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_DRIVER_INL_HPP
