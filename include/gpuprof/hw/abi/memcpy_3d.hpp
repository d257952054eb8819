// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of the driver's copies in three dimensions.
#ifndef GPUPROF_HW_ABI_MEMCPY_3D_HPP
#define GPUPROF_HW_ABI_MEMCPY_3D_HPP

#include <cstddef>

#include "../../detail/config.hpp"
#include "attributes.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// A copy of Depth layers of Height rows of WidthInBytes bytes. Of each side: its place by x, y and z, and how many bytes lie from
// row to row and how many rows from layer to layer.
struct CUDA_MEMCPY3D {
    std::size_t srcXInBytes = 0;
    std::size_t srcY = 0;
    std::size_t srcZ = 0;
    std::size_t srcLOD = 0;
    CUmemorytype srcMemoryType = CU_MEMORYTYPE_HOST;
    void const* srcHost = nullptr;
    CUdeviceptr srcDevice = 0;
    CUarray srcArray = nullptr;
    void* reserved0 = nullptr;
    std::size_t srcPitch = 0;
    std::size_t srcHeight = 0;
    std::size_t dstXInBytes = 0;
    std::size_t dstY = 0;
    std::size_t dstZ = 0;
    std::size_t dstLOD = 0;
    CUmemorytype dstMemoryType = CU_MEMORYTYPE_HOST;
    void* dstHost = nullptr;
    CUdeviceptr dstDevice = 0;
    CUarray dstArray = nullptr;
    void* reserved1 = nullptr;
    std::size_t dstPitch = 0;
    std::size_t dstHeight = 0;
    std::size_t WidthInBytes = 0;
    std::size_t Height = 0;
    std::size_t Depth = 0;
};

// As callbacks get them: see cupti_driver_parameters.hpp.
struct cuMemcpy3D_v2_params {
    CUDA_MEMCPY3D const* pCopy = nullptr;
};
struct cuMemcpy3DAsync_v2_params {
    CUDA_MEMCPY3D const* pCopy = nullptr;
    CUstream hStream = nullptr;
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_MEMCPY_3D_HPP
