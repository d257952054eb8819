// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels and host functions, what a kernel needs, and how many of its blocks fit on an SM.
#include <cstddef>
#include <cstring>
#include <memory>

#include "runtime.hpp"

namespace gpuprof::runtime {
namespace {

// What <<<>>> becomes: the configuration is pushed, and the kernel's stub pops it and launches.
unsigned push_call_configuration(dim3 grid, dim3 block, std::size_t shared, abi::CUstream stream) {
    this_thread().settings.push({grid, block, shared, stream});
    return 0;
}
cuda_error pop_call_configuration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    if (grid == nullptr || block == nullptr || shared == nullptr || stream == nullptr)
        return keep(cudaErrorInvalidValue);
    launch_setting const* const last = this_thread().settings.pop();
    if (last == nullptr) return keep(cudaErrorMissingConfiguration);
    *grid = last->grid;
    *block = last->block;
    *shared = last->shared;
    *static_cast<abi::CUstream*>(stream) = last->stream;
    return cudaSuccess;
}

bool fits(dim3 grid, dim3 block) noexcept {
    bool const some = grid.x != 0 && grid.y != 0 && grid.z != 0 && block.x != 0 && block.y != 0 && block.z != 0;
    return some && grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535 && block.x <= 1024 && block.y <= 1024 &&
           block.z <= 64 && std::size_t{block.x} * block.y * block.z <= 1024;
}

cuda_error launch_kernel_ex(launch_config const* config, void const* kernel, void** arguments) {
    if (config == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUfunction function = nullptr;
    if (cuda_error const error = find_function(kernel, function); error != cudaSuccess) return keep(error);
    if (!fits(config->gridDim, config->blockDim)) return keep(cudaErrorInvalidConfiguration);
    if (config->dynamicSmemBytes > 0xffffffff) return keep(cudaErrorInvalidValue);
    abi::CUlaunchConfig same;
    same.gridDimX = config->gridDim.x;
    same.gridDimY = config->gridDim.y;
    same.gridDimZ = config->gridDim.z;
    same.blockDimX = config->blockDim.x;
    same.blockDimY = config->blockDim.y;
    same.blockDimZ = config->blockDim.z;
    same.sharedMemBytes = static_cast<unsigned>(config->dynamicSmemBytes);
    same.hStream = config->stream;
    same.attrs = config->attrs;
    same.numAttrs = config->numAttrs;
    return keep(driver().LaunchKernelEx(&same, function, arguments, nullptr));
}
cuda_error launch_kernel_ex_per_thread(launch_config const* config, void const* kernel, void** arguments) {
    if (config == nullptr) return keep(cudaErrorInvalidValue);
    launch_config own = *config;
    own.stream = program::with_thread_stream(own.stream);
    return launch_kernel_ex(&own, kernel, arguments);
}

cuda_error launch_kernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                         abi::CUstream stream) {
    launch_config const config{grid, block, shared, stream, nullptr, 0};
    return launch_kernel_ex(&config, kernel, arguments);
}

cuda_error launch_cooperative_kernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                     abi::CUstream stream) {
    abi::CUlaunchAttribute cooperative;
    cooperative.id = abi::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    launch_config const config{grid, block, shared, stream, &cooperative, 1};
    return launch_kernel_ex(&config, kernel, arguments);
}

cuda_error launch_host_function(abi::CUstream stream, host_work function, void* data) {
    return forward(&abi::driver_table::LaunchHostFunc, stream, function, data);
}

// What cudaStreamAddCallback was given, until it is called.
struct pending_callback {
    stream_callback function;
    abi::CUstream stream;
    void* data;
};
cuda_error add_callback(abi::CUstream stream, stream_callback function, void* data, unsigned flags) {
    if (function == nullptr || flags != 0) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    auto pending = std::make_unique<pending_callback>(pending_callback{function, stream, data});
    abi::CUhostFn const call_it = [](void* given) {
        std::unique_ptr<pending_callback> const one{static_cast<pending_callback*>(given)};
        one->function(one->stream, cudaSuccess, one->data);
    };
    abi::CUresult const status = driver().LaunchHostFunc(stream, call_it, pending.get());
    if (status == abi::CUDA_SUCCESS) static_cast<void>(pending.release());
    return keep(status);
}

// Calls that ask or set something of a kernel.
template <class... P, class... A>
cuda_error of_kernel(void const* kernel, abi::CUresult (*abi::driver_table::*call)(P...), A&&... arguments) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUfunction function = nullptr;
    if (cuda_error const error = find_function(kernel, function); error != cudaSuccess) return keep(error);
    return keep((driver().*call)(arguments(function)...));
}
template <class T>
auto given(T value) {
    return [value](abi::CUfunction) { return value; };
}
constexpr auto the_function = [](abi::CUfunction function) { return function; };

