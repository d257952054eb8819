// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of the driver's calls that copy lines of bytes from and to arrays of one dimension.
#ifndef GPUPROF_HW_ABI_CUPTI_ARRAY_PARAMETERS_HPP
#define GPUPROF_HW_ABI_CUPTI_ARRAY_PARAMETERS_HPP

#include <cstddef>

#include "../../detail/config.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// As cupti_driver_parameters.hpp; the driver table lacks these calls. Offsets and counts are bytes.
// clang-format off
struct cuMemcpyDtoA_v2_params { CUarray dstArray = nullptr; std::size_t dstOffset = 0; CUdeviceptr srcDevice = 0;
    std::size_t ByteCount = 0; };
struct cuMemcpyAtoD_v2_params { CUdeviceptr dstDevice = 0; CUarray srcArray = nullptr; std::size_t srcOffset = 0;
    std::size_t ByteCount = 0; };
struct cuMemcpyHtoA_v2_params { CUarray dstArray = nullptr; std::size_t dstOffset = 0; void const* srcHost = nullptr;
    std::size_t ByteCount = 0; };
struct cuMemcpyHtoAAsync_v2_params { CUarray dstArray = nullptr; std::size_t dstOffset = 0; void const* srcHost = nullptr;
    std::size_t ByteCount = 0; CUstream hStream = nullptr; };
struct cuMemcpyAtoH_v2_params { void* dstHost = nullptr; CUarray srcArray = nullptr; std::size_t srcOffset = 0;
    std::size_t ByteCount = 0; };
struct cuMemcpyAtoHAsync_v2_params { void* dstHost = nullptr; CUarray srcArray = nullptr; std::size_t srcOffset = 0;
    std::size_t ByteCount = 0; CUstream hStream = nullptr; };
struct cuMemcpyAtoA_v2_params { CUarray dstArray = nullptr; std::size_t dstOffset = 0; CUarray srcArray = nullptr;
    std::size_t srcOffset = 0; std::size_t ByteCount = 0; };
// clang-format on

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_ARRAY_PARAMETERS_HPP
