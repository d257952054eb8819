// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of CUDA driver calls. Everything above calls the driver through one,
// filled from the machine's libcuda or by another implementation.
#ifndef GPUPROF_HW_ABI_DRIVER_HPP
#define GPUPROF_HW_ABI_DRIVER_HPP

#include <cstddef>

#include "../../detail/config.hpp"
#include "attributes.hpp"
#include "driver_types.hpp"
#include "results.hpp"
#include "types.hpp"

// One row a call, X(member, exported symbol, (parameters)). A member is the call's name without
// `cu` and without the version suffix. <cuda.h> defines the names of symbols as macros (cuMemAlloc
// is cuMemAlloc_v2): use a row's symbol by # and ## alone, which leave it as it stands. A member
// keeps its name in whatever order headers come. Calls newer than CUDA 11.0: MemAllocAsync and
// MemFreeAsync (11.2), GraphInstantiateWithFlags and DeviceGetUuid (_v2, 11.4), LaunchKernelEx and
// the two occupancies of clusters (11.8), CtxGetId and StreamGetId (12.0),
// GraphExecGetFlags and GraphKernelNodeGetParams (_v2, 12.0), FuncGetName and GraphNodeGetDependencies (_v2, 12.3),
// FuncGetParamInfo (12.4).

// clang-format off
// Start, version and the text of errors.
#define GPUPROF_ABI_DRIVER_INIT(X) \
    X(Init, cuInit, (unsigned int flags)) \
    X(DriverGetVersion, cuDriverGetVersion, (int* version)) \
    X(GetErrorName, cuGetErrorName, (CUresult status, char const** text)) \
    X(GetErrorString, cuGetErrorString, (CUresult status, char const** text))

// Devices.
#define GPUPROF_ABI_DRIVER_DEVICE(X) \
    X(DeviceGetCount, cuDeviceGetCount, (int* count)) \
    X(DeviceGet, cuDeviceGet, (CUdevice* device, int ordinal)) \
    X(DeviceGetName, cuDeviceGetName, (char* name, int length, CUdevice device)) \
    X(DeviceGetAttribute, cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device)) \
    X(DeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid* uuid, CUdevice device)) \
    X(DeviceTotalMem, cuDeviceTotalMem_v2, (std::size_t* bytes, CUdevice device)) \
    X(DeviceGetPCIBusId, cuDeviceGetPCIBusId, (char* id, int length, CUdevice device)) \
    X(DeviceCanAccessPeer, cuDeviceCanAccessPeer, (int* can, CUdevice device, CUdevice peer))

// Contexts, primary and own.
#define GPUPROF_ABI_DRIVER_CONTEXT(X) \
    X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext* context, CUdevice device)) \
    X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device)) \
    X(DevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, (CUdevice device, unsigned int* flags, int* active)) \
    X(DevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, (CUdevice device, unsigned int flags)) \
    X(DevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice device)) \
    X(CtxCreate, cuCtxCreate_v2, (CUcontext* context, unsigned int flags, CUdevice device)) \
    X(CtxDestroy, cuCtxDestroy_v2, (CUcontext context)) \
    X(CtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context)) \
    X(CtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext* context)) \
    X(CtxSetCurrent, cuCtxSetCurrent, (CUcontext context)) \
    X(CtxGetCurrent, cuCtxGetCurrent, (CUcontext* context)) \
    X(CtxGetDevice, cuCtxGetDevice, (CUdevice* device)) \
    X(CtxSynchronize, cuCtxSynchronize, ()) \
    X(CtxGetApiVersion, cuCtxGetApiVersion, (CUcontext context, unsigned int* version)) \
    X(CtxGetId, cuCtxGetId, (CUcontext context, unsigned long long* id)) \
    X(CtxGetLimit, cuCtxGetLimit, (std::size_t* value, CUlimit limit)) \
    X(CtxSetLimit, cuCtxSetLimit, (CUlimit limit, std::size_t value)) \
    X(CtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, (int* least, int* greatest)) \
    X(CtxEnablePeerAccess, cuCtxEnablePeerAccess, (CUcontext peer, unsigned int flags)) \
    X(CtxDisablePeerAccess, cuCtxDisablePeerAccess, (CUcontext peer))

