// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of the driver's calls as callbacks get them: the arguments of each call in their order, by CUPTI's names.
#ifndef GPUPROF_HW_ABI_CUPTI_DRIVER_PARAMETERS_HPP
#define GPUPROF_HW_ABI_CUPTI_DRIVER_PARAMETERS_HPP

#include <cstddef>

#include "../../detail/config.hpp"
#include "attributes.hpp"
#include "cupti_callback.hpp"
#include "driver_types.hpp"
#include "results.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// CUpti_CallbackData::functionParams of cuInit points to a cuInit_params, and so on; where a call has no parameters the
// structure is void and the pointer null.

// clang-format off
// Start, version and the text of errors.
struct cuInit_params { unsigned int Flags = 0; };
struct cuDriverGetVersion_params { int* driverVersion = nullptr; };
struct cuGetErrorName_params { CUresult error = {}; char const** pStr = nullptr; };
struct cuGetErrorString_params { CUresult error = {}; char const** pStr = nullptr; };

// Devices.
struct cuDeviceGetCount_params { int* count = nullptr; };
struct cuDeviceGet_params { CUdevice* device = nullptr; int ordinal = 0; };
struct cuDeviceGetName_params { char* name = nullptr; int len = 0; CUdevice dev = 0; };
struct cuDeviceGetAttribute_params { int* pi = nullptr; CUdevice_attribute attrib = {}; CUdevice dev = 0; };
struct cuDeviceGetUuid_v2_params { CUuuid* uuid = nullptr; CUdevice dev = 0; };
struct cuDeviceTotalMem_v2_params { std::size_t* bytes = nullptr; CUdevice dev = 0; };
struct cuDeviceGetPCIBusId_params { char* pciBusId = nullptr; int len = 0; CUdevice dev = 0; };
struct cuDeviceCanAccessPeer_params { int* canAccessPeer = nullptr; CUdevice dev = 0; CUdevice peerDev = 0; };

// Contexts, primary and own.
struct cuDevicePrimaryCtxRetain_params { CUcontext* pctx = nullptr; CUdevice dev = 0; };
struct cuDevicePrimaryCtxRelease_v2_params { CUdevice dev = 0; };
struct cuDevicePrimaryCtxGetState_params { CUdevice dev = 0; unsigned int* flags = nullptr; int* active = nullptr; };
struct cuDevicePrimaryCtxSetFlags_v2_params { CUdevice dev = 0; unsigned int flags = 0; };
struct cuDevicePrimaryCtxReset_v2_params { CUdevice dev = 0; };
struct cuCtxCreate_v2_params { CUcontext* pctx = nullptr; unsigned int flags = 0; CUdevice dev = 0; };
struct cuCtxDestroy_v2_params { CUcontext ctx = nullptr; };
struct cuCtxPushCurrent_v2_params { CUcontext ctx = nullptr; };
struct cuCtxPopCurrent_v2_params { CUcontext* pctx = nullptr; };
struct cuCtxSetCurrent_params { CUcontext ctx = nullptr; };
struct cuCtxGetCurrent_params { CUcontext* pctx = nullptr; };
struct cuCtxGetDevice_params { CUdevice* device = nullptr; };
using cuCtxSynchronize_params = void;
struct cuCtxGetApiVersion_params { CUcontext ctx = nullptr; unsigned int* version = nullptr; };
struct cuCtxGetId_params { CUcontext ctx = nullptr; unsigned long long* ctxId = nullptr; };
struct cuCtxGetLimit_params { std::size_t* pvalue = nullptr; CUlimit limit = {}; };
struct cuCtxSetLimit_params { CUlimit limit = {}; std::size_t value = 0; };
struct cuCtxGetStreamPriorityRange_params { int* leastPriority = nullptr; int* greatestPriority = nullptr; };
struct cuCtxEnablePeerAccess_params { CUcontext peerContext = nullptr; unsigned int Flags = 0; };
struct cuCtxDisablePeerAccess_params { CUcontext peerContext = nullptr; };

// Modules and kernels.
struct cuModuleLoadData_params { CUmodule* module = nullptr; void const* image = nullptr; };
struct cuModuleLoadDataEx_params { CUmodule* module = nullptr; void const* image = nullptr;
    unsigned int numOptions = 0; CUjit_option* options = nullptr; void** optionValues = nullptr; };
