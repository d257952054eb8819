// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the CUDA runtime's C interface, declared anew: no CUDA header is needed to build it. tests/abi compares them with
// the headers of each release.
#ifndef GPUPROF_SRC_LIBCUDART_TYPES_HPP
#define GPUPROF_SRC_LIBCUDART_TYPES_HPP

#include <cstddef>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/hw/abi/types.hpp>

namespace gpuprof::runtime {

// cudaError_t: the driver's numbers for what the driver can say, and its own. errors.inc has them all.
enum class cuda_error : int {
#define X(name, number, text) name = number,
#include "errors.inc"
#undef X
};

// dim3, which is passed by value.
struct dim3 {
    unsigned x;
    unsigned y;
    unsigned z;
};

enum copy_kind : int { host_to_host, host_to_device, device_to_host, device_to_device, any_to_any }; // cudaMemcpyKind

struct extent { // cudaExtent
    std::size_t width;
    std::size_t height;
    std::size_t depth;
};
struct position { // cudaPos
    std::size_t x;
    std::size_t y;
    std::size_t z;
};
struct pitched_pointer { // cudaPitchedPtr
    void* ptr;
    std::size_t pitch;
    std::size_t xsize;
    std::size_t ysize;
};
struct memcpy_3d_parameters { // cudaMemcpy3DParms
    void* srcArray;
    position srcPos;
    pitched_pointer srcPtr;
    void* dstArray;
    position dstPos;
    pitched_pointer dstPtr;
    gpuprof::runtime::extent extent;
    int kind;
};

struct launch_config { // cudaLaunchConfig_t
    dim3 gridDim;
    dim3 blockDim;
    std::size_t dynamicSmemBytes;
    abi::CUstream stream;
    abi::CUlaunchAttribute* attrs;
    unsigned numAttrs;
};

enum memory_type : int { unregistered, on_host, on_device, managed }; // cudaMemoryType

struct pointer_attributes { // cudaPointerAttributes: the first four members until CUDA 12
    int type;
    int device;
    void* devicePointer;
    void* hostPointer;
    long reserved[8]; // the first one is the locality domain since 13.4
};

struct function_attributes { // cudaFuncAttributes: up to preferredShmemCarveout in CUDA 11
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int reserved[16];
};

struct channel_format { // cudaChannelFormatDesc: bits of each channel, and what they are
    int x, y, z, w;
    int kind;
};

struct memory_location { // cudaMemLocation
    int type;
    int id;
};
struct memory_access { // cudaMemAccessDesc
    memory_location location;
    int flags;
};

// What textures and surfaces are made of, in the words of the runtime.
struct linear_memory {
    void* pointer;
    channel_format format;
    std::size_t bytes;
};
struct pitched_memory {
    void* pointer;
    channel_format format;
    std::size_t width, height, pitch;
};
struct resource_descriptor { // cudaResourceDesc: `flags` since CUDA 13
    int type;
    union {
        abi::CUarray array;
        linear_memory linear;
        pitched_memory pitched;
        int reserved[32];
    };
    unsigned flags;
};
struct texture_descriptor { // cudaTextureDesc: the last two members are not in all of CUDA 11
    int modes[3];
    int filter;
    int read_mode; // 0: elements, 1: normalised floats
    int is_srgb;
    float border[4];
    int is_normalized;
    unsigned anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most;
    int disables_trilinear;
    int is_seamless;
};

using host_work = void (*)(void* data);                                                // cudaHostFn_t
using stream_callback = void (*)(abi::CUstream stream, cuda_error status, void* data); // cudaStreamCallback_t

} // namespace gpuprof::runtime

#endif // GPUPROF_SRC_LIBCUDART_TYPES_HPP
