// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of CUPTI's callback calls, and what a callback says of a kernel launch. Layer: hw ABI; no CUDA header.
#ifndef GPUPROF_HW_ABI_CUPTI_CALLBACK_HPP
#define GPUPROF_HW_ABI_CUPTI_CALLBACK_HPP

#include <cstdint> // std::uint32_t, std::uint64_t

#include "../../detail/config.hpp"
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
    CUPTI_CB_DOMAIN_NVTX = 5
};

enum CUpti_ApiCallbackSite : unsigned int { CUPTI_API_ENTER = 0, CUPTI_API_EXIT = 1 };

// The driver calls that launch work; "_ptsz" is the same call with a default stream for each thread.
enum CUpti_driver_api_trace_cbid_enum : int {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel = 307,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz = 442,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel = 477,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz = 478,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch = 514,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz = 515,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx = 652,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz = 653
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
