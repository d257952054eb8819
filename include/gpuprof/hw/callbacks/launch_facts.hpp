// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the driver for the facts of a launch, at the moment of the launch.
#ifndef GPUPROF_HW_CALLBACKS_LAUNCH_FACTS_HPP
#define GPUPROF_HW_CALLBACKS_LAUNCH_FACTS_HPP

#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "kernel_launch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Fills what the driver knows of `function` and its launch: registers, memory, preferences, ids,
// clusters. Values that the driver refuses stay. Cost: a dozen driver calls, none of which waits
// for the device.
// @pre the function's module is loaded, and `launch` has its grid, block, cluster, dynamic_shared,
// context and stream
inline void ask_driver(abi::driver_table const& driver, abi::CUfunction function, kernel_launch& launch) {
    using namespace abi;
    auto const ask = [&](CUfunction_attribute which, int& value) {
        int answer = 0;
        if (driver.FuncGetAttribute(&answer, which, function) == CUDA_SUCCESS) value = answer;
    };
    ask(CU_FUNC_ATTRIBUTE_NUM_REGS, launch.registers);
    ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, launch.static_shared);
    ask(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, launch.local);
    ask(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, launch.max_dynamic_shared);
    ask(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, launch.preferred_carveout);
    ask(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, launch.cluster_policy);
    unsigned long long id = 0;
    if (driver.CtxGetId != nullptr && driver.CtxGetId(launch.context, &id) == CUDA_SUCCESS)
        launch.context_id = static_cast<long long>(id);
    if (driver.StreamGetId != nullptr && driver.StreamGetId(launch.stream, &id) == CUDA_SUCCESS)
        launch.stream_id = static_cast<long long>(id);

    CUlaunchAttribute cluster;
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {launch.cluster[0], launch.cluster[1], launch.cluster[2]};
    bool const clusters = launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > 1;
    CUlaunchConfig config;
    config.gridDimX = launch.grid[0];
    config.gridDimY = launch.grid[1];
    config.gridDimZ = launch.grid[2];
    config.blockDimX = launch.block[0];
    config.blockDimY = launch.block[1];
    config.blockDimZ = launch.block[2];
    config.sharedMemBytes = static_cast<unsigned>(launch.dynamic_shared);
    config.hStream = launch.stream;
    config.attrs = clusters ? &cluster : nullptr;
    config.numAttrs = clusters ? 1 : 0;
    int count = 0;
    if (driver.OccupancyMaxPotentialClusterSize != nullptr &&
        driver.OccupancyMaxPotentialClusterSize(&count, function, &config) == CUDA_SUCCESS)
        launch.largest_cluster = count;
    if (clusters && driver.OccupancyMaxActiveClusters != nullptr &&
        driver.OccupancyMaxActiveClusters(&count, function, &config) == CUDA_SUCCESS)
        launch.active_clusters = count;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_LAUNCH_FACTS_HPP