struct cuModuleLoadFatBinary_params { CUmodule* module = nullptr; void const* fatCubin = nullptr; };
struct cuModuleUnload_params { CUmodule hmod = nullptr; };
struct cuModuleGetFunction_params { CUfunction* hfunc = nullptr; CUmodule hmod = nullptr;
    char const* name = nullptr; };
struct cuModuleGetGlobal_v2_params { CUdeviceptr* dptr = nullptr; std::size_t* bytes = nullptr;
    CUmodule hmod = nullptr; char const* name = nullptr; };
struct cuFuncGetAttribute_params { int* pi = nullptr; CUfunction_attribute attrib = {}; CUfunction hfunc = nullptr; };
struct cuFuncSetAttribute_params { CUfunction hfunc = nullptr; CUfunction_attribute attrib = {}; int value = 0; };
struct cuFuncSetCacheConfig_params { CUfunction hfunc = nullptr; CUfunc_cache config = {}; };
struct cuFuncGetName_params { char const** name = nullptr; CUfunction hfunc = nullptr; };
struct cuFuncGetParamInfo_params { CUfunction func = nullptr; std::size_t paramIndex = 0;
    std::size_t* paramOffset = nullptr; std::size_t* paramSize = nullptr; };
struct cuKernelGetFunction_params { CUfunction* pFunc = nullptr; CUkernel kernel = nullptr; };

// Memory.
struct cuMemGetInfo_v2_params { std::size_t* free = nullptr; std::size_t* total = nullptr; };
struct cuMemAlloc_v2_params { CUdeviceptr* dptr = nullptr; std::size_t bytesize = 0; };
struct cuMemAllocPitch_v2_params { CUdeviceptr* dptr = nullptr; std::size_t* pPitch = nullptr;
    std::size_t WidthInBytes = 0; std::size_t Height = 0; unsigned int ElementSizeBytes = 0; };
struct cuMemFree_v2_params { CUdeviceptr dptr = 0; };
struct cuMemAllocManaged_params { CUdeviceptr* dptr = nullptr; std::size_t bytesize = 0; unsigned int flags = 0; };
struct cuMemHostAlloc_params { void** pp = nullptr; std::size_t bytesize = 0; unsigned int Flags = 0; };
struct cuMemAllocHost_v2_params { void** pp = nullptr; std::size_t bytesize = 0; };
struct cuMemFreeHost_params { void* p = nullptr; };
struct cuMemHostGetDevicePointer_v2_params { CUdeviceptr* pdptr = nullptr; void* p = nullptr;
    unsigned int Flags = 0; };
struct cuMemGetAddressRange_v2_params { CUdeviceptr* pbase = nullptr; std::size_t* psize = nullptr;
    CUdeviceptr dptr = 0; };
struct cuMemAllocAsync_params { CUdeviceptr* dptr = nullptr; std::size_t bytesize = 0; CUstream hStream = nullptr; };
struct cuMemFreeAsync_params { CUdeviceptr dptr = 0; CUstream hStream = nullptr; };
struct cuPointerGetAttribute_params { void* data = nullptr; CUpointer_attribute attribute = {};
    CUdeviceptr ptr = 0; };

// Copies and fills.
struct cuMemcpy_params { CUdeviceptr dst = 0; CUdeviceptr src = 0; std::size_t ByteCount = 0; };
struct cuMemcpyAsync_params { CUdeviceptr dst = 0; CUdeviceptr src = 0; std::size_t ByteCount = 0;
    CUstream hStream = nullptr; };
struct cuMemcpyHtoD_v2_params { CUdeviceptr dstDevice = 0; void const* srcHost = nullptr;
    std::size_t ByteCount = 0; };
struct cuMemcpyHtoDAsync_v2_params { CUdeviceptr dstDevice = 0; void const* srcHost = nullptr;
    std::size_t ByteCount = 0; CUstream hStream = nullptr; };
struct cuMemcpyDtoH_v2_params { void* dstHost = nullptr; CUdeviceptr srcDevice = 0; std::size_t ByteCount = 0; };
struct cuMemcpyDtoHAsync_v2_params { void* dstHost = nullptr; CUdeviceptr srcDevice = 0; std::size_t ByteCount = 0;
    CUstream hStream = nullptr; };
struct cuMemcpyDtoD_v2_params { CUdeviceptr dstDevice = 0; CUdeviceptr srcDevice = 0; std::size_t ByteCount = 0; };
struct cuMemcpyDtoDAsync_v2_params { CUdeviceptr dstDevice = 0; CUdeviceptr srcDevice = 0;
    std::size_t ByteCount = 0; CUstream hStream = nullptr; };
