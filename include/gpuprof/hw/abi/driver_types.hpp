// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures that driver calls take. Members not named start as zero.
#ifndef GPUPROF_HW_ABI_DRIVER_TYPES_HPP
#define GPUPROF_HW_ABI_DRIVER_TYPES_HPP

#include <cstddef>

#include "../../detail/config.hpp"
#include "attributes.hpp"
#include "types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// Sixteen bytes that identify a device, the same in every process and after every boot.
struct CUuuid {
    char bytes[16] = {};
};

// Host callbacks.
using CUhostFn = void (*)(void* user_data);
using CUoccupancyB2DSize = std::size_t (*)(int block_size);

// Flags of MemHostAlloc; <cuda.h> has them as macros, hence the different spelling.
inline constexpr unsigned int memhostalloc_portable = 1;
inline constexpr unsigned int memhostalloc_devicemap = 2;
inline constexpr unsigned int memhostalloc_writecombined = 4;

// A copy of Height rows of WidthInBytes bytes; pitches and positions in bytes and rows.
struct CUDA_MEMCPY2D {
    std::size_t srcXInBytes = 0;
    std::size_t srcY = 0;
    CUmemorytype srcMemoryType = CU_MEMORYTYPE_HOST;
    void const* srcHost = nullptr;
    CUdeviceptr srcDevice = 0;
    CUarray srcArray = nullptr;
    std::size_t srcPitch = 0;
    std::size_t dstXInBytes = 0;
    std::size_t dstY = 0;
    CUmemorytype dstMemoryType = CU_MEMORYTYPE_HOST;
    void* dstHost = nullptr;
    CUdeviceptr dstDevice = 0;
    CUarray dstArray = nullptr;
    std::size_t dstPitch = 0;
    std::size_t WidthInBytes = 0;
    std::size_t Height = 0;
};

// A copy of Depth layers of Height rows of WidthInBytes bytes, also that of a graph's node.
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

// What a node of a graph fills: `height` rows of `width` elements.
struct CUDA_MEMSET_NODE_PARAMS {
    CUdeviceptr dst = 0;
    std::size_t pitch = 0;
    unsigned int value = 0;
    unsigned int elementSize = 0; // bytes
    std::size_t width = 0;
    std::size_t height = 0;
};

// Sizes in blocks along the three axes.
struct cluster_dim {
    unsigned int x;
    unsigned int y;
    unsigned int z;
};

struct programmatic_event {
    CUevent event;
    int flags;
    int triggerAtBlockStart;
};

struct launch_completion_event {
    CUevent event;
    int flags;
};

struct device_updatable_kernel_node {
    int deviceUpdatable;
    CUgraphDeviceNode devNode;
};

// The value of a launch attribute; CUlaunchAttributeID says which member counts. Always 64 bytes, so that members added
// by later versions fit.
union CUlaunchAttributeValue {
    char pad[64] = {};
    int cooperative;
    int syncPolicy;
    cluster_dim clusterDim;
    int clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    programmatic_event programmaticEvent;
    launch_completion_event launchCompletionEvent;
    int priority;
    cluster_dim preferredClusterDim;
    device_updatable_kernel_node deviceUpdatableKernelNode;
    unsigned int sharedMemCarveout;
};

struct CUlaunchAttribute {
    CUlaunchAttributeID id = CU_LAUNCH_ATTRIBUTE_IGNORE;
    char pad[8 - sizeof(CUlaunchAttributeID)] = {};
    CUlaunchAttributeValue value = {};
};

// A launch of gridDim blocks of blockDim threads with sharedMemBytes of dynamic shared memory a block.
struct CUlaunchConfig {
    unsigned int gridDimX = 0;
    unsigned int gridDimY = 0;
    unsigned int gridDimZ = 0;
    unsigned int blockDimX = 0;
    unsigned int blockDimY = 0;
    unsigned int blockDimZ = 0;
    unsigned int sharedMemBytes = 0;
    CUstream hStream = nullptr;
    CUlaunchAttribute* attrs = nullptr;
    unsigned int numAttrs = 0;
};

// The kernel of a graph's node, with its launch. `kern` is set in place of `func` where the node was
// made of a library's kernel.
struct CUDA_KERNEL_NODE_PARAMS {
    CUfunction func = nullptr;
    unsigned int gridDimX = 0;
    unsigned int gridDimY = 0;
    unsigned int gridDimZ = 0;
    unsigned int blockDimX = 0;
    unsigned int blockDimY = 0;
    unsigned int blockDimZ = 0;
    unsigned int sharedMemBytes = 0;
    void** kernelParams = nullptr;
    void** extra = nullptr;
    CUkernel kern = nullptr;
    CUcontext ctx = nullptr;
};

// What a node of a graph does.
enum CUgraphNodeType : int {
    CU_GRAPH_NODE_TYPE_KERNEL = 0,
    CU_GRAPH_NODE_TYPE_MEMCPY = 1,
    CU_GRAPH_NODE_TYPE_MEMSET = 2,
    CU_GRAPH_NODE_TYPE_HOST = 3,
    CU_GRAPH_NODE_TYPE_GRAPH = 4,
    CU_GRAPH_NODE_TYPE_EMPTY = 5,
    CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
    CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
    CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
    CU_GRAPH_NODE_TYPE_MEM_FREE = 11,
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
    CU_GRAPH_NODE_TYPE_CONDITIONAL = 13
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_DRIVER_TYPES_HPP
