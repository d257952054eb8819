// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of CUPTI's callback calls, and what callbacks of each domain get.
#ifndef GPUPROF_HW_ABI_CUPTI_CALLBACK_HPP
#define GPUPROF_HW_ABI_CUPTI_CALLBACK_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "results.hpp"
#include "types.hpp"

// The tag behind CUPTI's handle of a subscriber, at global scope as in CUPTI's header.
struct CUpti_Subscriber_st;

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUpti_SubscriberHandle = ::CUpti_Subscriber_st*;
using CUpti_CallbackId = std::uint32_t; // which call or happening of a domain

// Where callbacks come from (CUPTI 12.0, 2.4).
enum CUpti_CallbackDomain : unsigned int {
    CUPTI_CB_DOMAIN_INVALID = 0,
    CUPTI_CB_DOMAIN_DRIVER_API = 1,
    CUPTI_CB_DOMAIN_RUNTIME_API = 2,
    CUPTI_CB_DOMAIN_RESOURCE = 3,
    CUPTI_CB_DOMAIN_SYNCHRONIZE = 4,
    CUPTI_CB_DOMAIN_NVTX = 5,
    CUPTI_CB_DOMAIN_STATE = 6 // CUDA 12.3 and later
};

// What happens to contexts, streams, modules and graphs.
enum CUpti_CallbackIdResource : unsigned int {
    CUPTI_CBID_RESOURCE_INVALID = 0,
    CUPTI_CBID_RESOURCE_CONTEXT_CREATED = 1,
    CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING = 2,
    CUPTI_CBID_RESOURCE_STREAM_CREATED = 3,
    CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING = 4,
    CUPTI_CBID_RESOURCE_CU_INIT_FINISHED = 5,
    CUPTI_CBID_RESOURCE_MODULE_LOADED = 6,
    CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING = 7,
    CUPTI_CBID_RESOURCE_MODULE_PROFILED = 8,
    CUPTI_CBID_RESOURCE_GRAPH_CREATED = 9,
    CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING = 10,
    CUPTI_CBID_RESOURCE_GRAPH_CLONED = 11,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING = 12,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED = 13,
    CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING = 14,
    CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED = 15,
    CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING = 16,
    CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING = 17,
    CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED = 18,
    CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING = 19,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED = 20,
    CUPTI_CBID_RESOURCE_STREAM_ATTRIBUTE_CHANGED = 21,
    CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED = 22,
    CUPTI_CBID_RESOURCE_GRAPH_NODE_SET_PARAMS = 23
};

enum CUpti_CallbackIdSync : unsigned int {
    CUPTI_CBID_SYNCHRONIZE_INVALID = 0,
    CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED = 1,
    CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED = 2
};

// What CUPTI itself runs into.
enum CUpti_CallbackIdState : unsigned int {
    CUPTI_CBID_STATE_INVALID = 0,
    CUPTI_CBID_STATE_FATAL_ERROR = 1,
    CUPTI_CBID_STATE_ERROR = 2,
    CUPTI_CBID_STATE_WARNING = 3
};

enum CUpti_ApiCallbackSite : unsigned int { CUPTI_API_ENTER = 0, CUPTI_API_EXIT = 1 };

// The driver calls that gpuprof itself listens to: those that launch work, those that change
// executable graphs, and the one at whose end CUPTI is detached. "_ptsz" is the same call with a default stream for each thread. All calls are
// in function_rows.hpp.
enum CUpti_driver_api_trace_cbid_enum : int {
    CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent = 304,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel = 307,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz = 442,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel = 477,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz = 478,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice = 480,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch = 514,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz = 515,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams = 538,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate = 561,
    CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled = 650,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx = 652,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz = 653,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2 = 692,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2 = 696,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams = 714
};

