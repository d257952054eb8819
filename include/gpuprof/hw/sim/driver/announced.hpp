// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launching calls as tools see them: made known before and after. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_ANNOUNCED_HPP
#define GPUPROF_HW_SIM_DRIVER_ANNOUNCED_HPP

#include "../../abi/cupti_callback.hpp"
#include "../counters/api_callbacks.hpp"
#include "../counters/gpu_registry.hpp"
#include "graph.hpp"
#include "launch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {
// The kernel's name, which lives as long as its module; null for what is no function.
[[nodiscard]] inline char const* symbol_of(CUfunction function) {
    auto const in = enter();
    function_state const* const found = in.driver.functions.find(function);
    return found == nullptr ? nullptr : found->code->name.c_str();
}
} // namespace detail

inline CUresult announced_launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                        CUstream stream, void** params, void** extra) {
    cuLaunchKernel_params const given{function, grid_x, grid_y, grid_z, block_x, block_y,
                                      block_z,  shared, stream, params, extra};
    return api_callbacks::instance().driver_call(
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel", given, gpu_registry::current(),
        [&] { return detail::symbol_of(function); },
        [&] {
            return launch_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params,
                                 extra);
        });
}

inline CUresult announced_launch_cooperative_kernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                                    unsigned grid_z, unsigned block_x, unsigned block_y,
                                                    unsigned block_z, unsigned shared, CUstream stream, void** params) {
    cuLaunchCooperativeKernel_params const given{function, grid_x,  grid_y, grid_z, block_x,
                                                 block_y,  block_z, shared, stream, params};
    return api_callbacks::instance().driver_call(
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel", given, gpu_registry::current(),
        [&] { return detail::symbol_of(function); },
        [&] {
            return launch_cooperative_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
                                             stream, params);
        });
}

inline CUresult announced_launch_kernel_ex(CUlaunchConfig const* config, CUfunction function, void** params,
                                           void** extra) {
    cuLaunchKernelEx_params const given{config, function, params, extra};
    return api_callbacks::instance().driver_call(
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx", given, gpu_registry::current(),
        [&] { return detail::symbol_of(function); }, [&] { return launch_kernel_ex(config, function, params, extra); });
}

inline CUresult announced_graph_launch(CUgraphExec executable, CUstream stream) {
    cuGraphLaunch_params const given{executable, stream};
    return api_callbacks::instance().driver_call(
        CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, "cuGraphLaunch", given, gpu_registry::current(),
        [] { return static_cast<char const*>(nullptr); }, [&] { return graph_launch(executable, stream); });
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_ANNOUNCED_HPP