// Modules and kernels.
#define GPUPROF_ABI_DRIVER_MODULE(X) \
    X(ModuleLoadData, cuModuleLoadData, (CUmodule* module, void const* image)) \
    X(ModuleLoadDataEx, cuModuleLoadDataEx, (CUmodule* module, void const* image, unsigned int count, \
      CUjit_option* options, void** values)) \
    X(ModuleLoadFatBinary, cuModuleLoadFatBinary, (CUmodule* module, void const* image)) \
    X(ModuleUnload, cuModuleUnload, (CUmodule module)) \
    X(ModuleGetFunction, cuModuleGetFunction, (CUfunction* function, CUmodule module, char const* name)) \
    X(ModuleGetGlobal, cuModuleGetGlobal_v2, (CUdeviceptr* address, std::size_t* bytes, CUmodule module, \
      char const* name)) \
    X(FuncGetAttribute, cuFuncGetAttribute, (int* value, CUfunction_attribute attribute, CUfunction function)) \
    X(FuncSetAttribute, cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value)) \
    X(FuncSetCacheConfig, cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache config)) \
    X(FuncGetName, cuFuncGetName, (char const** name, CUfunction function)) \
    X(FuncGetParamInfo, cuFuncGetParamInfo, (CUfunction function, std::size_t index, std::size_t* offset, \
      std::size_t* bytes)) \
    X(KernelGetFunction, cuKernelGetFunction, (CUfunction* function, CUkernel kernel))

// Memory.
#define GPUPROF_ABI_DRIVER_MEMORY(X) \
    X(MemGetInfo, cuMemGetInfo_v2, (std::size_t* free, std::size_t* total)) \
    X(MemAlloc, cuMemAlloc_v2, (CUdeviceptr* address, std::size_t bytes)) \
    X(MemAllocPitch, cuMemAllocPitch_v2, (CUdeviceptr* address, std::size_t* pitch, std::size_t width, \
      std::size_t height, unsigned int element)) \
    X(MemFree, cuMemFree_v2, (CUdeviceptr address)) \
    X(MemAllocManaged, cuMemAllocManaged, (CUdeviceptr* address, std::size_t bytes, unsigned int flags)) \
    X(MemHostAlloc, cuMemHostAlloc, (void** address, std::size_t bytes, unsigned int flags)) \
    X(MemAllocHost, cuMemAllocHost_v2, (void** address, std::size_t bytes)) \
    X(MemFreeHost, cuMemFreeHost, (void* address)) \
    X(MemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, (CUdeviceptr* device, void* host, \
      unsigned int flags)) \
    X(MemGetAddressRange, cuMemGetAddressRange_v2, (CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address)) \
    X(MemAllocAsync, cuMemAllocAsync, (CUdeviceptr* address, std::size_t bytes, CUstream stream)) \
    X(MemFreeAsync, cuMemFreeAsync, (CUdeviceptr address, CUstream stream)) \
    X(PointerGetAttribute, cuPointerGetAttribute, (void* value, CUpointer_attribute attribute, \
      CUdeviceptr address))

