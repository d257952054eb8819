// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations of the runtime, and what a pointer is.
#include <cstddef>
#include <cstring>

#include "runtime.hpp"

// Of the driver library: the driver's table does not have them.
extern "C" gpuprof::abi::CUresult cuMemHostRegister_v2(void* host, std::size_t bytes, unsigned flags);
extern "C" gpuprof::abi::CUresult cuMemHostUnregister(void* host);

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

cuda_error allocate(void** pointer, std::size_t bytes) {
    if (pointer == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    abi::CUdeviceptr address = 0;
    abi::CUresult const status = driver().MemAlloc(&address, bytes);
    *pointer = pointer_to(address);
    return keep(status);
}
cuda_error allocate_managed(void** pointer, std::size_t bytes, unsigned flags) {
    if (pointer == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUdeviceptr address = 0;
    abi::CUresult const status = driver().MemAllocManaged(&address, bytes, flags);
    if (status == abi::CUDA_SUCCESS) *pointer = pointer_to(address);
    return keep(status);
}
cuda_error allocate_pitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    if (pointer == nullptr || pitch == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUdeviceptr address = 0;
    abi::CUresult const status = driver().MemAllocPitch(&address, pitch, width, height, 4);
    if (status == abi::CUDA_SUCCESS) *pointer = pointer_to(address);
    return keep(status);
}
cuda_error allocate_3d(pitched_pointer* pointer, extent size) {
    if (pointer == nullptr) return keep(cudaErrorInvalidValue);
    void* memory = nullptr;
    std::size_t pitch = 0;
    cuda_error const error = allocate_pitch(&memory, &pitch, size.width, size.height * size.depth);
    if (error == cudaSuccess) *pointer = {memory, pitch, size.width, size.height};
    return error;
}
cuda_error release(void* pointer) { return forward(&table::MemFree, device_address(pointer)); }

cuda_error allocate_host_with_flags(void** pointer, std::size_t bytes, unsigned flags) {
    return forward(&table::MemHostAlloc, pointer, bytes, flags);
}
cuda_error allocate_host(void** pointer, std::size_t bytes) { return allocate_host_with_flags(pointer, bytes, 0); }
cuda_error release_host(void* pointer) { return forward(&table::MemFreeHost, pointer); }
cuda_error host_device_pointer(void** device, void* host, unsigned flags) {
    if (device == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUdeviceptr address = 0;
    abi::CUresult const status = driver().MemHostGetDevicePointer(&address, host, flags);
    if (status == abi::CUDA_SUCCESS) *device = pointer_to(address);
    return keep(status);
}
cuda_error host_flags(unsigned* flags, void* host) {
    void* device = nullptr;
    if (flags == nullptr) return keep(cudaErrorInvalidValue);
    cuda_error const error = host_device_pointer(&device, host, 0);
    if (error == cudaSuccess) *flags = abi::memhostalloc_devicemap;
    return error;
}
cuda_error register_host(void* host, std::size_t bytes, unsigned flags) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(cuMemHostRegister_v2(host, bytes, flags));
}
cuda_error unregister_host(void* host) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(cuMemHostUnregister(host));
}

cuda_error memory_info(std::size_t* free, std::size_t* total) { return forward(&table::MemGetInfo, free, total); }

cuda_error attributes_of(pointer_attributes* to, void const* pointer) {
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUdeviceptr const address = device_address(pointer);
    pointer_attributes all{};
    all.reserved[0] = toolkit >= 13 ? 0xffffffff : 0; // no locality domain: -1 as an int
    unsigned type = 0, is_managed = 0;
    if (driver().PointerGetAttribute(&type, abi::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != abi::CUDA_SUCCESS) {
        all.type = unregistered;
        all.device = -2; // cudaInvalidDeviceId
        all.hostPointer = const_cast<void*>(pointer);
    } else {
        static_cast<void>(driver().PointerGetAttribute(&is_managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
        static_cast<void>(driver().PointerGetAttribute(&all.device, abi::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
        all.type = is_managed != 0 ? managed : type == abi::CU_MEMORYTYPE_HOST ? on_host : on_device;
        all.devicePointer = const_cast<void*>(pointer);
        if (all.type != on_device) all.hostPointer = const_cast<void*>(pointer);
    }
    std::memcpy(to, &all, toolkit >= 13 ? sizeof all : offsetof(pointer_attributes, reserved));
    return cudaSuccess;
}

// Managed memory is the host's and never moves: there is nothing to advise or to fetch.
cuda_error accept_range(void const* pointer, std::size_t bytes) {
    if (bytes == 0) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    unsigned is_managed = 0;
    abi::CUresult const status =
        driver().PointerGetAttribute(&is_managed, abi::CU_POINTER_ATTRIBUTE_IS_MANAGED, device_address(pointer));
    return status == abi::CUDA_SUCCESS && is_managed != 0 ? cudaSuccess : keep(cudaErrorInvalidValue);
}
cuda_error advise(void const* pointer, std::size_t bytes, int, int) { return accept_range(pointer, bytes); }
cuda_error advise_location(void const* pointer, std::size_t bytes, int, memory_location) {
    return accept_range(pointer, bytes);
}
cuda_error prefetch(void const* pointer, std::size_t bytes, int, abi::CUstream) { return accept_range(pointer, bytes); }
cuda_error prefetch_location(void const* pointer, std::size_t bytes, memory_location, unsigned flags, abi::CUstream) {
    return flags != 0 ? keep(cudaErrorInvalidValue) : accept_range(pointer, bytes);
}
cuda_error attach(abi::CUstream, void*, std::size_t, unsigned) {
    cuda_error const error = enter();
    return keep(error);
}

channel_format create_channel_format(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }

} // namespace

std::span<call const> memory_calls() {
    static call const calls[]{call::of<&allocate>("cudaMalloc"),
                              call::of<&allocate_managed>("cudaMallocManaged"),
                              call::of<&allocate_pitch>("cudaMallocPitch"),
                              call::of<&allocate_3d>("cudaMalloc3D"),
                              call::of<&release>("cudaFree"),
                              call::of<&allocate_host>("cudaMallocHost"),
                              call::of<&allocate_host_with_flags>("cudaHostAlloc"),
                              call::of<&release_host>("cudaFreeHost"),
                              call::of<&host_device_pointer>("cudaHostGetDevicePointer"),
                              call::of<&host_flags>("cudaHostGetFlags"),
                              call::of<&register_host>("cudaHostRegister"),
                              call::of<&unregister_host>("cudaHostUnregister"),
                              call::of<&memory_info>("cudaMemGetInfo"),
                              call::of<&attributes_of>("cudaPointerGetAttributes"),
                              toolkit >= 13 ? call::of<&advise_location>("cudaMemAdvise")
                                            : call::of<&advise>("cudaMemAdvise"),
                              call::of<&advise_location>("cudaMemAdvise_v2"),
                              toolkit >= 13 ? call::of<&prefetch_location>("cudaMemPrefetchAsync")
                                            : call::of<&prefetch>("cudaMemPrefetchAsync"),
                              call::of<&prefetch_location>("cudaMemPrefetchAsync_v2"),
                              call::of<&attach>("cudaStreamAttachMemAsync"),
                              call::of<&create_channel_format>("cudaCreateChannelDesc")};
    return calls;
}

} // namespace gpuprof::runtime
