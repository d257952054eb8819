// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's calls as CUPTI's callbacks and API records name them. Layer: hw ABI; no CUDA header.
#ifndef GPUPROF_HW_ABI_CUPTI_DRIVER_CALLS_HPP
#define GPUPROF_HW_ABI_CUPTI_DRIVER_CALLS_HPP

#include <string_view> // names

#include "../../detail/config.hpp"
#include "cupti_callback.hpp"
#include "cupti_driver_parameters.hpp"
#include "driver.hpp"

// One row for each call of the driver table, X(member, CUPTI's name, callback id): the name is the exported symbol, and
// name##_params the structure of its parameters. CUPTI never gives an id to another call. A call with a default stream for
// each thread ("_ptds", "_ptsz") has an id of its own, which is not here: the tables lack those calls.

// clang-format off
#define GPUPROF_ABI_INIT_CALLS(X) \
    X(Init, cuInit, 1) \
    X(DriverGetVersion, cuDriverGetVersion, 2) \
    X(GetErrorName, cuGetErrorName, 373) \
    X(GetErrorString, cuGetErrorString, 372)

#define GPUPROF_ABI_DEVICE_CALLS(X) \
    X(DeviceGetCount, cuDeviceGetCount, 4) \
    X(DeviceGet, cuDeviceGet, 3) \
    X(DeviceGetName, cuDeviceGetName, 5) \
    X(DeviceGetAttribute, cuDeviceGetAttribute, 9) \
    X(DeviceGetUuid, cuDeviceGetUuid_v2, 647) \
    X(DeviceTotalMem, cuDeviceTotalMem_v2, 259) \
    X(DeviceGetPCIBusId, cuDeviceGetPCIBusId, 332)

#define GPUPROF_ABI_CONTEXT_CALLS(X) \
    X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 386) \
    X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 544) \
    X(DevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 392) \
    X(DevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, 546) \
    X(DevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, 545) \
    X(CtxCreate, cuCtxCreate_v2, 235) \
    X(CtxDestroy, cuCtxDestroy_v2, 322) \
    X(CtxPushCurrent, cuCtxPushCurrent_v2, 323) \
    X(CtxPopCurrent, cuCtxPopCurrent_v2, 324) \
    X(CtxSetCurrent, cuCtxSetCurrent, 303) \
    X(CtxGetCurrent, cuCtxGetCurrent, 304) \
    X(CtxGetDevice, cuCtxGetDevice, 16) \
    X(CtxSynchronize, cuCtxSynchronize, 17) \
    X(CtxGetApiVersion, cuCtxGetApiVersion, 296) \
    X(CtxGetId, cuCtxGetId, 695) \
    X(CtxGetLimit, cuCtxGetLimit, 137) \
    X(CtxSetLimit, cuCtxSetLimit, 136) \
    X(CtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, 370)

#define GPUPROF_ABI_MODULE_CALLS(X) \
    X(ModuleLoadData, cuModuleLoadData, 19) \
    X(ModuleLoadDataEx, cuModuleLoadDataEx, 20) \
    X(ModuleLoadFatBinary, cuModuleLoadFatBinary, 21) \
    X(ModuleUnload, cuModuleUnload, 22) \
    X(ModuleGetFunction, cuModuleGetFunction, 23) \
    X(ModuleGetGlobal, cuModuleGetGlobal_v2, 241) \
    X(FuncGetAttribute, cuFuncGetAttribute, 85) \
    X(FuncSetAttribute, cuFuncSetAttribute, 481) \
    X(FuncSetCacheConfig, cuFuncSetCacheConfig, 86) \
    X(FuncGetName, cuFuncGetName, 718) \
    X(KernelGetFunction, cuKernelGetFunction, 683)

#define GPUPROF_ABI_MEMORY_CALLS(X) \
    X(MemGetInfo, cuMemGetInfo_v2, 242) \
    X(MemAlloc, cuMemAlloc_v2, 243) \
    X(MemAllocPitch, cuMemAllocPitch_v2, 244) \
    X(MemFree, cuMemFree_v2, 245) \
    X(MemAllocManaged, cuMemAllocManaged, 371) \
    X(MemHostAlloc, cuMemHostAlloc, 39) \
    X(MemAllocHost, cuMemAllocHost_v2, 294) \
    X(MemFreeHost, cuMemFreeHost, 38) \
    X(MemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 247) \
    X(MemGetAddressRange, cuMemGetAddressRange_v2, 246) \
    X(MemAllocAsync, cuMemAllocAsync, 598) \
    X(MemFreeAsync, cuMemFreeAsync, 600) \
    X(PointerGetAttribute, cuPointerGetAttribute, 310)

#define GPUPROF_ABI_COPY_CALLS(X) \
    X(Memcpy, cuMemcpy, 305) \
    X(MemcpyAsync, cuMemcpyAsync, 306) \
    X(MemcpyHtoD, cuMemcpyHtoD_v2, 276) \
    X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, 277) \
    X(MemcpyDtoH, cuMemcpyDtoH_v2, 278) \
    X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, 279) \
    X(MemcpyDtoD, cuMemcpyDtoD_v2, 280) \
    X(MemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, 281) \
    X(Memcpy2D, cuMemcpy2D_v2, 287) \
    X(Memcpy2DAsync, cuMemcpy2DAsync_v2, 289) \
    X(MemsetD8, cuMemsetD8_v2, 249) \
    X(MemsetD8Async, cuMemsetD8Async, 216) \
    X(MemsetD16, cuMemsetD16_v2, 250) \
    X(MemsetD16Async, cuMemsetD16Async, 218) \
    X(MemsetD32, cuMemsetD32_v2, 251) \
    X(MemsetD32Async, cuMemsetD32Async, 220) \
    X(MemsetD2D8, cuMemsetD2D8_v2, 252) \
    X(MemsetD2D32, cuMemsetD2D32_v2, 254)