// Copies and fills; sizes in bytes, in elements for the fills of 16 and 32 bits.
#define GPUPROF_ABI_DRIVER_COPY(X) \
    X(Memcpy, cuMemcpy, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes)) \
    X(MemcpyAsync, cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)) \
    X(MemcpyHtoD, cuMemcpyHtoD_v2, (CUdeviceptr to, void const* from, std::size_t bytes)) \
    X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (CUdeviceptr to, void const* from, std::size_t bytes, \
      CUstream stream)) \
    X(MemcpyDtoH, cuMemcpyDtoH_v2, (void* to, CUdeviceptr from, std::size_t bytes)) \
    X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, std::size_t bytes, CUstream stream)) \
    X(MemcpyDtoD, cuMemcpyDtoD_v2, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes)) \
    X(MemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes, \
      CUstream stream)) \
    X(MemcpyPeer, cuMemcpyPeer, (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, \
      std::size_t bytes)) \
    X(MemcpyPeerAsync, cuMemcpyPeerAsync, (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, \
      CUcontext from_context, std::size_t bytes, CUstream stream)) \
    X(Memcpy2D, cuMemcpy2D_v2, (CUDA_MEMCPY2D const* copy)) \
    X(Memcpy2DAsync, cuMemcpy2DAsync_v2, (CUDA_MEMCPY2D const* copy, CUstream stream)) \
    X(Memcpy3D, cuMemcpy3D_v2, (CUDA_MEMCPY3D const* copy)) \
    X(Memcpy3DAsync, cuMemcpy3DAsync_v2, (CUDA_MEMCPY3D const* copy, CUstream stream)) \
    X(MemsetD8, cuMemsetD8_v2, (CUdeviceptr to, unsigned char value, std::size_t count)) \
    X(MemsetD8Async, cuMemsetD8Async, (CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream)) \
    X(MemsetD16, cuMemsetD16_v2, (CUdeviceptr to, unsigned short value, std::size_t count)) \
    X(MemsetD16Async, cuMemsetD16Async, (CUdeviceptr to, unsigned short value, std::size_t count, \
      CUstream stream)) \
    X(MemsetD32, cuMemsetD32_v2, (CUdeviceptr to, unsigned int value, std::size_t count)) \
    X(MemsetD32Async, cuMemsetD32Async, (CUdeviceptr to, unsigned int value, std::size_t count, CUstream stream)) \
    X(MemsetD2D8, cuMemsetD2D8_v2, (CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, \
      std::size_t height)) \
    X(MemsetD2D8Async, cuMemsetD2D8Async, (CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, \
      std::size_t height, CUstream stream)) \
    X(MemsetD2D16, cuMemsetD2D16_v2, (CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width, \
      std::size_t height)) \
    X(MemsetD2D16Async, cuMemsetD2D16Async, (CUdeviceptr to, std::size_t pitch, unsigned short value, \
      std::size_t width, std::size_t height, CUstream stream)) \
    X(MemsetD2D32, cuMemsetD2D32_v2, (CUdeviceptr to, std::size_t pitch, unsigned int value, std::size_t width, \
      std::size_t height)) \
    X(MemsetD2D32Async, cuMemsetD2D32Async, (CUdeviceptr to, std::size_t pitch, unsigned int value, \
      std::size_t width, std::size_t height, CUstream stream))

// Streams, capture and events; ElapsedTime in milliseconds.
#define GPUPROF_ABI_DRIVER_STREAM(X) \
    X(StreamCreate, cuStreamCreate, (CUstream* stream, unsigned int flags)) \
    X(StreamCreateWithPriority, cuStreamCreateWithPriority, (CUstream* stream, unsigned int flags, int priority)) \
    X(StreamDestroy, cuStreamDestroy_v2, (CUstream stream)) \
    X(StreamSynchronize, cuStreamSynchronize, (CUstream stream)) \
    X(StreamQuery, cuStreamQuery, (CUstream stream)) \
    X(StreamGetId, cuStreamGetId, (CUstream stream, unsigned long long* id)) \
    X(StreamWaitEvent, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags)) \
    X(StreamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode)) \
    X(StreamEndCapture, cuStreamEndCapture, (CUstream stream, CUgraph* graph)) \
    X(StreamIsCapturing, cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus* status)) \
    X(EventCreate, cuEventCreate, (CUevent* event, unsigned int flags)) \
    X(EventRecord, cuEventRecord, (CUevent event, CUstream stream)) \
    X(EventQuery, cuEventQuery, (CUevent event)) \
    X(EventSynchronize, cuEventSynchronize, (CUevent event)) \
    X(EventDestroy, cuEventDestroy_v2, (CUevent event)) \
    X(EventElapsedTime, cuEventElapsedTime, (float* milliseconds, CUevent from, CUevent to))

// Launches and occupancy; dimensions in blocks and threads, shared memory in bytes.
#define GPUPROF_ABI_DRIVER_LAUNCH(X) \
    X(LaunchKernel, cuLaunchKernel, (CUfunction function, unsigned int grid_x, unsigned int grid_y, \
      unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared, \
      CUstream stream, void** params, void** extra)) \
    X(LaunchKernelEx, cuLaunchKernelEx, (CUlaunchConfig const* config, CUfunction function, void** params, \
      void** extra)) \
    X(LaunchCooperativeKernel, cuLaunchCooperativeKernel, (CUfunction function, unsigned int grid_x, \
      unsigned int grid_y, unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, \
      unsigned int shared, CUstream stream, void** params)) \
    X(LaunchHostFunc, cuLaunchHostFunc, (CUstream stream, CUhostFn function, void* user_data)) \
    X(OccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks, \
      CUfunction function, int block_size, std::size_t shared)) \
    X(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, \
      (int* blocks, CUfunction function, int block_size, std::size_t shared, unsigned int flags)) \
    X(OccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, (int* min_grid, int* block_size, \
      CUfunction function, CUoccupancyB2DSize block_to_shared, std::size_t shared, int limit)) \
    X(OccupancyMaxPotentialBlockSizeWithFlags, cuOccupancyMaxPotentialBlockSizeWithFlags, (int* min_grid, \
      int* block_size, CUfunction function, CUoccupancyB2DSize block_to_shared, std::size_t shared, int limit, \
      unsigned int flags)) \
    X(OccupancyAvailableDynamicSMemPerBlock, cuOccupancyAvailableDynamicSMemPerBlock, (std::size_t* bytes, \
      CUfunction function, int blocks, int block_size)) \
    X(OccupancyMaxPotentialClusterSize, cuOccupancyMaxPotentialClusterSize, (int* blocks, CUfunction function, \
      CUlaunchConfig const* config)) \
    X(OccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters, (int* clusters, CUfunction function, \
      CUlaunchConfig const* config))

