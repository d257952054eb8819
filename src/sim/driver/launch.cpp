// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../code/kernel.hpp"
#include "../code/launch_limits.hpp"
#include "kernel.hpp"
#include "occupancy.hpp"
#include "run.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Keys of `extra`, as cuda.h has them: CU_LAUNCH_PARAM_BUFFER_POINTER and ..._SIZE.
static constexpr std::uintptr_t launch_param_buffer_pointer = 1;
static constexpr std::uintptr_t launch_param_buffer_size = 2;

namespace detail {

CUresult gather_parameters(sim::kernel const& kernel, void** params, void** extra, std::vector<std::byte>& parameters) {
    parameters.assign(kernel.parameter_bytes, std::byte{});
    if (params != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (extra != nullptr) {
        void const* buffer = nullptr;
        std::size_t const* size = nullptr;
        for (std::size_t i = 0; extra[i] != nullptr; i += 2) {
            auto const key = reinterpret_cast<std::uintptr_t>(extra[i]);
            if (key == launch_param_buffer_pointer) buffer = extra[i + 1];
            else if (key == launch_param_buffer_size) size = static_cast<std::size_t const*>(extra[i + 1]);
            else return CUDA_ERROR_INVALID_VALUE;
        }
        if (parameters.empty()) return CUDA_SUCCESS;
        if (buffer == nullptr || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
        std::memcpy(parameters.data(), buffer, (std::min)(*size, parameters.size())); // a short one is accepted
        return CUDA_SUCCESS;
    }
    if (params == nullptr) return parameters.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        if (params[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
        std::memcpy(parameters.data() + kernel.parameters[i].offset, params[i], kernel.parameters[i].bytes);
    }
    return CUDA_SUCCESS;
}

} // namespace detail

static CUresult enqueue_kernel(call& in, kernel_operation launch, CUstream stream, void** params, void** extra) {
    function_state const* const function = find_function(in, launch.function);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    sim::kernel const& kernel = *function->code;
    if (launch.cluster == extent3{0, 0, 0}) launch.cluster = function->required_cluster;
    if (CUresult const status = detail::gather_parameters(kernel, params, extra, launch.parameters))
        return refuse(in, status, launch_failure::invalid_configuration, kernel.name,
                      "the kernel takes " + std::to_string(kernel.parameters.size()) + " parameters, " +
                          std::to_string(kernel.parameter_bytes) + " bytes, which the call does not give");
    if (find_stream(in, stream) == nullptr)
        return refuse(in, CUDA_ERROR_INVALID_HANDLE, launch_failure::invalid_configuration, kernel.name,
                      "the stream is none of this context");
    return enqueue(in, stream, std::move(launch));
}

CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** params,
                       void** extra) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    return enqueue_kernel(in, {function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, false, {}},
                          stream, params, extra);
}

CUresult launch_cooperative_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** params) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    return enqueue_kernel(in, {function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, true, {}},
                          stream, params, nullptr);
}

// The blocks of a cluster that a launch asks for; zeros where it asks for none. The last attribute counts.
static extent3 cluster_of(CUlaunchConfig const& config) noexcept {
    extent3 cluster{0, 0, 0};
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (auto const& asked = config.attrs[i]; asked.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            cluster = {asked.value.clusterDim.x, asked.value.clusterDim.y, asked.value.clusterDim.z};
    return cluster;
}

CUresult launch_kernel_ex(CUlaunchConfig const* config, CUfunction function, void** params, void** extra) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    bool cooperative = false;
    extent3 const cluster = cluster_of(*config);
    auto const unsupported = [&](char const* feature) {
        function_state const* const named = find_function(in, function);
        if (named == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        return refuse(in, CUDA_ERROR_NOT_SUPPORTED, launch_failure::unsupported, named->code->name, feature);
    };
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        CUlaunchAttribute const& attribute = config->attrs[i];
        auto const& value = attribute.value;
        switch (attribute.id) {
            case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: cooperative = value.cooperative != 0; break;
            case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
            case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
            case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
                return unsupported("launch attributes with events, and nodes that kernels update");
            default: break;
        }
    }
    return enqueue_kernel(in,
                          {function,
                           {config->gridDimX, config->gridDimY, config->gridDimZ},
                           {config->blockDimX, config->blockDimY, config->blockDimZ},
                           config->sharedMemBytes,
                           cooperative,
                           {},
                           cluster},
                          config->hStream, params, extra);
}

CUresult launch_host_func(CUstream stream, CUhostFn function, void* user_data) {
    auto in = enter_context();
    return in.ready() ? enqueue(in, stream, host_operation{function, user_data}) : in.status;
}

