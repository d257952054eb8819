// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "../image/ptx_target.hpp"
#include "occupancy.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

std::optional<int> attribute_of(chip_model const& chip, function_state const& function,
                                CUfunction_attribute attribute) {
    sim::kernel const& kernel = *function.code;
    kernel_demand const demand = demand_of(chip, kernel, function.max_dynamic_shared);
    auto const capability = chip.capability();
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return demand.max_threads;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return static_cast<int>(kernel.static_shared_bytes);
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: return static_cast<int>(kernel.constant_bytes);
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: return static_cast<int>(kernel.local_bytes);
        case CU_FUNC_ATTRIBUTE_NUM_REGS: return demand.registers;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION: return image::target_number(kernel.source->target);
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return capability.generation * 10 + capability.revision;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return function.max_dynamic_shared;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return function.carveout;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: return kernel.bounds.explicit_cluster ? 1 : 0;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: return static_cast<int>(function.required_cluster.x);
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: return static_cast<int>(function.required_cluster.y);
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: return static_cast<int>(function.required_cluster.z);
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: return function.may_exceed_portable_cluster ? 1 : 0;
        default:
            if (attribute < 0 || attribute > CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
                return std::nullopt;
            return 0;
    }
}

CUresult func_get_attribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    auto const known = attribute_of(*in.context->chip, *found, attribute);
    if (!known) return CUDA_ERROR_INVALID_VALUE;
    *value = *known;
    return CUDA_SUCCESS;
}

CUresult func_set_attribute(CUfunction function, CUfunction_attribute attribute, int value) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    function_state* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            if (value < 0 || static_cast<std::size_t>(value) + found->code->static_shared_bytes >
                                 in.context->chip->shared_bytes_per_cta)
                return CUDA_ERROR_INVALID_VALUE;
            found->max_dynamic_shared = value;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            if (value < CU_SHAREDMEM_CARVEOUT_DEFAULT || value > CU_SHAREDMEM_CARVEOUT_MAX_SHARED)
                return CUDA_ERROR_INVALID_VALUE;
            found->carveout = value;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            if (value != 0 && value != 1) return CUDA_ERROR_INVALID_VALUE;
            found->may_exceed_portable_cluster = value != 0;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
            // A kernel that says itself how large its clusters are keeps that.
            if (value < 0 || found->code->bounds.required_cluster[0] != 0) return CUDA_ERROR_INVALID_VALUE;
            extent3& required = found->required_cluster;
            auto const blocks = static_cast<std::uint32_t>(value);
            if (required.x == 0) required = {};
            (attribute == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH    ? required.x
             : attribute == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT ? required.y
                                                                      : required.z) = blocks;
            return CUDA_SUCCESS;
        }
        case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: return CUDA_SUCCESS;
        default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult func_set_cache_config(CUfunction function, CUfunc_cache config) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (config > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
    return in.driver.functions.find(function) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult func_get_name(char const** name, CUfunction function) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *name = found->code->name.c_str();
    return CUDA_SUCCESS;
}

CUresult func_get_param_info(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    function_state const* const found = in.driver.functions.find(function);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    auto const& parameters = found->code->parameters;
    if (offset == nullptr || index >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = parameters[index].offset;
    if (bytes != nullptr) *bytes = parameters[index].bytes;
    return CUDA_SUCCESS;
}

CUresult kernel_get_function(CUfunction* function, CUkernel kernel) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    auto const handle = reinterpret_cast<CUfunction>(kernel);
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (in.driver.functions.find(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *function = handle;
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
