// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes of graphs are made of, declared anew: the driver's structures. tests/abi compares them with cuda.h of each
// release. The runtime's calls are made of these, too.
#ifndef GPUPROF_DRIVER_NODE_PARAMETERS_HPP
#define GPUPROF_DRIVER_NODE_PARAMETERS_HPP

#include <cstddef> // std::size_t

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

} // namespace gpuprof::driver_library

#endif // GPUPROF_DRIVER_NODE_PARAMETERS_HPP