struct cuMemcpyPeer_params { CUdeviceptr dstDevice = 0; CUcontext dstContext = nullptr; CUdeviceptr srcDevice = 0;
    CUcontext srcContext = nullptr; std::size_t ByteCount = 0; };
struct cuMemcpyPeerAsync_params { CUdeviceptr dstDevice = 0; CUcontext dstContext = nullptr; CUdeviceptr srcDevice = 0;
    CUcontext srcContext = nullptr; std::size_t ByteCount = 0; CUstream hStream = nullptr; };
struct cuMemcpy2D_v2_params { CUDA_MEMCPY2D const* pCopy = nullptr; };
struct cuMemcpy2DAsync_v2_params { CUDA_MEMCPY2D const* pCopy = nullptr; CUstream hStream = nullptr; };
struct cuMemcpy3D_v2_params { CUDA_MEMCPY3D const* pCopy = nullptr; };
struct cuMemcpy3DAsync_v2_params { CUDA_MEMCPY3D const* pCopy = nullptr; CUstream hStream = nullptr; };
struct cuMemsetD8_v2_params { CUdeviceptr dstDevice = 0; unsigned char uc = 0; std::size_t N = 0; };
struct cuMemsetD8Async_params { CUdeviceptr dstDevice = 0; unsigned char uc = 0; std::size_t N = 0;
    CUstream hStream = nullptr; };
struct cuMemsetD16_v2_params { CUdeviceptr dstDevice = 0; unsigned short us = 0; std::size_t N = 0; };
struct cuMemsetD16Async_params { CUdeviceptr dstDevice = 0; unsigned short us = 0; std::size_t N = 0;
    CUstream hStream = nullptr; };
struct cuMemsetD32_v2_params { CUdeviceptr dstDevice = 0; unsigned int ui = 0; std::size_t N = 0; };
struct cuMemsetD32Async_params { CUdeviceptr dstDevice = 0; unsigned int ui = 0; std::size_t N = 0;
    CUstream hStream = nullptr; };
struct cuMemsetD2D8_v2_params { CUdeviceptr dstDevice = 0; std::size_t dstPitch = 0; unsigned char uc = 0;
    std::size_t Width = 0; std::size_t Height = 0; };
struct cuMemsetD2D32_v2_params { CUdeviceptr dstDevice = 0; std::size_t dstPitch = 0; unsigned int ui = 0;
    std::size_t Width = 0; std::size_t Height = 0; };
struct cuMemsetD2D16_v2_params { CUdeviceptr dstDevice = 0; std::size_t dstPitch = 0; unsigned short us = 0;
    std::size_t Width = 0; std::size_t Height = 0; };
struct cuMemsetD2D8Async_params { CUdeviceptr dstDevice = 0; std::size_t dstPitch = 0; unsigned char uc = 0;
    std::size_t Width = 0; std::size_t Height = 0; CUstream hStream = nullptr; };
struct cuMemsetD2D16Async_params { CUdeviceptr dstDevice = 0; std::size_t dstPitch = 0; unsigned short us = 0;
    std::size_t Width = 0; std::size_t Height = 0; CUstream hStream = nullptr; };
struct cuMemsetD2D32Async_params { CUdeviceptr dstDevice = 0; std::size_t dstPitch = 0; unsigned int ui = 0;
    std::size_t Width = 0; std::size_t Height = 0; CUstream hStream = nullptr; };

// Streams, capture and events.
struct cuStreamCreate_params { CUstream* phStream = nullptr; unsigned int Flags = 0; };
struct cuStreamCreateWithPriority_params { CUstream* phStream = nullptr; unsigned int flags = 0; int priority = 0; };
struct cuStreamDestroy_v2_params { CUstream hStream = nullptr; };
struct cuStreamSynchronize_params { CUstream hStream = nullptr; };
struct cuStreamQuery_params { CUstream hStream = nullptr; };
struct cuStreamGetId_params { CUstream hStream = nullptr; unsigned long long* streamId = nullptr; };
struct cuStreamWaitEvent_params { CUstream hStream = nullptr; CUevent hEvent = nullptr; unsigned int Flags = 0; };
struct cuStreamBeginCapture_v2_params { CUstream hStream = nullptr; CUstreamCaptureMode mode = {}; };
struct cuStreamEndCapture_params { CUstream hStream = nullptr; CUgraph* phGraph = nullptr; };
struct cuStreamIsCapturing_params { CUstream hStream = nullptr; CUstreamCaptureStatus* captureStatus = nullptr; };
struct cuEventCreate_params { CUevent* phEvent = nullptr; unsigned int Flags = 0; };
struct cuEventRecord_params { CUevent hEvent = nullptr; CUstream hStream = nullptr; };
struct cuEventQuery_params { CUevent hEvent = nullptr; };
struct cuEventSynchronize_params { CUevent hEvent = nullptr; };
struct cuEventDestroy_v2_params { CUevent hEvent = nullptr; };
struct cuEventElapsedTime_params { float* pMilliseconds = nullptr; CUevent hStart = nullptr;
    CUevent hEnd = nullptr; };

