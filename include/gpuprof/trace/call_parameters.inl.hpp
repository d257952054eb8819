// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of call_parameters.hpp. Layer: trace.
#ifndef GPUPROF_TRACE_CALL_PARAMETERS_INL_HPP
#define GPUPROF_TRACE_CALL_PARAMETERS_INL_HPP

#include "../hw/abi/cupti_callback.hpp"
#include "../hw/abi/cupti_driver_parameters.hpp"
#include "../hw/abi/cupti_runtime_parameters.hpp"
#include "../hw/abi/driver_types.hpp"
#include "call_parameters.hpp"
#include "driver_functions.hpp"
#include "runtime_functions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline std::uint64_t address_of(void const* pointer) noexcept {
    return reinterpret_cast<std::uintptr_t>(pointer);
}
[[nodiscard]] inline std::uint64_t address_of(abi::CUdeviceptr pointer) noexcept { return pointer; }

// What an allocating call stored; 0 before it has returned.
template <class Pointer>
[[nodiscard]] std::uint64_t stored(Pointer const* at, bool returned) noexcept {
    return returned && at != nullptr ? address_of(*at) : 0;
}

// The stream of a call that has one, and whether it is asynchronous.
template <class Given, class Parameters>
void read_stream(Given const& given, Parameters& into) noexcept {
    if constexpr (requires { given.hStream; }) into.stream = given.hStream;
    else if constexpr (requires { given.stream; }) into.stream = given.stream;
    if constexpr (requires { into.asynchronous; }) into.asynchronous = requires {
            given.hStream;
        }
    || requires { given.stream; };
}

