// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of driver.hpp. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_DRIVER_DRIVER_INL_HPP
#define GPUPROF_HW_SIM_DRIVER_DRIVER_INL_HPP

#include <new> // std::bad_alloc

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

namespace detail {

// A call as C sees it: what runs out of memory, or of another resource of the host, is a status.
template <auto Call>
inline constexpr auto without_exceptions = nullptr;
template <class... A, CUresult (*Call)(A...)>
inline constexpr auto without_exceptions<Call> = +[](A... arguments) noexcept -> CUresult {
#if GPUPROF_EXCEPTIONS
    try {
        return Call(arguments...);
    } catch (std::bad_alloc const&) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (...) { // of a host function, or of the operating system
        return CUDA_ERROR_UNKNOWN;
    }
#else
    return Call(arguments...);
#endif
};

} // namespace detail

GPUPROF_INLINE driver_table table() noexcept {
    driver_table calls;
    calls.Init = detail::without_exceptions<init>;
    calls.DriverGetVersion = detail::without_exceptions<driver_get_version>;
    calls.GetErrorName = detail::without_exceptions<get_error_name>;
    calls.GetErrorString = detail::without_exceptions<get_error_string>;

    calls.DeviceGetCount = detail::without_exceptions<device_get_count>;
    calls.DeviceGet = detail::without_exceptions<device_get>;
    calls.DeviceGetName = detail::without_exceptions<device_get_name>;
    calls.DeviceGetAttribute = detail::without_exceptions<device_get_attribute>;
    calls.DeviceGetUuid = detail::without_exceptions<device_get_uuid>;
    calls.DeviceTotalMem = detail::without_exceptions<device_total_mem>;
    calls.DeviceGetPCIBusId = detail::without_exceptions<device_get_pci_bus_id>;

    calls.DevicePrimaryCtxRetain = detail::without_exceptions<device_primary_ctx_retain>;
    calls.DevicePrimaryCtxRelease = detail::without_exceptions<device_primary_ctx_release>;
    calls.DevicePrimaryCtxGetState = detail::without_exceptions<device_primary_ctx_get_state>;
    calls.DevicePrimaryCtxSetFlags = detail::without_exceptions<device_primary_ctx_set_flags>;
    calls.DevicePrimaryCtxReset = detail::without_exceptions<device_primary_ctx_reset>;
    calls.CtxCreate = detail::without_exceptions<ctx_create>;
    calls.CtxDestroy = detail::without_exceptions<ctx_destroy>;
    calls.CtxPushCurrent = detail::without_exceptions<ctx_push_current>;
    calls.CtxPopCurrent = detail::without_exceptions<ctx_pop_current>;
    calls.CtxSetCurrent = detail::without_exceptions<ctx_set_current>;
    calls.CtxGetCurrent = detail::without_exceptions<ctx_get_current>;
    calls.CtxGetDevice = detail::without_exceptions<ctx_get_device>;
    calls.CtxSynchronize = detail::without_exceptions<ctx_synchronize>;
    calls.CtxGetApiVersion = detail::without_exceptions<ctx_get_api_version>;
    calls.CtxGetId = detail::without_exceptions<ctx_get_id>;
    calls.CtxGetLimit = detail::without_exceptions<ctx_get_limit>;
    calls.CtxSetLimit = detail::without_exceptions<ctx_set_limit>;
    calls.CtxGetStreamPriorityRange = detail::without_exceptions<ctx_get_stream_priority_range>;

    calls.ModuleLoadData = detail::without_exceptions<module_load_data>;
    calls.ModuleLoadDataEx = detail::without_exceptions<module_load_data_ex>;
    calls.ModuleLoadFatBinary = detail::without_exceptions<module_load_fat_binary>;
    calls.ModuleUnload = detail::without_exceptions<module_unload>;
    calls.ModuleGetFunction = detail::without_exceptions<module_get_function>;
    calls.ModuleGetGlobal = detail::without_exceptions<module_get_global>;
    calls.FuncGetAttribute = detail::without_exceptions<func_get_attribute>;
    calls.FuncSetAttribute = detail::without_exceptions<func_set_attribute>;
    calls.FuncSetCacheConfig = detail::without_exceptions<func_set_cache_config>;
    calls.FuncGetName = detail::without_exceptions<func_get_name>;
    calls.KernelGetFunction = detail::without_exceptions<kernel_get_function>;

    calls.MemGetInfo = detail::without_exceptions<mem_get_info>;
    calls.MemAlloc = detail::without_exceptions<mem_alloc>;
    calls.MemAllocPitch = detail::without_exceptions<mem_alloc_pitch>;
    calls.MemFree = detail::without_exceptions<mem_free>;
    calls.MemAllocManaged = detail::without_exceptions<mem_alloc_managed>;
    calls.MemHostAlloc = detail::without_exceptions<mem_host_alloc>;
    calls.MemAllocHost = detail::without_exceptions<mem_alloc_host>;
    calls.MemFreeHost = detail::without_exceptions<mem_free_host>;
    calls.MemHostGetDevicePointer = detail::without_exceptions<mem_host_get_device_pointer>;
    calls.MemGetAddressRange = detail::without_exceptions<mem_get_address_range>;
    calls.MemAllocAsync = detail::without_exceptions<mem_alloc_async>;
    calls.MemFreeAsync = detail::without_exceptions<mem_free_async>;
    calls.PointerGetAttribute = detail::without_exceptions<pointer_get_attribute>;

    calls.Memcpy = detail::without_exceptions<memcpy_unified>;
    calls.MemcpyAsync = detail::without_exceptions<memcpy_unified_async>;
    calls.MemcpyHtoD = detail::without_exceptions<memcpy_htod>;
    calls.MemcpyHtoDAsync = detail::without_exceptions<memcpy_htod_async>;
    calls.MemcpyDtoH = detail::without_exceptions<memcpy_dtoh>;
    calls.MemcpyDtoHAsync = detail::without_exceptions<memcpy_dtoh_async>;
    calls.MemcpyDtoD = detail::without_exceptions<memcpy_dtod>;
    calls.MemcpyDtoDAsync = detail::without_exceptions<memcpy_dtod_async>;
    calls.Memcpy2D = detail::without_exceptions<memcpy_2d>;
    calls.Memcpy2DAsync = detail::without_exceptions<memcpy_2d_async>;
    calls.MemsetD8 = detail::without_exceptions<memset_d8>;
    calls.MemsetD8Async = detail::without_exceptions<memset_d8_async>;
    calls.MemsetD16 = detail::without_exceptions<memset_d16>;
    calls.MemsetD16Async = detail::without_exceptions<memset_d16_async>;
    calls.MemsetD32 = detail::without_exceptions<memset_d32>;
    calls.MemsetD32Async = detail::without_exceptions<memset_d32_async>;
    calls.MemsetD2D8 = detail::without_exceptions<memset_d2d8>;
    calls.MemsetD2D32 = detail::without_exceptions<memset_d2d32>;

    calls.StreamCreate = detail::without_exceptions<stream_create>;
    calls.StreamCreateWithPriority = detail::without_exceptions<stream_create_with_priority>;
    calls.StreamDestroy = detail::without_exceptions<stream_destroy>;
    calls.StreamSynchronize = detail::without_exceptions<stream_synchronize>;
    calls.StreamQuery = detail::without_exceptions<stream_query>;
    calls.StreamGetId = detail::without_exceptions<stream_get_id>;
    calls.StreamWaitEvent = detail::without_exceptions<stream_wait_event>;
    calls.StreamBeginCapture = detail::without_exceptions<stream_begin_capture>;
    calls.StreamEndCapture = detail::without_exceptions<stream_end_capture>;
    calls.StreamIsCapturing = detail::without_exceptions<stream_is_capturing>;
    calls.EventCreate = detail::without_exceptions<event_create>;
    calls.EventRecord = detail::without_exceptions<event_record>;
    calls.EventQuery = detail::without_exceptions<event_query>;
    calls.EventSynchronize = detail::without_exceptions<event_synchronize>;
    calls.EventDestroy = detail::without_exceptions<event_destroy>;
    calls.EventElapsedTime = detail::without_exceptions<event_elapsed_time>;

    calls.LaunchKernel = detail::without_exceptions<announced_launch_kernel>;
    calls.LaunchKernelEx = detail::without_exceptions<announced_launch_kernel_ex>;
    calls.LaunchCooperativeKernel = detail::without_exceptions<announced_launch_cooperative_kernel>;
    calls.LaunchHostFunc = detail::without_exceptions<launch_host_func>;
    calls.OccupancyMaxActiveBlocksPerMultiprocessor =
        detail::without_exceptions<occupancy_max_active_blocks_per_multiprocessor>;
    calls.OccupancyMaxActiveBlocksPerMultiprocessorWithFlags =
        detail::without_exceptions<occupancy_max_active_blocks_per_multiprocessor_with_flags>;
    calls.OccupancyMaxPotentialBlockSize = detail::without_exceptions<occupancy_max_potential_block_size>;
    calls.OccupancyMaxPotentialBlockSizeWithFlags =
        detail::without_exceptions<occupancy_max_potential_block_size_with_flags>;
    calls.OccupancyAvailableDynamicSMemPerBlock =
        detail::without_exceptions<occupancy_available_dynamic_smem_per_block>;
    calls.OccupancyMaxPotentialClusterSize = detail::without_exceptions<occupancy_of_clusters>;
    calls.OccupancyMaxActiveClusters = detail::without_exceptions<occupancy_of_clusters>;

    calls.GraphCreate = detail::without_exceptions<graph_create>;
    calls.GraphInstantiateWithFlags = detail::without_exceptions<graph_instantiate_with_flags>;
    calls.GraphLaunch = detail::without_exceptions<announced_graph_launch>;
    calls.GraphDestroy = detail::without_exceptions<graph_destroy>;
    calls.GraphExecDestroy = detail::without_exceptions<graph_exec_destroy>;
    calls.GraphGetNodes = detail::without_exceptions<graph_get_nodes>;
    calls.ProfilerStart = detail::without_exceptions<profiler_start>;
    calls.ProfilerStop = detail::without_exceptions<profiler_stop>;
    return calls;
}

GPUPROF_INLINE driver_table legacy_table() noexcept {
    driver_table calls = table();
    calls.DriverGetVersion = detail::without_exceptions<legacy_driver_get_version>;
    return calls;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_DRIVER_INL_HPP
