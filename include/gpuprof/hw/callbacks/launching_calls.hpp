// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's calls that launch kernels and graphs, and what callbacks are given of them.
#ifndef GPUPROF_HW_CALLBACKS_LAUNCHING_CALLS_HPP
#define GPUPROF_HW_CALLBACKS_LAUNCHING_CALLS_HPP

#include <cstdint>

#include "../../detail/config.hpp"
#include "../abi/cupti_callback.hpp"
#include "../abi/driver_types.hpp"
#include "callback_set.hpp"
#include "launch_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

inline constexpr hw::callback_id launching_calls[]{
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx},
    {abi::CUPTI_CB_DOMAIN_DRIVER_API, abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz}};

template <class Parameters>
void read_launch(void const* parameters, hw::launch_event& launch) {
    auto const& given = *static_cast<Parameters const*>(parameters);
    launch.function = given.f;
    launch.grid = {given.gridDimX, given.gridDimY, given.gridDimZ};
    launch.block = {given.blockDimX, given.blockDimY, given.blockDimZ};
    launch.dynamic_shared = given.sharedMemBytes;
    launch.stream = given.hStream;
    launch.arguments = given.kernelParams;
    if constexpr (requires { given.extra; }) launch.packed = given.extra;
}

// Reads the parameters of a launching call; false if the call launches nothing.
[[nodiscard]] inline bool read_launch(abi::CUpti_CallbackId id, void const* parameters, hw::launch_event& launch) {
    switch (id) {
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
            read_launch<abi::cuLaunchKernel_params>(parameters, launch);
            return true;
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
            read_launch<abi::cuLaunchCooperativeKernel_params>(parameters, launch);
            launch.cooperative = true;
            return true;
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
            auto const& given = *static_cast<abi::cuLaunchKernelEx_params const*>(parameters);
            launch.function = given.f;
            if (given.config == nullptr) return true; // refused
            abi::CUlaunchConfig const& config = *given.config;
            launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
            launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
            launch.dynamic_shared = config.sharedMemBytes;
            launch.stream = config.hStream;
            launch.arguments = given.kernelParams;
            launch.packed = given.extra;
            for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
                auto const& value = config.attrs[i].value;
                if (config.attrs[i].id == abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
                    launch.cooperative = value.cooperative != 0;
                if (config.attrs[i].id == abi::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
                    launch.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
            }
            return true;
        }
        case abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
            launch.graph = true;
            launch.executable = static_cast<abi::cuGraphLaunch_params const*>(parameters)->hGraph;
            launch.stream = static_cast<abi::cuGraphLaunch_params const*>(parameters)->hStream;
            return true;
        default: return false;
    }
}

} // namespace detail

namespace hw {

// The stream that a call means: that of the thread where a call for its own default stream ("_ptsz") names none. CUDA 12.0, API
// synchronization behavior.
[[nodiscard]] inline abi::CUstream stream_meant(abi::CUstream given, bool per_thread) noexcept {
    constexpr std::uintptr_t stream_of_the_thread = 2; // CU_STREAM_PER_THREAD
    return given != nullptr || !per_thread ? given : reinterpret_cast<abi::CUstream>(stream_of_the_thread);
}

// The same of a launching call.
[[nodiscard]] inline abi::CUstream stream_of(abi::CUpti_CallbackId call, abi::CUstream given) noexcept {
    switch (call) {
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
        case abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: return stream_meant(given, true);
        default: return stream_meant(given, false);
    }
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_LAUNCHING_CALLS_HPP