CUresult occupancy_max_active_blocks_per_multiprocessor_with_flags(int* blocks, CUfunction function, int block_size,
                                                                   std::size_t shared, unsigned flags) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (blocks == nullptr || block_size <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *blocks = resident_blocks(*in.context->chip, demand_of(*in.context->chip, *found->code, found->max_dynamic_shared),
                              block_size, shared);
    return CUDA_SUCCESS;
}

// Clusters of so many blocks that are resident at once. A cluster's blocks are on one GPC.
static int active_clusters(chip_model const& chip, function_state const& function, CUlaunchConfig const& config,
                           std::uint64_t size) noexcept {
    std::uint64_t const threads = extent3{config.blockDimX, config.blockDimY, config.blockDimZ}.count();
    if (threads == 0 || threads > most_block_threads) return 0;
    kernel_demand const demand = demand_of(chip, *function.code, function.max_dynamic_shared);
    int const blocks = resident_blocks(chip, demand, static_cast<int>(threads), config.sharedMemBytes);
    int const gpcs = chip.count(hardware_unit::gpc), sms = chip.count(hardware_unit::sm);
    int clusters = 0;
    for (int gpc = 0; gpc < gpcs; ++gpc) // as even as it goes
        clusters += (sms * (gpc + 1) / gpcs - sms * gpc / gpcs) * blocks / static_cast<int>(size);
    return clusters;
}

CUresult occupancy_max_active_clusters(int* clusters, CUfunction function, CUlaunchConfig const* config) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (clusters == nullptr || config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!in.context->chip->has_clusters) return CUDA_ERROR_NOT_SUPPORTED;
    extent3 const asked = cluster_of(*config);
    extent3 const cluster = asked == extent3{0, 0, 0} ? found->required_cluster : asked;
    if (!misfit_of_cluster(*found, {config->gridDimX, config->gridDimY, config->gridDimZ}, cluster).empty() ||
        cluster.count() == 0)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    *clusters = active_clusters(*in.context->chip, *found, *config, cluster.count());
    return CUDA_SUCCESS;
}

CUresult occupancy_max_potential_cluster_size(int* blocks, CUfunction function, CUlaunchConfig const* config) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (blocks == nullptr || config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!in.context->chip->has_clusters) return CUDA_ERROR_NOT_SUPPORTED;
    std::uint64_t size = found->required_cluster.count();
    if (size == 0) {
        size = found->may_exceed_portable_cluster ? largest_cluster : portable_cluster;
        while (size > 1 && active_clusters(*in.context->chip, *found, *config, size) == 0) size /= 2;
    }
    *blocks = static_cast<int>(size);
    return CUDA_SUCCESS;
}

CUresult occupancy_max_active_blocks_per_multiprocessor(int* blocks, CUfunction function, int block_size,
                                                        std::size_t shared) {
    return occupancy_max_active_blocks_per_multiprocessor_with_flags(blocks, function, block_size, shared,
                                                                     CU_OCCUPANCY_DEFAULT);
}

CUresult occupancy_max_potential_block_size_with_flags(int* min_grid, int* block_size, CUfunction function,
                                                       CUoccupancyB2DSize block_to_shared, std::size_t shared,
                                                       int limit, unsigned flags) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (min_grid == nullptr || block_size == nullptr || limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    chip_model const& chip = *in.context->chip;
    kernel_demand const demand = demand_of(chip, *found->code, found->max_dynamic_shared);
    in.held.unlock(); // block_to_shared is the application's

    int const most = limit == 0 ? demand.max_threads : (std::min)(limit, demand.max_threads);
    int best = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        int const blocks =
            resident_blocks(chip, demand, threads, block_to_shared != nullptr ? block_to_shared(threads) : shared);
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *block_size = threads;
        *min_grid = blocks * chip.count(hardware_unit::sm);
    }
    return best > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult occupancy_max_potential_block_size(int* min_grid, int* block_size, CUfunction function,
                                            CUoccupancyB2DSize block_to_shared, std::size_t shared, int limit) {
    return occupancy_max_potential_block_size_with_flags(min_grid, block_size, function, block_to_shared, shared, limit,
                                                         CU_OCCUPANCY_DEFAULT);
}

CUresult occupancy_available_dynamic_smem_per_block(std::size_t* bytes, CUfunction function, int blocks,
                                                    int block_size) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (bytes == nullptr || blocks <= 0 || block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    chip_model const& chip = *in.context->chip;
    kernel_demand const demand = demand_of(chip, *found->code, found->max_dynamic_shared);
    if (resident_blocks(chip, demand, block_size, 0) < blocks) return CUDA_ERROR_INVALID_VALUE;
    std::size_t const unit = chip.shared.unit;
    std::size_t const share = chip.shared_bytes_per_sm / static_cast<std::size_t>(blocks) / unit * unit;
    *bytes = (std::min)(share > demand.static_shared ? share - demand.static_shared : 0, demand.max_dynamic_shared);
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