// Graphs, and the switch that profilers started with collection off listen to.
#define GPUPROF_ABI_DRIVER_GRAPH(X) \
    X(GraphCreate, cuGraphCreate, (CUgraph* graph, unsigned int flags)) \
    X(GraphInstantiateWithFlags, cuGraphInstantiateWithFlags, (CUgraphExec* exec, CUgraph graph, \
      unsigned long long flags)) \
    X(GraphLaunch, cuGraphLaunch, (CUgraphExec exec, CUstream stream)) \
    X(GraphDestroy, cuGraphDestroy, (CUgraph graph)) \
    X(GraphExecDestroy, cuGraphExecDestroy, (CUgraphExec exec)) \
    X(GraphGetNodes, cuGraphGetNodes, (CUgraph graph, CUgraphNode* nodes, std::size_t* count)) \
    X(GraphNodeGetType, cuGraphNodeGetType, (CUgraphNode node, CUgraphNodeType* type)) \
    X(GraphNodeGetDependencies, cuGraphNodeGetDependencies_v2, (CUgraphNode node, CUgraphNode* earlier, \
      void* edges, std::size_t* count)) \
    X(GraphKernelNodeGetParams, cuGraphKernelNodeGetParams_v2, (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* kernel)) \
    X(GraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute, (CUgraphNode node, CUlaunchAttributeID attribute, \
      CUlaunchAttributeValue* value)) \
    X(GraphMemcpyNodeGetParams, cuGraphMemcpyNodeGetParams, (CUgraphNode node, CUDA_MEMCPY3D* copy)) \
    X(GraphMemsetNodeGetParams, cuGraphMemsetNodeGetParams, (CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* fill)) \
    X(GraphExecGetFlags, cuGraphExecGetFlags, (CUgraphExec exec, unsigned long long* flags)) \
    X(ProfilerStart, cuProfilerStart, ()) \
    X(ProfilerStop, cuProfilerStop, ())

#define GPUPROF_ABI_DRIVER(X) \
    GPUPROF_ABI_DRIVER_INIT(X) \
    GPUPROF_ABI_DRIVER_DEVICE(X) \
    GPUPROF_ABI_DRIVER_CONTEXT(X) \
    GPUPROF_ABI_DRIVER_MODULE(X) \
    GPUPROF_ABI_DRIVER_MEMORY(X) \
    GPUPROF_ABI_DRIVER_COPY(X) \
    GPUPROF_ABI_DRIVER_STREAM(X) \
    GPUPROF_ABI_DRIVER_LAUNCH(X) \
    GPUPROF_ABI_DRIVER_GRAPH(X)
// clang-format on

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// One pointer a driver call, null where the driver lacks it: test before calling what is newer than
// CUDA 11.0. Calls and their errors are the driver's own; the table itself is plain data, safe to
// read from every thread once filled.
struct driver_table {
#define GPUPROF_ABI_MEMBER(member, symbol, parameters) CUresult(*member) parameters = nullptr;
    GPUPROF_ABI_DRIVER(GPUPROF_ABI_MEMBER)
#undef GPUPROF_ABI_MEMBER
};

// Calls f(symbol, member) for every row: the exported name and a reference to the pointer, constant
// if the table is.
template <class Table, class F>
    requires requires(Table& table) { table.DriverGetVersion; }
constexpr void for_each_symbol(Table& table, F&& f) {
#define GPUPROF_ABI_VISIT(member, symbol, parameters) f(#symbol, table.member);
    GPUPROF_ABI_DRIVER(GPUPROF_ABI_VISIT)
#undef GPUPROF_ABI_VISIT
}

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_DRIVER_HPP
