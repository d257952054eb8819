// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What arrays, textures and surfaces are described by, declared anew: the driver's structures. tests/abi compares them with cuda.h
// of each release. The runtime's calls are made of these, too.
#ifndef GPUPROF_SRC_LIBCUDA_TEXTURE_TYPES_HPP
#define GPUPROF_SRC_LIBCUDA_TEXTURE_TYPES_HPP

#include <cstddef>

#include <gpuprof/hw/abi/types.hpp>

namespace gpuprof::driver_library {

enum array_format : int { // CUarray_format
    format_u8 = 0x01,
    format_u16 = 0x02,
    format_u32 = 0x03,
    format_s8 = 0x08,
    format_s16 = 0x09,
    format_s32 = 0x0a,
    format_half = 0x10,
    format_float = 0x20
};
enum array_flag : unsigned { // CUDA_ARRAY3D_…
    array_layered = 0x01,
    array_surface = 0x02,
    array_cubemap = 0x04,
    array_gather = 0x08,
    array_sparse = 0x40,
    array_deferred = 0x80
};
struct array_descriptor { // CUDA_ARRAY_DESCRIPTOR: texels
    std::size_t width, height;
    int format;
    unsigned channels;
};
struct array_descriptor_3d { // CUDA_ARRAY3D_DESCRIPTOR
    std::size_t width, height, depth;
    int format;
    unsigned channels;
    unsigned flags;
};

enum resource_type : int {
    resource_array,
    resource_mipmapped_array,
    resource_linear,
    resource_pitched
}; // CUresourcetype
struct linear_resource {
    abi::CUdeviceptr address;
    int format;
    unsigned channels;
    std::size_t bytes;
};
struct pitched_resource {
    abi::CUdeviceptr address;
    int format;
    unsigned channels;
    std::size_t width, height, pitch; // texels, rows, bytes
};
struct resource_description { // CUDA_RESOURCE_DESC
    int type;
    union {
        abi::CUarray array;
        linear_resource linear;
        pitched_resource pitched;
        int reserved[32];
    };
    unsigned flags;
};

enum texture_flag : unsigned { // CU_TRSF_…
    texture_reads_integers = 0x01,
    texture_is_normalized = 0x02,
    texture_is_srgb = 0x10,
    texture_is_seamless = 0x40
};
struct texture_description { // CUDA_TEXTURE_DESC
    int modes[3];            // CUaddress_mode: wrap, clamp, mirror, border
    int filter;              // CUfilter_mode: point, linear
    unsigned flags;
    unsigned anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most;
    float border[4];
    int reserved[12];
};

using texture_handle = unsigned long long; // CUtexObject, CUsurfObject

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_TEXTURE_TYPES_HPP