// What a callback of an API domain gets. functionReturnValue points to the call's CUresult and is valid on exit;
// correlationData is a word that lives from entry to exit.
struct CUpti_CallbackData {
    CUpti_ApiCallbackSite callbackSite = CUPTI_API_ENTER;
    char const* functionName = nullptr;
    void const* functionParams = nullptr;
    void* functionReturnValue = nullptr;
    char const* symbolName = nullptr; // of the kernel, where the call launches one
    CUcontext context = nullptr;
    std::uint32_t contextUid = 0;
    std::uint64_t* correlationData = nullptr;
    std::uint32_t correlationId = 0;
};

// What a callback of the resource domain gets; the descriptor is one of the three below, by callback id, or null.
union resource_handle {
    CUstream stream = nullptr;
};
struct CUpti_ResourceData {
    CUcontext context = nullptr;
    resource_handle resourceHandle = {};
    void* resourceDescriptor = nullptr;
};
struct CUpti_ModuleResourceData {
    std::uint32_t moduleId = 0;
    std::size_t cubinSize = 0;
    char const* pCubin = nullptr;
};
struct CUpti_GraphData {
    CUgraph graph = nullptr;
    CUgraph originalGraph = nullptr; // of a clone
    CUgraphNode node = nullptr;
    CUgraphNode originalNode = nullptr; // of a clone
    unsigned int nodeType = 0;          // CUgraphNodeType
    CUgraphNode dependency = nullptr;
    CUgraphExec graphExec = nullptr;
};
struct CUpti_StreamAttrData {
    CUstream stream = nullptr;
    unsigned int attr = 0; // CUstreamAttrID
    void const* value = nullptr;
};

// What a callback of the synchronisation domain gets.
struct CUpti_SynchronizeData {
    CUcontext context = nullptr;
    CUstream stream = nullptr;
};

// What a callback of the NVTX domain gets, once a call.
struct CUpti_NvtxData {
    char const* functionName = nullptr;
    void const* functionParams = nullptr;
    void const* functionReturnValue = nullptr;
};

// What a callback of the state domain gets.
struct state_notification {
    CUptiResult result = CUPTI_SUCCESS;
    char const* message = nullptr;
};
struct CUpti_StateData {
    state_notification notification = {};
};

// How a subscriber is called, and whether it shares CUPTI with others (CUDA 13.0 and later). Before 13.2 the structure ends, and
// structSize with it, at allowMultipleSubscribers: 32 bytes.
struct CUpti_SubscriberParams {
    std::size_t structSize = 40;
    char const* subscriberName = nullptr;      // at most 53 characters
    char* oldSubscriberName = nullptr;         // room for the name of the one that holds CUPTI
    std::size_t oldSubscriberSize = 0;         // that room, at least 64
    std::uint8_t allowMultipleSubscribers = 0; // 1: succeed beside others that have it, too
    std::uint8_t padding[7] = {};
};

using cupti_callback = void (*)(void* user_data, CUpti_CallbackDomain domain, CUpti_CallbackId id, void const* data);

struct CUlaunchConfig; // driver_types.hpp

// The parameters of the launching calls, as functionParams points to them.
struct cuLaunchKernel_params {
    CUfunction f = nullptr;
    unsigned int gridDimX = 0;
    unsigned int gridDimY = 0;
    unsigned int gridDimZ = 0;
    unsigned int blockDimX = 0;
    unsigned int blockDimY = 0;
    unsigned int blockDimZ = 0;
    unsigned int sharedMemBytes = 0;
    CUstream hStream = nullptr;
    void** kernelParams = nullptr;
    void** extra = nullptr;
};

struct cuLaunchCooperativeKernel_params {
    CUfunction f = nullptr;
    unsigned int gridDimX = 0;
    unsigned int gridDimY = 0;
    unsigned int gridDimZ = 0;
    unsigned int blockDimX = 0;
    unsigned int blockDimY = 0;
    unsigned int blockDimZ = 0;
    unsigned int sharedMemBytes = 0;
    CUstream hStream = nullptr;
    void** kernelParams = nullptr;
};

struct cuLaunchKernelEx_params {
    CUlaunchConfig const* config = nullptr;
    CUfunction f = nullptr;
    void** kernelParams = nullptr;
    void** extra = nullptr;
};

struct cuGraphLaunch_params {
    CUgraphExec hGraph = nullptr;
    CUstream hStream = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_CALLBACK_HPP