#define GPUPROF_ABI_STREAM_CALLS(X) \
    X(StreamCreate, cuStreamCreate, 124) \
    X(StreamCreateWithPriority, cuStreamCreateWithPriority, 367) \
    X(StreamDestroy, cuStreamDestroy_v2, 326) \
    X(StreamSynchronize, cuStreamSynchronize, 126) \
    X(StreamQuery, cuStreamQuery, 125) \
    X(StreamGetId, cuStreamGetId, 693) \
    X(StreamWaitEvent, cuStreamWaitEvent, 295) \
    X(StreamBeginCapture, cuStreamBeginCapture_v2, 539) \
    X(StreamEndCapture, cuStreamEndCapture, 497) \
    X(StreamIsCapturing, cuStreamIsCapturing, 499) \
    X(EventCreate, cuEventCreate, 118) \
    X(EventRecord, cuEventRecord, 119) \
    X(EventQuery, cuEventQuery, 120) \
    X(EventSynchronize, cuEventSynchronize, 121) \
    X(EventDestroy, cuEventDestroy_v2, 325) \
    X(EventElapsedTime, cuEventElapsedTime, 123)

#define GPUPROF_ABI_LAUNCH_CALLS(X) \
    X(LaunchKernel, cuLaunchKernel, 307) \
    X(LaunchKernelEx, cuLaunchKernelEx, 652) \
    X(LaunchCooperativeKernel, cuLaunchCooperativeKernel, 477) \
    X(LaunchHostFunc, cuLaunchHostFunc, 527) \
    X(OccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, 374) \
    X(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 451) \
    X(OccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, 384) \
    X(OccupancyMaxPotentialBlockSizeWithFlags, cuOccupancyMaxPotentialBlockSizeWithFlags, 452) \
    X(OccupancyAvailableDynamicSMemPerBlock, cuOccupancyAvailableDynamicSMemPerBlock, 543) \
    X(OccupancyMaxPotentialClusterSize, cuOccupancyMaxPotentialClusterSize, 675) \
    X(OccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters, 676)

#define GPUPROF_ABI_GRAPH_CALLS(X) \
    X(GraphCreate, cuGraphCreate, 501) \
    X(GraphInstantiateWithFlags, cuGraphInstantiateWithFlags, 643) \
    X(GraphLaunch, cuGraphLaunch, 514) \
    X(GraphDestroy, cuGraphDestroy, 517) \
    X(GraphExecDestroy, cuGraphExecDestroy, 516) \
    X(GraphGetNodes, cuGraphGetNodes, 534) \
    X(ProfilerStart, cuProfilerStart, 308) \
    X(ProfilerStop, cuProfilerStop, 309)

#define GPUPROF_ABI_DRIVER_CALLS(X) \
    GPUPROF_ABI_INIT_CALLS(X) \
    GPUPROF_ABI_DEVICE_CALLS(X) \
    GPUPROF_ABI_CONTEXT_CALLS(X) \
    GPUPROF_ABI_MODULE_CALLS(X) \
    GPUPROF_ABI_MEMORY_CALLS(X) \
    GPUPROF_ABI_COPY_CALLS(X) \
    GPUPROF_ABI_STREAM_CALLS(X) \
    GPUPROF_ABI_LAUNCH_CALLS(X) \
    GPUPROF_ABI_GRAPH_CALLS(X)
// clang-format on

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// The row of a member of the driver table: driver_call<&driver_table::MemAlloc>::name is "cuMemAlloc_v2". Not defined for
// a member that has no row.
template <auto Member>
struct driver_call;

#define GPUPROF_ABI_ROW(member, symbol, number)                                                                        \
    template <>                                                                                                        \
    struct driver_call<&driver_table::member> {                                                                        \
        static constexpr CUpti_CallbackId id = number;                                                                 \
        static constexpr char const* name = #symbol;                                                                   \
        using parameters = symbol##_params;                                                                            \
    };
GPUPROF_ABI_DRIVER_CALLS(GPUPROF_ABI_ROW)
#undef GPUPROF_ABI_ROW

// A call that is added to the driver table needs its row.
#define GPUPROF_ABI_HAS_ROW(member, symbol, parameters)                                                                \
    static_assert(std::string_view{driver_call<&driver_table::member>::name} == symbol);
GPUPROF_ABI_DRIVER(GPUPROF_ABI_HAS_ROW)
#undef GPUPROF_ABI_HAS_ROW

// Calls f(name, id) for every row.
template <class F>
constexpr void for_each_driver_call(F&& f) {
#define GPUPROF_ABI_VISIT(member, symbol, number) f(#symbol, CUpti_CallbackId{number});
    GPUPROF_ABI_DRIVER_CALLS(GPUPROF_ABI_VISIT)
#undef GPUPROF_ABI_VISIT
}

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_DRIVER_CALLS_HPP
