// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles and scalars of the CUDA driver API. No CUDA header needed, and in agreement with <cuda.h>
// wherever it is included.
#ifndef GPUPROF_HW_ABI_TYPES_HPP
#define GPUPROF_HW_ABI_TYPES_HPP

#include <cstddef>

#include "../../detail/config.hpp"

// The tags behind the opaque handles. At global scope, so that abi::CUcontext and the driver's CUcontext are one type.
struct CUarray_st;
struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUgraphDeviceUpdatableNode_st;
struct CUgraphExec_st;
struct CUgraphNode_st;
struct CUgraph_st;
struct CUkern_st;
struct CUmemPoolHandle_st;
struct CUmod_st;
struct CUstream_st;

// The size CUPTI expects in `structSize`: up to and including the last member, without tail padding.
#define GPUPROF_STRUCT_SIZE(type, last) (offsetof(type, last) + sizeof(type::last))

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUdevice = int;                   // ordinal of a device
using CUdeviceptr = unsigned long long; // address in device memory
using CUarray = ::CUarray_st*;          // never created here; a member of CUDA_MEMCPY2D
using CUcontext = ::CUctx_st*;
using CUevent = ::CUevent_st*;
using CUmemoryPool = ::CUmemPoolHandle_st*;
using CUfunction = ::CUfunc_st*;
using CUgraph = ::CUgraph_st*;
using CUgraphDeviceNode = ::CUgraphDeviceUpdatableNode_st*;
using CUgraphExec = ::CUgraphExec_st*;
using CUgraphNode = ::CUgraphNode_st*;
using CUkernel = ::CUkern_st*;
using CUmodule = ::CUmod_st*;
using CUstream = ::CUstream_st*;

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_TYPES_HPP
