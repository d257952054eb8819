// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of call_parameters.hpp.
#ifndef GPUPROF_TRACE_CALL_PARAMETERS_INL_HPP
#define GPUPROF_TRACE_CALL_PARAMETERS_INL_HPP

#include "../hw/abi/cupti_callback.hpp"
#include "../hw/abi/cupti_driver_parameters.hpp"
#include "../hw/abi/cupti_runtime_parameters.hpp"
#include "../hw/abi/driver_types.hpp"
#include "call_parameters.hpp"
#include "functions.hpp"

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
    constexpr bool has_h_stream = requires { given.hStream; };
    constexpr bool has_stream = requires { given.stream; };
    if constexpr (has_h_stream) into.stream = given.hStream;
    else if constexpr (has_stream) into.stream = given.stream;
    if constexpr (requires { into.asynchronous; }) into.asynchronous = has_h_stream || has_stream;
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
template <class Given>
[[nodiscard]] launch_parameters graph_launch(Given const& given) noexcept {
    launch_parameters launch;
    if constexpr (requires { given.hGraph; }) launch.graph = given.hGraph;
    else launch.graph = given.graphExec;
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

// The driver's copies from one address to another. Their members say between what memory.
template <class Given>
[[nodiscard]] copy_parameters driver_copy(Given const& given) noexcept {
    using enum copy_direction;
    if constexpr (requires { given.dst; }) return copy(given, given.dst, given.src, given.ByteCount, by_address);
    else if constexpr (requires { given.srcHost; })
        return copy(given, given.dstDevice, given.srcHost, given.ByteCount, host_to_device);
    else if constexpr (requires { given.dstHost; })
        return copy(given, given.dstHost, given.srcDevice, given.ByteCount, device_to_host);
    else return copy(given, given.dstDevice, given.srcDevice, given.ByteCount, device_to_device);
}

template <class Given, class Pointer>
[[nodiscard]] allocation_parameters allocate(Given const& given, Pointer const* address, std::size_t bytes,
                                             allocated_memory memory, bool returned) noexcept {
    allocation_parameters allocated;
    allocated.address = stored(address, returned);
    allocated.bytes = bytes;
    allocated.memory = memory;
    read_stream(given, allocated);
    return allocated;
}
template <class Given>
[[nodiscard]] allocation_parameters driver_allocation(Given const& given, allocated_memory memory,
                                                      bool returned) noexcept {
    if constexpr (requires { given.pp; }) return allocate(given, given.pp, given.bytesize, memory, returned);
    else if constexpr (requires { given.Height; })
        return allocate(given, given.dptr, given.WidthInBytes * given.Height, memory, returned);
    else return allocate(given, given.dptr, given.bytesize, memory, returned);
}
template <class Given>
[[nodiscard]] allocation_parameters runtime_allocation(Given const& given, allocated_memory memory,
                                                       bool returned) noexcept {
    if constexpr (requires { given.devPtr; }) return allocate(given, given.devPtr, given.size, memory, returned);
    else if constexpr (requires { given.pHost; }) return allocate(given, given.pHost, given.size, memory, returned);
    else return allocate(given, given.ptr, given.size, memory, returned);
}

template <class Given>
[[nodiscard]] free_parameters release(Given const& given) noexcept {
    free_parameters freed;
    if constexpr (requires { given.dptr; }) freed.address = address_of(given.dptr);
    else if constexpr (requires { given.devPtr; }) freed.address = address_of(given.devPtr);
    else if constexpr (requires { given.ptr; }) freed.address = address_of(given.ptr);
    else freed.address = address_of(given.p);
    read_stream(given, freed);
    return freed;
}

// The structure of a call, as CUPTI points to it.
struct untyped_parameters {
    void const* at;
    template <class Parameters>
    [[nodiscard]] Parameters const& as() const noexcept {
        return *static_cast<Parameters const*>(at);
    }
};

// Each function, and the same with a default stream for each thread, whose parameters are alike.
// clang-format off
[[nodiscard]] inline call_parameters read_driver_call(driver_function function, untyped_parameters given,
                                                      bool returned) noexcept {
    using enum allocated_memory;
    switch (function) {
        case driver_call<"cuLaunchKernel">:
        case driver_call<"cuLaunchKernel_ptsz">:
            return driver_launch(given.as<abi::cuLaunchKernel_params>(), false);
        case driver_call<"cuLaunchCooperativeKernel">:
        case driver_call<"cuLaunchCooperativeKernel_ptsz">:
            return driver_launch(given.as<abi::cuLaunchCooperativeKernel_params>(), true);
        case driver_call<"cuLaunchKernelEx">:
        case driver_call<"cuLaunchKernelEx_ptsz">:
            return read(given.as<abi::cuLaunchKernelEx_params>());
        case driver_call<"cuGraphLaunch">:
        case driver_call<"cuGraphLaunch_ptsz">:
            return graph_launch(given.as<abi::cuGraphLaunch_params>());

        case driver_call<"cuMemcpy">:
        case driver_call<"cuMemcpy_ptds">: return driver_copy(given.as<abi::cuMemcpy_params>());
        case driver_call<"cuMemcpyAsync">:
        case driver_call<"cuMemcpyAsync_ptsz">:
            return driver_copy(given.as<abi::cuMemcpyAsync_params>());
        case driver_call<"cuMemcpyHtoD_v2">:
        case driver_call<"cuMemcpyHtoD_v2_ptds">:
            return driver_copy(given.as<abi::cuMemcpyHtoD_v2_params>());
        case driver_call<"cuMemcpyHtoDAsync_v2">:
        case driver_call<"cuMemcpyHtoDAsync_v2_ptsz">:
            return driver_copy(given.as<abi::cuMemcpyHtoDAsync_v2_params>());
        case driver_call<"cuMemcpyDtoH_v2">:
        case driver_call<"cuMemcpyDtoH_v2_ptds">:
            return driver_copy(given.as<abi::cuMemcpyDtoH_v2_params>());
        case driver_call<"cuMemcpyDtoHAsync_v2">:
        case driver_call<"cuMemcpyDtoHAsync_v2_ptsz">:
            return driver_copy(given.as<abi::cuMemcpyDtoHAsync_v2_params>());
        case driver_call<"cuMemcpyDtoD_v2">:
        case driver_call<"cuMemcpyDtoD_v2_ptds">:
            return driver_copy(given.as<abi::cuMemcpyDtoD_v2_params>());
        case driver_call<"cuMemcpyDtoDAsync_v2">:
        case driver_call<"cuMemcpyDtoDAsync_v2_ptsz">:
            return driver_copy(given.as<abi::cuMemcpyDtoDAsync_v2_params>());
        case driver_call<"cuMemcpyPeer">:
        case driver_call<"cuMemcpyPeer_ptds">:
            return driver_copy(given.as<abi::cuMemcpyPeer_params>());
        case driver_call<"cuMemcpyPeerAsync">:
        case driver_call<"cuMemcpyPeerAsync_ptsz">:
            return driver_copy(given.as<abi::cuMemcpyPeerAsync_params>());
        case driver_call<"cuMemcpy2D_v2">:
        case driver_call<"cuMemcpy2D_v2_ptds">:
            return plane_copy(given.as<abi::cuMemcpy2D_v2_params>());
        case driver_call<"cuMemcpy2DUnaligned_v2">:
        case driver_call<"cuMemcpy2DUnaligned_v2_ptds">:
            return plane_copy(given.as<abi::cuMemcpy2DUnaligned_v2_params>());
        case driver_call<"cuMemcpy2DAsync_v2">:
        case driver_call<"cuMemcpy2DAsync_v2_ptsz">:
            return plane_copy(given.as<abi::cuMemcpy2DAsync_v2_params>());

        case driver_call<"cuMemsetD8_v2">:
        case driver_call<"cuMemsetD8_v2_ptds">:
            return driver_fill(given.as<abi::cuMemsetD8_v2_params>());
        case driver_call<"cuMemsetD16_v2">:
        case driver_call<"cuMemsetD16_v2_ptds">:
            return driver_fill(given.as<abi::cuMemsetD16_v2_params>());
        case driver_call<"cuMemsetD32_v2">:
        case driver_call<"cuMemsetD32_v2_ptds">:
            return driver_fill(given.as<abi::cuMemsetD32_v2_params>());
        case driver_call<"cuMemsetD2D8_v2">:
        case driver_call<"cuMemsetD2D8_v2_ptds">:
            return driver_fill(given.as<abi::cuMemsetD2D8_v2_params>());
        case driver_call<"cuMemsetD2D16_v2">:
        case driver_call<"cuMemsetD2D16_v2_ptds">:
            return driver_fill(given.as<abi::cuMemsetD2D16_v2_params>());
        case driver_call<"cuMemsetD2D32_v2">:
        case driver_call<"cuMemsetD2D32_v2_ptds">:
            return driver_fill(given.as<abi::cuMemsetD2D32_v2_params>());
        case driver_call<"cuMemsetD8Async">:
        case driver_call<"cuMemsetD8Async_ptsz">:
            return driver_fill(given.as<abi::cuMemsetD8Async_params>());
        case driver_call<"cuMemsetD16Async">:
        case driver_call<"cuMemsetD16Async_ptsz">:
            return driver_fill(given.as<abi::cuMemsetD16Async_params>());
        case driver_call<"cuMemsetD32Async">:
        case driver_call<"cuMemsetD32Async_ptsz">:
            return driver_fill(given.as<abi::cuMemsetD32Async_params>());
        case driver_call<"cuMemsetD2D8Async">:
        case driver_call<"cuMemsetD2D8Async_ptsz">:
            return driver_fill(given.as<abi::cuMemsetD2D8Async_params>());
        case driver_call<"cuMemsetD2D16Async">:
        case driver_call<"cuMemsetD2D16Async_ptsz">:
            return driver_fill(given.as<abi::cuMemsetD2D16Async_params>());
        case driver_call<"cuMemsetD2D32Async">:
        case driver_call<"cuMemsetD2D32Async_ptsz">:
            return driver_fill(given.as<abi::cuMemsetD2D32Async_params>());

        case driver_call<"cuMemAlloc_v2">:
            return driver_allocation(given.as<abi::cuMemAlloc_v2_params>(), device, returned);
        case driver_call<"cuMemAllocPitch_v2">:
            return driver_allocation(given.as<abi::cuMemAllocPitch_v2_params>(), device, returned);
        case driver_call<"cuMemAllocManaged">:
            return driver_allocation(given.as<abi::cuMemAllocManaged_params>(), managed, returned);
        case driver_call<"cuMemHostAlloc">:
            return driver_allocation(given.as<abi::cuMemHostAlloc_params>(), host, returned);
        case driver_call<"cuMemAllocHost_v2">:
            return driver_allocation(given.as<abi::cuMemAllocHost_v2_params>(), host, returned);
        case driver_call<"cuMemAllocAsync">:
        case driver_call<"cuMemAllocAsync_ptsz">:
            return driver_allocation(given.as<abi::cuMemAllocAsync_params>(), device, returned);
        case driver_call<"cuMemFree_v2">: return release(given.as<abi::cuMemFree_v2_params>());
        case driver_call<"cuMemFreeHost">: return release(given.as<abi::cuMemFreeHost_params>());
        case driver_call<"cuMemFreeAsync">:
        case driver_call<"cuMemFreeAsync_ptsz">:
            return release(given.as<abi::cuMemFreeAsync_params>());
        default: return {};
    }
}

[[nodiscard]] inline call_parameters read_runtime_call(runtime_function function, untyped_parameters given,
                                                       bool returned) noexcept {
    using enum allocated_memory;
    switch (function) {
        case runtime_call<"cudaLaunchKernel_v7000">:
        case runtime_call<"cudaLaunchKernel_ptsz_v7000">:
        case runtime_call<"__cudaLaunchKernel_v13000">:
        case runtime_call<"__cudaLaunchKernel_ptsz_v13000">:
            // with a kernel's handle in the place of its host function
            return runtime_launch(given.as<abi::cudaLaunchKernel_v7000_params>(), false);
        case runtime_call<"cudaLaunchCooperativeKernel_v9000">:
        case runtime_call<"cudaLaunchCooperativeKernel_ptsz_v9000">:
            return runtime_launch(given.as<abi::cudaLaunchCooperativeKernel_v9000_params>(), true);
        case runtime_call<"cudaLaunchKernelExC_v11060">:
        case runtime_call<"cudaLaunchKernelExC_ptsz_v11060">:
            return read(given.as<abi::cudaLaunchKernelExC_v11060_params>());
        case runtime_call<"cudaGraphLaunch_v10000">:
        case runtime_call<"cudaGraphLaunch_ptsz_v10000">:
            return graph_launch(given.as<abi::cudaGraphLaunch_v10000_params>());

        case runtime_call<"cudaMemcpy_v3020">:
        case runtime_call<"cudaMemcpy_ptds_v7000">:
            return runtime_copy(given.as<abi::cudaMemcpy_v3020_params>());
        case runtime_call<"cudaMemcpyAsync_v3020">:
        case runtime_call<"cudaMemcpyAsync_ptsz_v7000">:
            return runtime_copy(given.as<abi::cudaMemcpyAsync_v3020_params>());
        case runtime_call<"cudaMemcpy2D_v3020">:
        case runtime_call<"cudaMemcpy2D_ptds_v7000">:
            return runtime_copy(given.as<abi::cudaMemcpy2D_v3020_params>());
        case runtime_call<"cudaMemcpy2DAsync_v3020">:
        case runtime_call<"cudaMemcpy2DAsync_ptsz_v7000">:
            return runtime_copy(given.as<abi::cudaMemcpy2DAsync_v3020_params>());
        case runtime_call<"cudaMemcpyPeer_v4000">:
            return runtime_copy(given.as<abi::cudaMemcpyPeer_v4000_params>());
        case runtime_call<"cudaMemcpyPeerAsync_v4000">:
            return runtime_copy(given.as<abi::cudaMemcpyPeerAsync_v4000_params>());

        case runtime_call<"cudaMemset_v3020">:
        case runtime_call<"cudaMemset_ptds_v7000">:
            return runtime_fill(given.as<abi::cudaMemset_v3020_params>());
        case runtime_call<"cudaMemsetAsync_v3020">:
        case runtime_call<"cudaMemsetAsync_ptsz_v7000">:
            return runtime_fill(given.as<abi::cudaMemsetAsync_v3020_params>());
        case runtime_call<"cudaMemset2D_v3020">:
        case runtime_call<"cudaMemset2D_ptds_v7000">:
            return runtime_fill(given.as<abi::cudaMemset2D_v3020_params>());
        case runtime_call<"cudaMemset2DAsync_v3020">:
        case runtime_call<"cudaMemset2DAsync_ptsz_v7000">:
            return runtime_fill(given.as<abi::cudaMemset2DAsync_v3020_params>());

        case runtime_call<"cudaMalloc_v3020">:
            return runtime_allocation(given.as<abi::cudaMalloc_v3020_params>(), device, returned);
        case runtime_call<"cudaMallocManaged_v6000">:
            return runtime_allocation(given.as<abi::cudaMallocManaged_v6000_params>(), managed, returned);
        case runtime_call<"cudaMallocHost_v3020">:
            return runtime_allocation(given.as<abi::cudaMallocHost_v3020_params>(), host, returned);
        case runtime_call<"cudaHostAlloc_v3020">:
            return runtime_allocation(given.as<abi::cudaHostAlloc_v3020_params>(), host, returned);
        case runtime_call<"cudaMallocAsync_v11020">:
        case runtime_call<"cudaMallocAsync_ptsz_v11020">:
            return runtime_allocation(given.as<abi::cudaMallocAsync_v11020_params>(), device, returned);
        case runtime_call<"cudaFree_v3020">: return release(given.as<abi::cudaFree_v3020_params>());
        case runtime_call<"cudaFreeHost_v3020">:
            return release(given.as<abi::cudaFreeHost_v3020_params>());
        case runtime_call<"cudaFreeAsync_v11020">:
        case runtime_call<"cudaFreeAsync_ptsz_v11020">:
            return release(given.as<abi::cudaFreeAsync_v11020_params>());
        default: return {};
    }
}
// clang-format on

} // namespace detail

GPUPROF_INLINE call_parameters read_parameters(hw::callback_id function, void const* parameters,
                                               bool returned) noexcept {
    if (parameters == nullptr) return {};
    if (function.domain == abi::CUPTI_CB_DOMAIN_DRIVER_API)
        return detail::read_driver_call(static_cast<driver_function>(function.number), {parameters}, returned);
    if (function.domain == abi::CUPTI_CB_DOMAIN_RUNTIME_API)
        return detail::read_runtime_call(static_cast<runtime_function>(function.number), {parameters}, returned);
    return {};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_CALL_PARAMETERS_INL_HPP