// Occupancy and host functions; those of the launches stand in cupti_callback.hpp.
struct cuLaunchHostFunc_params { CUstream hStream = nullptr; CUhostFn fn = nullptr; void* userData = nullptr; };
struct cuOccupancyMaxActiveBlocksPerMultiprocessor_params { int* numBlocks = nullptr; CUfunction func = nullptr;
    int blockSize = 0; std::size_t dynamicSMemSize = 0; };
struct cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_params { int* numBlocks = nullptr;
    CUfunction func = nullptr; int blockSize = 0; std::size_t dynamicSMemSize = 0; unsigned int flags = 0; };
struct cuOccupancyMaxPotentialBlockSize_params { int* minGridSize = nullptr; int* blockSize = nullptr;
    CUfunction func = nullptr; CUoccupancyB2DSize blockSizeToDynamicSMemSize = nullptr;
    std::size_t dynamicSMemSize = 0; int blockSizeLimit = 0; };
struct cuOccupancyMaxPotentialBlockSizeWithFlags_params { int* minGridSize = nullptr; int* blockSize = nullptr;
    CUfunction func = nullptr; CUoccupancyB2DSize blockSizeToDynamicSMemSize = nullptr;
    std::size_t dynamicSMemSize = 0; int blockSizeLimit = 0; unsigned int flags = 0; };
struct cuOccupancyAvailableDynamicSMemPerBlock_params { std::size_t* dynamicSmemSize = nullptr;
    CUfunction func = nullptr; int numBlocks = 0; int blockSize = 0; };
struct cuOccupancyMaxPotentialClusterSize_params { int* clusterSize = nullptr; CUfunction func = nullptr;
    CUlaunchConfig const* config = nullptr; };
struct cuOccupancyMaxActiveClusters_params { int* numClusters = nullptr; CUfunction func = nullptr;
    CUlaunchConfig const* config = nullptr; };

// Graphs, and the switch of profilers.
struct cuGraphCreate_params { CUgraph* phGraph = nullptr; unsigned int flags = 0; };
struct cuGraphInstantiateWithFlags_params { CUgraphExec* phGraphExec = nullptr; CUgraph hGraph = nullptr;
    unsigned long long flags = 0; };
struct cuGraphDestroy_params { CUgraph hGraph = nullptr; };
struct cuGraphExecDestroy_params { CUgraphExec hGraphExec = nullptr; };
struct cuGraphGetNodes_params { CUgraph hGraph = nullptr; CUgraphNode* nodes = nullptr;
    std::size_t* numNodes = nullptr; };
struct cuGraphNodeGetType_params { CUgraphNode hNode = nullptr; CUgraphNodeType* type = nullptr; };
struct cuGraphNodeGetDependencies_v2_params { CUgraphNode hNode = nullptr; CUgraphNode* dependencies = nullptr;
    void* edgeData = nullptr; std::size_t* numDependencies = nullptr; };
struct cuGraphKernelNodeGetParams_v2_params { CUgraphNode hNode = nullptr;
    CUDA_KERNEL_NODE_PARAMS* nodeParams = nullptr; };
struct cuGraphKernelNodeGetAttribute_params { CUgraphNode hNode = nullptr; CUlaunchAttributeID attr = {};
    CUlaunchAttributeValue* value_out = nullptr; };
struct cuGraphMemcpyNodeGetParams_params { CUgraphNode hNode = nullptr; CUDA_MEMCPY3D* nodeParams = nullptr; };
struct cuGraphMemsetNodeGetParams_params { CUgraphNode hNode = nullptr;
    CUDA_MEMSET_NODE_PARAMS* nodeParams = nullptr; };
struct cuGraphExecGetFlags_params { CUgraphExec hGraphExec = nullptr; unsigned long long* flags = nullptr; };
using cuProfilerStart_params = void;
using cuProfilerStop_params = void;
// clang-format on

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_DRIVER_PARAMETERS_HPP
