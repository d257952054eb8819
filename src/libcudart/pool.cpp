// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in the order of a stream, and its pools, over the driver's.
#include <cstddef>

#include "../libcuda/node_parameters.hpp"
#include "runtime.hpp"

using gpuprof::abi::CUdevice;
using gpuprof::abi::CUdeviceptr;
using gpuprof::abi::CUmemoryPool;
using gpuprof::abi::CUresult;
using gpuprof::abi::CUstream;
using gpuprof::driver_library::pool_properties;

extern "C" { // of the driver library: the driver's table does not have them
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool*, CUdevice);
CUresult cuDeviceGetMemPool(CUmemoryPool*, CUdevice);
CUresult cuDeviceSetMemPool(CUdevice, CUmemoryPool);
CUresult cuMemGetDefaultMemPool(CUmemoryPool*, void const*, int);
CUresult cuMemGetMemPool(CUmemoryPool*, void const*, int);
CUresult cuMemSetMemPool(void const*, int, CUmemoryPool);
CUresult cuMemPoolCreate(CUmemoryPool*, pool_properties const*);
CUresult cuMemPoolDestroy(CUmemoryPool);
CUresult cuMemPoolTrimTo(CUmemoryPool, std::size_t);
CUresult cuMemPoolSetAttribute(CUmemoryPool, int, void*);
CUresult cuMemPoolGetAttribute(CUmemoryPool, int, void*);
CUresult cuMemPoolSetAccess(CUmemoryPool, void const*, std::size_t);
CUresult cuMemPoolGetAccess(int*, CUmemoryPool, void*);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr*, std::size_t, CUmemoryPool, CUstream);
}

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

// One of the driver's calls, in the thread's context.
template <auto Function>
struct pass;
template <class... A, CUresult (*Function)(A...)>
struct pass<Function> {
    static cuda_error call(A... arguments) { return forward(Function, arguments...); }
};

// No bytes are no error here, and no address.
template <class Allocate>
cuda_error allocate_by(void** pointer, std::size_t bytes, Allocate const& call) {
    if (pointer == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    CUdeviceptr address = 0;
    CUresult const status = call(&address);
    *pointer = pointer_to(address);
    return keep(status);
}
cuda_error allocate(void** pointer, std::size_t bytes, CUstream stream) {
    return allocate_by(pointer, bytes, [&](CUdeviceptr* to) { return driver().MemAllocAsync(to, bytes, stream); });
}
cuda_error allocate_from(void** pointer, std::size_t bytes, CUmemoryPool from, CUstream stream) {
    return allocate_by(pointer, bytes,
                       [&](CUdeviceptr* to) { return cuMemAllocFromPoolAsync(to, bytes, from, stream); });
}
cuda_error release(void* pointer, CUstream stream) {
    return forward(&table::MemFreeAsync, device_address(pointer), stream);
}

} // namespace

std::span<call const> pool_calls() {
    static call const calls[]{call::of<&allocate>("cudaMallocAsync"),
                              call::of<&release>("cudaFreeAsync"),
                              call::of<&allocate_from>("cudaMallocFromPoolAsync"),
                              call::of<&pass<&cuDeviceGetDefaultMemPool>::call>("cudaDeviceGetDefaultMemPool"),
                              call::of<&pass<&cuDeviceGetMemPool>::call>("cudaDeviceGetMemPool"),
                              call::of<&pass<&cuDeviceSetMemPool>::call>("cudaDeviceSetMemPool"),
                              call::of<&pass<&cuMemGetDefaultMemPool>::call>("cudaMemGetDefaultMemPool"),
                              call::of<&pass<&cuMemGetMemPool>::call>("cudaMemGetMemPool"),
                              call::of<&pass<&cuMemSetMemPool>::call>("cudaMemSetMemPool"),
                              call::of<&pass<&cuMemPoolCreate>::call>("cudaMemPoolCreate"),
                              call::of<&pass<&cuMemPoolDestroy>::call>("cudaMemPoolDestroy"),
                              call::of<&pass<&cuMemPoolTrimTo>::call>("cudaMemPoolTrimTo"),
                              call::of<&pass<&cuMemPoolSetAttribute>::call>("cudaMemPoolSetAttribute"),
                              call::of<&pass<&cuMemPoolGetAttribute>::call>("cudaMemPoolGetAttribute"),
                              call::of<&pass<&cuMemPoolSetAccess>::call>("cudaMemPoolSetAccess"),
                              call::of<&pass<&cuMemPoolGetAccess>::call>("cudaMemPoolGetAccess")};
    return calls;
}

} // namespace gpuprof::runtime