inline void read_attributes(abi::CUlaunchAttribute const* attributes, unsigned count,
                            launch_parameters& into) noexcept {
    for (unsigned i = 0; attributes != nullptr && i < count; ++i) {
        auto const& value = attributes[i].value;
        if (attributes[i].id == abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE) into.cooperative = value.cooperative != 0;
        if (attributes[i].id == abi::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            into.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    }
}

// cuLaunchKernel and cuLaunchCooperativeKernel.
template <class Given>
[[nodiscard]] launch_parameters driver_launch(Given const& given, bool cooperative) noexcept {
    launch_parameters launch;
    launch.function = given.f;
    launch.grid = {given.gridDimX, given.gridDimY, given.gridDimZ};
    launch.block = {given.blockDimX, given.blockDimY, given.blockDimZ};
    launch.dynamic_shared = given.sharedMemBytes;
    launch.cooperative = cooperative;
    launch.stream = given.hStream;
    launch.arguments = given.kernelParams;
    return launch;
}
[[nodiscard]] inline launch_parameters read(abi::cuLaunchKernelEx_params const& given) noexcept {
    launch_parameters launch;
    launch.function = given.f;
    launch.arguments = given.kernelParams;
    if (given.config == nullptr) return launch;
    abi::CUlaunchConfig const& config = *given.config;
    launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
    launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
    launch.dynamic_shared = config.sharedMemBytes;
    launch.stream = config.hStream;
    read_attributes(config.attrs, config.numAttrs, launch);
    return launch;
}
template <class Given>
[[nodiscard]] launch_parameters runtime_launch(Given const& given, bool cooperative) noexcept {
    launch_parameters launch;
    launch.function = given.func;
    launch.grid = {given.gridDim.x, given.gridDim.y, given.gridDim.z};
    launch.block = {given.blockDim.x, given.blockDim.y, given.blockDim.z};
    launch.dynamic_shared = given.sharedMem;
    launch.cooperative = cooperative;
    launch.stream = given.stream;
    launch.arguments = given.args;
    return launch;
}
[[nodiscard]] inline launch_parameters read(abi::cudaLaunchKernelExC_v11060_params const& given) noexcept {
    launch_parameters launch;
    launch.function = given.func;
    launch.arguments = given.args;
    if (given.config == nullptr) return launch;
    abi::cudaLaunchConfig_t const& config = *given.config;
    launch.grid = {config.gridDim.x, config.gridDim.y, config.gridDim.z};
    launch.block = {config.blockDim.x, config.blockDim.y, config.blockDim.z};
    launch.dynamic_shared = config.dynamicSmemBytes;
    launch.stream = config.stream;
    read_attributes(config.attrs, config.numAttrs, launch);
    return launch;
}
template <class Graph, class Given>
[[nodiscard]] launch_parameters graph_launch(Graph graph, Given const& given) noexcept {
    launch_parameters launch;
    launch.graph = graph;
    read_stream(given, launch);
    return launch;
}

template <class Given, class To, class From>
[[nodiscard]] copy_parameters copy(Given const& given, To to, From from, std::size_t bytes, copy_direction direction,
                                   std::size_t rows = 1) noexcept {
    copy_parameters copied;
    copied.destination = address_of(to);
    copied.source = address_of(from);
    copied.bytes = bytes * rows;
    copied.rows = rows;
    copied.direction = direction;
    read_stream(given, copied);
    return copied;
}
// cudaMemcpyKind has the order of copy_direction.
static_assert(static_cast<unsigned>(copy_direction::by_address) == abi::cudaMemcpyDefault);
[[nodiscard]] inline copy_direction direction_of(abi::cudaMemcpyKind kind) noexcept {
    return kind < abi::cudaMemcpyDefault ? static_cast<copy_direction>(kind) : copy_direction::by_address;
}
template <class Given>
[[nodiscard]] copy_parameters runtime_copy(Given const& given) noexcept {
    if constexpr (requires { given.width; })
        return copy(given, given.dst, given.src, given.width, direction_of(given.kind), given.height);
    else if constexpr (requires { given.kind; })
        return copy(given, given.dst, given.src, given.count, direction_of(given.kind));
    else return copy(given, given.dst, given.src, given.count, copy_direction::device_to_device);
}
// cuMemcpy2D and its relatives. A side in unified memory says nothing of where it is.
template <class Given>
[[nodiscard]] copy_parameters plane_copy(Given const& given) noexcept {
    if (given.pCopy == nullptr) return {};
    abi::CUDA_MEMCPY2D const& plane = *given.pCopy;
    auto const side = [](abi::CUmemorytype kind, void const* host, abi::CUdeviceptr device) {
        return kind == abi::CU_MEMORYTYPE_HOST ? address_of(host) : kind == abi::CU_MEMORYTYPE_ARRAY ? 0 : device;
    };
    auto const on_host = [](abi::CUmemorytype kind) { return kind == abi::CU_MEMORYTYPE_HOST; };
    auto direction = copy_direction::by_address;
    if (plane.srcMemoryType != abi::CU_MEMORYTYPE_UNIFIED && plane.dstMemoryType != abi::CU_MEMORYTYPE_UNIFIED)
        direction = on_host(plane.srcMemoryType)
                        ? on_host(plane.dstMemoryType) ? copy_direction::host_to_host : copy_direction::host_to_device
                    : on_host(plane.dstMemoryType) ? copy_direction::device_to_host
                                                   : copy_direction::device_to_device;
    auto copied =
        copy(given, side(plane.dstMemoryType, plane.dstHost, plane.dstDevice),
             side(plane.srcMemoryType, plane.srcHost, plane.srcDevice), plane.WidthInBytes, direction, plane.Height);
    if (copied.destination != 0 && plane.dstMemoryType != abi::CU_MEMORYTYPE_ARRAY)
        copied.destination += plane.dstY * plane.dstPitch + plane.dstXInBytes;
    if (copied.source != 0 && plane.srcMemoryType != abi::CU_MEMORYTYPE_ARRAY)
        copied.source += plane.srcY * plane.srcPitch + plane.srcXInBytes;
    return copied;
}

template <class Given, class To>
[[nodiscard]] set_parameters fill(Given const& given, To to, std::uint32_t value, unsigned value_bytes,
                                  std::size_t values, std::size_t rows = 1) noexcept {
    set_parameters filled;
    filled.destination = address_of(to);
    filled.value = value;
    filled.value_bytes = value_bytes;
    filled.bytes = values * value_bytes * rows;
    filled.rows = rows;
    read_stream(given, filled);
    return filled;
}
template <class Given>
[[nodiscard]] set_parameters driver_fill(Given const& given) noexcept {
    auto const value = [&] {
        if constexpr (requires { given.uc; }) return given.uc;
        else if constexpr (requires { given.us; }) return given.us;
        else return given.ui;
    }();
    if constexpr (requires { given.Width; })
        return fill(given, given.dstDevice, value, sizeof value, given.Width, given.Height);
    else return fill(given, given.dstDevice, value, sizeof value, given.N);
}
// cudaMemset fills bytes with the lowest byte of its value.
template <class Given>
[[nodiscard]] set_parameters runtime_fill(Given const& given) noexcept {
    auto const value = static_cast<std::uint32_t>(given.value) & 0xffu;
    if constexpr (requires { given.width; }) return fill(given, given.devPtr, value, 1, given.width, given.height);
    else return fill(given, given.devPtr, value, 1, given.count);
}

template <class Given>
[[nodiscard]] allocation_parameters allocate(Given const& given, std::uint64_t address, std::size_t bytes,
                                             allocated_memory memory) noexcept {
    allocation_parameters allocated;
    allocated.address = address;
    allocated.bytes = bytes;
    allocated.memory = memory;
    read_stream(given, allocated);
    return allocated;
}
template <class Given, class Address>
[[nodiscard]] free_parameters release(Given const& given, Address address) noexcept {
    free_parameters freed;
    freed.address = address_of(address);
    read_stream(given, freed);
    return freed;
}

// clang-format off
// The function, and the same with a default stream for each thread.
#define GPUPROF_BOTH(Kind, function, other)                                                                            \
    case Kind::function:                                                                                               \
    case Kind::other:

// With a default stream for each thread <cuda.h> makes macros of these names.
#pragma push_macro("cuGraphLaunch")
#undef cuGraphLaunch
#pragma push_macro("cuGraphLaunch_ptsz")
#undef cuGraphLaunch_ptsz
#pragma push_macro("cuLaunchCooperativeKernel")
#undef cuLaunchCooperativeKernel
#pragma push_macro("cuLaunchCooperativeKernel_ptsz")
#undef cuLaunchCooperativeKernel_ptsz
#pragma push_macro("cuLaunchKernel")
#undef cuLaunchKernel
#pragma push_macro("cuLaunchKernelEx")
#undef cuLaunchKernelEx
#pragma push_macro("cuLaunchKernelEx_ptsz")
#undef cuLaunchKernelEx_ptsz
#pragma push_macro("cuLaunchKernel_ptsz")
#undef cuLaunchKernel_ptsz
#pragma push_macro("cuMemAllocAsync")
#undef cuMemAllocAsync
#pragma push_macro("cuMemAllocAsync_ptsz")
#undef cuMemAllocAsync_ptsz
#pragma push_macro("cuMemAllocHost_v2")
#undef cuMemAllocHost_v2
#pragma push_macro("cuMemAllocManaged")
#undef cuMemAllocManaged
#pragma push_macro("cuMemAllocPitch_v2")
#undef cuMemAllocPitch_v2
#pragma push_macro("cuMemAlloc_v2")
#undef cuMemAlloc_v2
#pragma push_macro("cuMemFreeAsync")
#undef cuMemFreeAsync
#pragma push_macro("cuMemFreeAsync_ptsz")
#undef cuMemFreeAsync_ptsz
#pragma push_macro("cuMemFreeHost")
#undef cuMemFreeHost
#pragma push_macro("cuMemFree_v2")
#undef cuMemFree_v2
#pragma push_macro("cuMemHostAlloc")
#undef cuMemHostAlloc
#pragma push_macro("cuMemcpy")
#undef cuMemcpy
#pragma push_macro("cuMemcpy2DAsync_v2")
#undef cuMemcpy2DAsync_v2
#pragma push_macro("cuMemcpy2DAsync_v2_ptsz")
#undef cuMemcpy2DAsync_v2_ptsz
#pragma push_macro("cuMemcpy2DUnaligned_v2")
#undef cuMemcpy2DUnaligned_v2
#pragma push_macro("cuMemcpy2DUnaligned_v2_ptds")
#undef cuMemcpy2DUnaligned_v2_ptds
#pragma push_macro("cuMemcpy2D_v2")
#undef cuMemcpy2D_v2
#pragma push_macro("cuMemcpy2D_v2_ptds")
#undef cuMemcpy2D_v2_ptds
#pragma push_macro("cuMemcpyAsync")
#undef cuMemcpyAsync
#pragma push_macro("cuMemcpyAsync_ptsz")
#undef cuMemcpyAsync_ptsz
#pragma push_macro("cuMemcpyDtoDAsync_v2")
#undef cuMemcpyDtoDAsync_v2
#pragma push_macro("cuMemcpyDtoDAsync_v2_ptsz")
#undef cuMemcpyDtoDAsync_v2_ptsz
#pragma push_macro("cuMemcpyDtoD_v2")
#undef cuMemcpyDtoD_v2
#pragma push_macro("cuMemcpyDtoD_v2_ptds")
#undef cuMemcpyDtoD_v2_ptds
#pragma push_macro("cuMemcpyDtoHAsync_v2")
#undef cuMemcpyDtoHAsync_v2
#pragma push_macro("cuMemcpyDtoHAsync_v2_ptsz")
#undef cuMemcpyDtoHAsync_v2_ptsz
#pragma push_macro("cuMemcpyDtoH_v2")
#undef cuMemcpyDtoH_v2
#pragma push_macro("cuMemcpyDtoH_v2_ptds")
#undef cuMemcpyDtoH_v2_ptds
#pragma push_macro("cuMemcpyHtoDAsync_v2")
#undef cuMemcpyHtoDAsync_v2
#pragma push_macro("cuMemcpyHtoDAsync_v2_ptsz")
#undef cuMemcpyHtoDAsync_v2_ptsz
#pragma push_macro("cuMemcpyHtoD_v2")
#undef cuMemcpyHtoD_v2
#pragma push_macro("cuMemcpyHtoD_v2_ptds")
#undef cuMemcpyHtoD_v2_ptds
#pragma push_macro("cuMemcpyPeer")
#undef cuMemcpyPeer
#pragma push_macro("cuMemcpyPeerAsync")
#undef cuMemcpyPeerAsync
#pragma push_macro("cuMemcpyPeerAsync_ptsz")
#undef cuMemcpyPeerAsync_ptsz
#pragma push_macro("cuMemcpyPeer_ptds")
#undef cuMemcpyPeer_ptds
#pragma push_macro("cuMemcpy_ptds")
#undef cuMemcpy_ptds
#pragma push_macro("cuMemsetD16Async")
#undef cuMemsetD16Async
#pragma push_macro("cuMemsetD16Async_ptsz")
#undef cuMemsetD16Async_ptsz
#pragma push_macro("cuMemsetD16_v2")
#undef cuMemsetD16_v2
#pragma push_macro("cuMemsetD16_v2_ptds")
#undef cuMemsetD16_v2_ptds
#pragma push_macro("cuMemsetD2D16Async")
#undef cuMemsetD2D16Async
#pragma push_macro("cuMemsetD2D16Async_ptsz")
#undef cuMemsetD2D16Async_ptsz
#pragma push_macro("cuMemsetD2D16_v2")
#undef cuMemsetD2D16_v2
#pragma push_macro("cuMemsetD2D16_v2_ptds")
#undef cuMemsetD2D16_v2_ptds
#pragma push_macro("cuMemsetD2D32Async")
#undef cuMemsetD2D32Async
#pragma push_macro("cuMemsetD2D32Async_ptsz")
#undef cuMemsetD2D32Async_ptsz
#pragma push_macro("cuMemsetD2D32_v2")
#undef cuMemsetD2D32_v2
#pragma push_macro("cuMemsetD2D32_v2_ptds")
#undef cuMemsetD2D32_v2_ptds
#pragma push_macro("cuMemsetD2D8Async")
#undef cuMemsetD2D8Async
#pragma push_macro("cuMemsetD2D8Async_ptsz")
#undef cuMemsetD2D8Async_ptsz
#pragma push_macro("cuMemsetD2D8_v2")
#undef cuMemsetD2D8_v2
#pragma push_macro("cuMemsetD2D8_v2_ptds")
#undef cuMemsetD2D8_v2_ptds
#pragma push_macro("cuMemsetD32Async")
#undef cuMemsetD32Async
#pragma push_macro("cuMemsetD32Async_ptsz")
#undef cuMemsetD32Async_ptsz
#pragma push_macro("cuMemsetD32_v2")
#undef cuMemsetD32_v2
#pragma push_macro("cuMemsetD32_v2_ptds")
#undef cuMemsetD32_v2_ptds
#pragma push_macro("cuMemsetD8Async")
#undef cuMemsetD8Async
#pragma push_macro("cuMemsetD8Async_ptsz")
#undef cuMemsetD8Async_ptsz
#pragma push_macro("cuMemsetD8_v2")
#undef cuMemsetD8_v2
#pragma push_macro("cuMemsetD8_v2_ptds")
#undef cuMemsetD8_v2_ptds

[[nodiscard]] inline call_parameters read_driver_call(driver_function function, void const* at, bool returned) noexcept {
#define GPUPROF_GIVEN(name) (*static_cast<abi::name##_params const*>(at))
#define GPUPROF_DRIVER(name, other) GPUPROF_BOTH(driver_function, name, other)
    using enum copy_direction;
    switch (function) {
        GPUPROF_DRIVER(cuLaunchKernel, cuLaunchKernel_ptsz) return driver_launch(GPUPROF_GIVEN(cuLaunchKernel), false);
        GPUPROF_DRIVER(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz)
            return driver_launch(GPUPROF_GIVEN(cuLaunchCooperativeKernel), true);
        GPUPROF_DRIVER(cuLaunchKernelEx, cuLaunchKernelEx_ptsz) return read(GPUPROF_GIVEN(cuLaunchKernelEx));
        GPUPROF_DRIVER(cuGraphLaunch, cuGraphLaunch_ptsz)
            return graph_launch(GPUPROF_GIVEN(cuGraphLaunch).hGraph, GPUPROF_GIVEN(cuGraphLaunch));

#define GPUPROF_COPY(name, other, to, from, direction)                                                                 \
    GPUPROF_DRIVER(name, other) {                                                                                    \
        auto const& given = GPUPROF_GIVEN(name);                                                                       \
        return copy(given, given.to, given.from, given.ByteCount, direction);                                          \
    }
        GPUPROF_COPY(cuMemcpy, cuMemcpy_ptds, dst, src, by_address)
        GPUPROF_COPY(cuMemcpyAsync, cuMemcpyAsync_ptsz, dst, src, by_address)
        GPUPROF_COPY(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds, dstDevice, srcHost, host_to_device)
        GPUPROF_COPY(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz, dstDevice, srcHost, host_to_device)
        GPUPROF_COPY(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds, dstHost, srcDevice, device_to_host)
        GPUPROF_COPY(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz, dstHost, srcDevice, device_to_host)
        GPUPROF_COPY(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds, dstDevice, srcDevice, device_to_device)
        GPUPROF_COPY(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz, dstDevice, srcDevice, device_to_device)
        GPUPROF_COPY(cuMemcpyPeer, cuMemcpyPeer_ptds, dstDevice, srcDevice, device_to_device)
        GPUPROF_COPY(cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz, dstDevice, srcDevice, device_to_device)
#undef GPUPROF_COPY
        GPUPROF_DRIVER(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds) return plane_copy(GPUPROF_GIVEN(cuMemcpy2D_v2));
        GPUPROF_DRIVER(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned_v2_ptds)
            return plane_copy(GPUPROF_GIVEN(cuMemcpy2DUnaligned_v2));
        GPUPROF_DRIVER(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz) return plane_copy(GPUPROF_GIVEN(cuMemcpy2DAsync_v2));

#define GPUPROF_FILL(name, other)                                                                                      \
    GPUPROF_DRIVER(name, other) return driver_fill(GPUPROF_GIVEN(name));
        GPUPROF_FILL(cuMemsetD8_v2, cuMemsetD8_v2_ptds)
        GPUPROF_FILL(cuMemsetD16_v2, cuMemsetD16_v2_ptds)
        GPUPROF_FILL(cuMemsetD32_v2, cuMemsetD32_v2_ptds)
        GPUPROF_FILL(cuMemsetD2D8_v2, cuMemsetD2D8_v2_ptds)
        GPUPROF_FILL(cuMemsetD2D16_v2, cuMemsetD2D16_v2_ptds)
        GPUPROF_FILL(cuMemsetD2D32_v2, cuMemsetD2D32_v2_ptds)
        GPUPROF_FILL(cuMemsetD8Async, cuMemsetD8Async_ptsz)
        GPUPROF_FILL(cuMemsetD16Async, cuMemsetD16Async_ptsz)
        GPUPROF_FILL(cuMemsetD32Async, cuMemsetD32Async_ptsz)
        GPUPROF_FILL(cuMemsetD2D8Async, cuMemsetD2D8Async_ptsz)
        GPUPROF_FILL(cuMemsetD2D16Async, cuMemsetD2D16Async_ptsz)
        GPUPROF_FILL(cuMemsetD2D32Async, cuMemsetD2D32Async_ptsz)
#undef GPUPROF_FILL

#define GPUPROF_ALLOCATION(name, pointer, memory)                                                                      \
    {                                                                                                                  \
        auto const& given = GPUPROF_GIVEN(name);                                                                       \
        return allocate(given, stored(given.pointer, returned), given.bytesize, allocated_memory::memory);             \
    }
        case driver_function::cuMemAlloc_v2: GPUPROF_ALLOCATION(cuMemAlloc_v2, dptr, device)
        case driver_function::cuMemAllocManaged: GPUPROF_ALLOCATION(cuMemAllocManaged, dptr, managed)
        case driver_function::cuMemHostAlloc: GPUPROF_ALLOCATION(cuMemHostAlloc, pp, host)
        case driver_function::cuMemAllocHost_v2: GPUPROF_ALLOCATION(cuMemAllocHost_v2, pp, host)
        GPUPROF_DRIVER(cuMemAllocAsync, cuMemAllocAsync_ptsz) GPUPROF_ALLOCATION(cuMemAllocAsync, dptr, device)
#undef GPUPROF_ALLOCATION
        case driver_function::cuMemAllocPitch_v2: {
            auto const& given = GPUPROF_GIVEN(cuMemAllocPitch_v2);
            return allocate(given, stored(given.dptr, returned), given.WidthInBytes * given.Height, allocated_memory::device);
        }
        case driver_function::cuMemFree_v2: return release(GPUPROF_GIVEN(cuMemFree_v2), GPUPROF_GIVEN(cuMemFree_v2).dptr);
        case driver_function::cuMemFreeHost: return release(GPUPROF_GIVEN(cuMemFreeHost), GPUPROF_GIVEN(cuMemFreeHost).p);
        GPUPROF_DRIVER(cuMemFreeAsync, cuMemFreeAsync_ptsz)
            return release(GPUPROF_GIVEN(cuMemFreeAsync), GPUPROF_GIVEN(cuMemFreeAsync).dptr);
        default: return {};
    }
#undef GPUPROF_DRIVER
}

#pragma pop_macro("cuGraphLaunch")
#pragma pop_macro("cuGraphLaunch_ptsz")
#pragma pop_macro("cuLaunchCooperativeKernel")
#pragma pop_macro("cuLaunchCooperativeKernel_ptsz")
#pragma pop_macro("cuLaunchKernel")
#pragma pop_macro("cuLaunchKernelEx")
#pragma pop_macro("cuLaunchKernelEx_ptsz")
#pragma pop_macro("cuLaunchKernel_ptsz")
#pragma pop_macro("cuMemAllocAsync")
#pragma pop_macro("cuMemAllocAsync_ptsz")
#pragma pop_macro("cuMemAllocHost_v2")
#pragma pop_macro("cuMemAllocManaged")
#pragma pop_macro("cuMemAllocPitch_v2")
#pragma pop_macro("cuMemAlloc_v2")
#pragma pop_macro("cuMemFreeAsync")
#pragma pop_macro("cuMemFreeAsync_ptsz")
#pragma pop_macro("cuMemFreeHost")
#pragma pop_macro("cuMemFree_v2")
#pragma pop_macro("cuMemHostAlloc")
#pragma pop_macro("cuMemcpy")
#pragma pop_macro("cuMemcpy2DAsync_v2")
#pragma pop_macro("cuMemcpy2DAsync_v2_ptsz")
#pragma pop_macro("cuMemcpy2DUnaligned_v2")
#pragma pop_macro("cuMemcpy2DUnaligned_v2_ptds")
#pragma pop_macro("cuMemcpy2D_v2")
#pragma pop_macro("cuMemcpy2D_v2_ptds")
#pragma pop_macro("cuMemcpyAsync")
#pragma pop_macro("cuMemcpyAsync_ptsz")
#pragma pop_macro("cuMemcpyDtoDAsync_v2")
#pragma pop_macro("cuMemcpyDtoDAsync_v2_ptsz")
#pragma pop_macro("cuMemcpyDtoD_v2")
#pragma pop_macro("cuMemcpyDtoD_v2_ptds")
#pragma pop_macro("cuMemcpyDtoHAsync_v2")
#pragma pop_macro("cuMemcpyDtoHAsync_v2_ptsz")
#pragma pop_macro("cuMemcpyDtoH_v2")
#pragma pop_macro("cuMemcpyDtoH_v2_ptds")
#pragma pop_macro("cuMemcpyHtoDAsync_v2")
#pragma pop_macro("cuMemcpyHtoDAsync_v2_ptsz")
#pragma pop_macro("cuMemcpyHtoD_v2")
#pragma pop_macro("cuMemcpyHtoD_v2_ptds")
#pragma pop_macro("cuMemcpyPeer")
#pragma pop_macro("cuMemcpyPeerAsync")
#pragma pop_macro("cuMemcpyPeerAsync_ptsz")
#pragma pop_macro("cuMemcpyPeer_ptds")
#pragma pop_macro("cuMemcpy_ptds")
#pragma pop_macro("cuMemsetD16Async")
#pragma pop_macro("cuMemsetD16Async_ptsz")
#pragma pop_macro("cuMemsetD16_v2")
#pragma pop_macro("cuMemsetD16_v2_ptds")
#pragma pop_macro("cuMemsetD2D16Async")
#pragma pop_macro("cuMemsetD2D16Async_ptsz")
#pragma pop_macro("cuMemsetD2D16_v2")
#pragma pop_macro("cuMemsetD2D16_v2_ptds")
#pragma pop_macro("cuMemsetD2D32Async")
#pragma pop_macro("cuMemsetD2D32Async_ptsz")
#pragma pop_macro("cuMemsetD2D32_v2")
#pragma pop_macro("cuMemsetD2D32_v2_ptds")
#pragma pop_macro("cuMemsetD2D8Async")
#pragma pop_macro("cuMemsetD2D8Async_ptsz")
#pragma pop_macro("cuMemsetD2D8_v2")
#pragma pop_macro("cuMemsetD2D8_v2_ptds")
#pragma pop_macro("cuMemsetD32Async")
#pragma pop_macro("cuMemsetD32Async_ptsz")
#pragma pop_macro("cuMemsetD32_v2")
#pragma pop_macro("cuMemsetD32_v2_ptds")
#pragma pop_macro("cuMemsetD8Async")
#pragma pop_macro("cuMemsetD8Async_ptsz")
#pragma pop_macro("cuMemsetD8_v2")
#pragma pop_macro("cuMemsetD8_v2_ptds")

[[nodiscard]] inline call_parameters read_runtime_call(runtime_function function, void const* at, bool returned) noexcept {
#define GPUPROF_RUNTIME(name, other) GPUPROF_BOTH(runtime_function, name, other)
    switch (function) {
        GPUPROF_RUNTIME(cudaLaunchKernel_v7000, cudaLaunchKernel_ptsz_v7000)
        GPUPROF_RUNTIME(__cudaLaunchKernel_v13000, __cudaLaunchKernel_ptsz_v13000)
            // with a kernel's handle in the place of its host function
            return runtime_launch(GPUPROF_GIVEN(cudaLaunchKernel_v7000), false);
        GPUPROF_RUNTIME(cudaLaunchCooperativeKernel_v9000, cudaLaunchCooperativeKernel_ptsz_v9000)
            return runtime_launch(GPUPROF_GIVEN(cudaLaunchCooperativeKernel_v9000), true);
        GPUPROF_RUNTIME(cudaLaunchKernelExC_v11060, cudaLaunchKernelExC_ptsz_v11060)
            return read(GPUPROF_GIVEN(cudaLaunchKernelExC_v11060));
        GPUPROF_RUNTIME(cudaGraphLaunch_v10000, cudaGraphLaunch_ptsz_v10000)
            return graph_launch(GPUPROF_GIVEN(cudaGraphLaunch_v10000).graphExec, GPUPROF_GIVEN(cudaGraphLaunch_v10000));

        GPUPROF_RUNTIME(cudaMemcpy_v3020, cudaMemcpy_ptds_v7000) return runtime_copy(GPUPROF_GIVEN(cudaMemcpy_v3020));
        GPUPROF_RUNTIME(cudaMemcpyAsync_v3020, cudaMemcpyAsync_ptsz_v7000)
            return runtime_copy(GPUPROF_GIVEN(cudaMemcpyAsync_v3020));
        GPUPROF_RUNTIME(cudaMemcpy2D_v3020, cudaMemcpy2D_ptds_v7000) return runtime_copy(GPUPROF_GIVEN(cudaMemcpy2D_v3020));
        GPUPROF_RUNTIME(cudaMemcpy2DAsync_v3020, cudaMemcpy2DAsync_ptsz_v7000)
            return runtime_copy(GPUPROF_GIVEN(cudaMemcpy2DAsync_v3020));
        case runtime_function::cudaMemcpyPeer_v4000: return runtime_copy(GPUPROF_GIVEN(cudaMemcpyPeer_v4000));
        case runtime_function::cudaMemcpyPeerAsync_v4000: return runtime_copy(GPUPROF_GIVEN(cudaMemcpyPeerAsync_v4000));

        GPUPROF_RUNTIME(cudaMemset_v3020, cudaMemset_ptds_v7000) return runtime_fill(GPUPROF_GIVEN(cudaMemset_v3020));
        GPUPROF_RUNTIME(cudaMemsetAsync_v3020, cudaMemsetAsync_ptsz_v7000)
            return runtime_fill(GPUPROF_GIVEN(cudaMemsetAsync_v3020));
        GPUPROF_RUNTIME(cudaMemset2D_v3020, cudaMemset2D_ptds_v7000) return runtime_fill(GPUPROF_GIVEN(cudaMemset2D_v3020));
        GPUPROF_RUNTIME(cudaMemset2DAsync_v3020, cudaMemset2DAsync_ptsz_v7000)
            return runtime_fill(GPUPROF_GIVEN(cudaMemset2DAsync_v3020));

#define GPUPROF_ALLOCATION(name, pointer, memory)                                                                      \
    {                                                                                                                  \
        auto const& given = GPUPROF_GIVEN(name);                                                                       \
        return allocate(given, stored(given.pointer, returned), given.size, allocated_memory::memory);                 \
    }
        case runtime_function::cudaMalloc_v3020: GPUPROF_ALLOCATION(cudaMalloc_v3020, devPtr, device)
        case runtime_function::cudaMallocManaged_v6000: GPUPROF_ALLOCATION(cudaMallocManaged_v6000, devPtr, managed)
        case runtime_function::cudaMallocHost_v3020: GPUPROF_ALLOCATION(cudaMallocHost_v3020, ptr, host)
        case runtime_function::cudaHostAlloc_v3020: GPUPROF_ALLOCATION(cudaHostAlloc_v3020, pHost, host)
        GPUPROF_RUNTIME(cudaMallocAsync_v11020, cudaMallocAsync_ptsz_v11020)
            GPUPROF_ALLOCATION(cudaMallocAsync_v11020, devPtr, device)
#undef GPUPROF_ALLOCATION
        case runtime_function::cudaFree_v3020: return release(GPUPROF_GIVEN(cudaFree_v3020), GPUPROF_GIVEN(cudaFree_v3020).devPtr);
        case runtime_function::cudaFreeHost_v3020:
            return release(GPUPROF_GIVEN(cudaFreeHost_v3020), GPUPROF_GIVEN(cudaFreeHost_v3020).ptr);
        GPUPROF_RUNTIME(cudaFreeAsync_v11020, cudaFreeAsync_ptsz_v11020)
            return release(GPUPROF_GIVEN(cudaFreeAsync_v11020), GPUPROF_GIVEN(cudaFreeAsync_v11020).devPtr);
        default: return {};
    }
#undef GPUPROF_RUNTIME
#undef GPUPROF_GIVEN
}
#undef GPUPROF_BOTH
// clang-format on

} // namespace detail

GPUPROF_INLINE call_parameters read_parameters(hw::callback_id function, void const* parameters,
                                               bool returned) noexcept {
    if (parameters == nullptr) return {};
    if (function.domain == abi::CUPTI_CB_DOMAIN_DRIVER_API)
        return detail::read_driver_call(static_cast<driver_function>(function.number), parameters, returned);
    if (function.domain == abi::CUPTI_CB_DOMAIN_RUNTIME_API)
        return detail::read_runtime_call(static_cast<runtime_function>(function.number), parameters, returned);
    return {};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_CALL_PARAMETERS_INL_HPP
