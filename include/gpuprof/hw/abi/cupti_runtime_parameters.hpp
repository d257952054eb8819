// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What callbacks of the CUDA runtime get as parameters, and of the driver calls that the driver table lacks, for the calls that
// gpuprof reads.
#ifndef GPUPROF_HW_ABI_CUPTI_RUNTIME_PARAMETERS_HPP
#define GPUPROF_HW_ABI_CUPTI_RUNTIME_PARAMETERS_HPP

#include <cstddef>

#include "../../detail/config.hpp"
#include "driver_types.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// Sizes in blocks or threads.
struct dim3 {
    unsigned int x = 1;
    unsigned int y = 1;
    unsigned int z = 1;
};

enum cudaMemcpyKind : unsigned int {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4 // told by the addresses
};

// The runtime's attributes have the numbers and the layout of the driver's.
struct cudaLaunchConfig_t {
    dim3 gridDim = {};
    dim3 blockDim = {};
    std::size_t dynamicSmemBytes = 0;
    CUstream stream = nullptr;
    CUlaunchAttribute* attrs = nullptr;
    unsigned int numAttrs = 0;
};

// clang-format off
struct cudaLaunchKernel_v7000_params { void const* func = nullptr; dim3 gridDim = {}; dim3 blockDim = {}; void** args = nullptr;
    std::size_t sharedMem = 0; CUstream stream = nullptr; };
struct cudaLaunchCooperativeKernel_v9000_params { void const* func = nullptr; dim3 gridDim = {}; dim3 blockDim = {};
    void** args = nullptr; std::size_t sharedMem = 0; CUstream stream = nullptr; };
struct cudaLaunchKernelExC_v11060_params { cudaLaunchConfig_t const* config = nullptr; void const* func = nullptr;
    void** args = nullptr; };
struct cudaGraphLaunch_v10000_params { CUgraphExec graphExec = nullptr; CUstream stream = nullptr; };

struct cudaMemcpy_v3020_params { void* dst = nullptr; void const* src = nullptr; std::size_t count = 0;
    cudaMemcpyKind kind = cudaMemcpyHostToHost; };
struct cudaMemcpyAsync_v3020_params { void* dst = nullptr; void const* src = nullptr; std::size_t count = 0;
    cudaMemcpyKind kind = cudaMemcpyHostToHost; CUstream stream = nullptr; };
struct cudaMemcpy2D_v3020_params { void* dst = nullptr; std::size_t dpitch = 0; void const* src = nullptr;
    std::size_t spitch = 0; std::size_t width = 0; std::size_t height = 0; cudaMemcpyKind kind = cudaMemcpyHostToHost; };
struct cudaMemcpy2DAsync_v3020_params { void* dst = nullptr; std::size_t dpitch = 0; void const* src = nullptr;
    std::size_t spitch = 0; std::size_t width = 0; std::size_t height = 0; cudaMemcpyKind kind = cudaMemcpyHostToHost;
    CUstream stream = nullptr; };
struct cudaMemcpyPeer_v4000_params { void* dst = nullptr; int dstDevice = 0; void const* src = nullptr; int srcDevice = 0;
    std::size_t count = 0; };
struct cudaMemcpyPeerAsync_v4000_params { void* dst = nullptr; int dstDevice = 0; void const* src = nullptr;
    int srcDevice = 0; std::size_t count = 0; CUstream stream = nullptr; };

struct cudaMemset_v3020_params { void* devPtr = nullptr; int value = 0; std::size_t count = 0; };
struct cudaMemsetAsync_v3020_params { void* devPtr = nullptr; int value = 0; std::size_t count = 0;
    CUstream stream = nullptr; };
struct cudaMemset2D_v3020_params { void* devPtr = nullptr; std::size_t pitch = 0; int value = 0; std::size_t width = 0;
    std::size_t height = 0; };
struct cudaMemset2DAsync_v3020_params { void* devPtr = nullptr; std::size_t pitch = 0; int value = 0; std::size_t width = 0;
    std::size_t height = 0; CUstream stream = nullptr; };

struct cudaMalloc_v3020_params { void** devPtr = nullptr; std::size_t size = 0; };
struct cudaMallocManaged_v6000_params { void** devPtr = nullptr; std::size_t size = 0; unsigned int flags = 0; };
struct cudaMallocHost_v3020_params { void** ptr = nullptr; std::size_t size = 0; };
struct cudaHostAlloc_v3020_params { void** pHost = nullptr; std::size_t size = 0; unsigned int flags = 0; };
struct cudaMallocAsync_v11020_params { void** devPtr = nullptr; std::size_t size = 0; CUstream hStream = nullptr; };
struct cudaFree_v3020_params { void* devPtr = nullptr; };
struct cudaFreeHost_v3020_params { void* ptr = nullptr; };
struct cudaFreeAsync_v11020_params { void* devPtr = nullptr; CUstream hStream = nullptr; };

// Of the driver.
struct cuMemcpy2DUnaligned_v2_params { CUDA_MEMCPY2D const* pCopy = nullptr; };
// clang-format on

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_RUNTIME_PARAMETERS_HPP
