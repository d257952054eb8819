// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes of graphs are made of, declared anew: the driver's structures. tests/abi compares them with cuda.h of each
// release. The runtime's calls are made of these, too.
#ifndef GPUPROF_SRC_LIBCUDA_NODE_PARAMETERS_HPP
#define GPUPROF_SRC_LIBCUDA_NODE_PARAMETERS_HPP

#include <cstddef>

#include <gpuprof/hw/abi/driver_types.hpp>

namespace gpuprof::driver_library {

struct kernel_node_parameters { // CUDA_KERNEL_NODE_PARAMS: the part that its versions share
    abi::CUfunction function;
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared;
    void** parameters;
    void** extra;
};

struct copy_node_parameters { // CUDA_MEMCPY3D
    std::size_t src_x, src_y, src_z, src_lod;
    abi::CUmemorytype src_type;
    void const* src_host;
    abi::CUdeviceptr src_device;
    abi::CUarray src_array;
    void* reserved_0;
    std::size_t src_pitch, src_height;
    std::size_t dst_x, dst_y, dst_z, dst_lod;
    abi::CUmemorytype dst_type;
    void* dst_host;
    abi::CUdeviceptr dst_device;
    abi::CUarray dst_array;
    void* reserved_1;
    std::size_t dst_pitch, dst_height;
    std::size_t width, height, depth; // bytes, rows, layers
};

struct fill_node_parameters { // CUDA_MEMSET_NODE_PARAMS
    abi::CUdeviceptr to;
    std::size_t pitch;
    unsigned value;
    unsigned element; // bytes
    std::size_t width;
    std::size_t height;
};

struct host_node_parameters { // CUDA_HOST_NODE_PARAMS
    abi::CUhostFn function;
    void* data;
};

// CU_MEM_ALLOCATION_TYPE_PINNED and CU_MEM_LOCATION_TYPE_DEVICE: memory of a device.
constexpr int pinned = 1, on_device = 1;

struct pool_properties { // CUmemPoolProps
    int type;            // CUmemAllocationType
    int handle_types;
    int location_type;
    int location;
    void* security;
    std::size_t most;
    unsigned short usage;
    unsigned char reserved[54];
};
struct allocation_node_parameters { // CUDA_MEM_ALLOC_NODE_PARAMS
    pool_properties pool;
    void const* access;
    std::size_t access_count;
    std::size_t bytes;
    abi::CUdeviceptr address; // given back
};

struct conditional_node_parameters { // CUDA_CONDITIONAL_NODE_PARAMS, cudaConditionalNodeParams
    unsigned long long handle;
    int type; // CUgraphConditionalNodeType
    unsigned size;
    abi::CUgraph* bodies; // given back
    abi::CUcontext context;
};

struct any_copy { // CUDA_MEMCPY_NODE_PARAMS
    int flags;
    int reserved;
    abi::CUcontext context;
    copy_node_parameters box;
};
struct any_node_parameters { // CUgraphNodeParams
    int type;                // CUgraphNodeType
    int reserved_0[3];
    union {
        long long reserved_1[29];
        kernel_node_parameters kernel;
        any_copy copy;
        fill_node_parameters fill;
        host_node_parameters host;
        abi::CUgraph child;
        abi::CUevent event;
        allocation_node_parameters allocation;
        abi::CUdeviceptr address;
        conditional_node_parameters conditional;
    };
    long long reserved_2;
};

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_NODE_PARAMETERS_HPP