cuda_error get_attributes(function_attributes* to, void const* kernel) {
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    abi::CUfunction function = nullptr;
    if (cuda_error const error = find_function(kernel, function); error != cudaSuccess) return keep(error);
    function_attributes all{};
    auto const read = [function](abi::CUfunction_attribute which) {
        int value = 0;
        static_cast<void>(driver().FuncGetAttribute(&value, which, function));
        return value;
    };
    all.sharedSizeBytes = static_cast<std::size_t>(read(abi::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    all.constSizeBytes = static_cast<std::size_t>(read(abi::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
    all.localSizeBytes = static_cast<std::size_t>(read(abi::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    all.maxThreadsPerBlock = read(abi::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    all.numRegs = read(abi::CU_FUNC_ATTRIBUTE_NUM_REGS);
    all.ptxVersion = read(abi::CU_FUNC_ATTRIBUTE_PTX_VERSION);
    all.binaryVersion = read(abi::CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    all.maxDynamicSharedSizeBytes = read(abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    all.preferredShmemCarveout = read(abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    all.clusterDimMustBeSet = read(abi::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
    all.requiredClusterWidth = read(abi::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
    all.requiredClusterHeight = read(abi::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
    all.requiredClusterDepth = read(abi::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
    all.nonPortableClusterSizeAllowed = read(abi::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
    if (toolkit >= 12) *to = all;
    else std::memcpy(to, &all, (offsetof(function_attributes, clusterDimMustBeSet) + 7) / 8 * 8);
    return cudaSuccess;
}

cuda_error set_attribute(void const* kernel, int attribute, int value) {
    return of_kernel(kernel, &abi::driver_table::FuncSetAttribute, the_function,
                     given(static_cast<abi::CUfunction_attribute>(attribute)), given(value));
}
cuda_error set_cache_config(void const* kernel, int config) {
    return of_kernel(kernel, &abi::driver_table::FuncSetCacheConfig, the_function,
                     given(static_cast<abi::CUfunc_cache>(config)));
}
cuda_error set_shared_config(void const* kernel, int) { // banks of 4 or 8 bytes: no chip since 5.0 has a choice
    abi::CUfunction function = nullptr;
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(find_function(kernel, function));
}
cuda_error get_name(char const** name, void const* kernel) {
    return of_kernel(kernel, &abi::driver_table::FuncGetName, given(name), the_function);
}

cuda_error max_active_blocks(int* blocks, void const* kernel, int block_size, std::size_t shared) {
    return of_kernel(kernel, &abi::driver_table::OccupancyMaxActiveBlocksPerMultiprocessor, given(blocks), the_function,
                     given(block_size), given(shared));
}
cuda_error max_active_blocks_with_flags(int* blocks, void const* kernel, int block_size, std::size_t shared,
                                        unsigned flags) {
    return of_kernel(kernel, &abi::driver_table::OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, given(blocks),
                     the_function, given(block_size), given(shared), given(flags));
}
cuda_error available_shared_memory(std::size_t* bytes, void const* kernel, int blocks, int block_size) {
    return of_kernel(kernel, &abi::driver_table::OccupancyAvailableDynamicSMemPerBlock, given(bytes), the_function,
                     given(blocks), given(block_size));
}

cuda_error profiler_start() { return forward(&abi::driver_table::ProfilerStart); }
cuda_error profiler_stop() { return forward(&abi::driver_table::ProfilerStop); }

} // namespace

std::span<call const> launch_calls() {
    static call const calls[]{
        call::of<&push_call_configuration>("__cudaPushCallConfiguration"),
        call::of<&pop_call_configuration>("__cudaPopCallConfiguration"),
        call::of<&launch_kernel>("__cudaLaunchKernel"),
        call::of<&launch_kernel>("cudaLaunchKernel"),
        call::of<&launch_kernel_ex, &launch_kernel_ex_per_thread>("cudaLaunchKernelExC"),
        call::of<&launch_cooperative_kernel>("cudaLaunchCooperativeKernel"),
        call::of<&launch_host_function>("cudaLaunchHostFunc"),
        call::of<&add_callback>("cudaStreamAddCallback"),
        call::of<&get_attributes>("cudaFuncGetAttributes"),
        call::of<&set_attribute>("cudaFuncSetAttribute"),
        call::of<&set_cache_config>("cudaFuncSetCacheConfig"),
        call::of<&set_shared_config>("cudaFuncSetSharedMemConfig"),
        call::of<&get_name>("cudaFuncGetName"),
        call::of<&max_active_blocks>("cudaOccupancyMaxActiveBlocksPerMultiprocessor"),
        call::of<&max_active_blocks_with_flags>("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"),
        call::of<&available_shared_memory>("cudaOccupancyAvailableDynamicSMemPerBlock"),
        call::of<&profiler_start>("cudaProfilerStart"),
        call::of<&profiler_stop>("cudaProfilerStop")};
    return calls;
}

} // namespace gpuprof::runtime
