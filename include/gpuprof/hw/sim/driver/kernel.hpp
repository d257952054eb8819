// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validates a kernel launch, runs it, and turns what went wrong into the driver's errors. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_KERNEL_HPP
#define GPUPROF_HW_SIM_DRIVER_KERNEL_HPP

#include <algorithm>   // std::max
#include <cstdio>      // where a kernel's printf goes
#include <string_view> // printed text
#include <thread>      // how many there are
#include <utility>     // std::move

#include "counters.hpp"
#include "occupancy.hpp"
#include "operation.hpp"
#include "state.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The status a context is lost with. Where hardware would hang, the step budget stands for its watchdog.
[[nodiscard]] constexpr CUresult status_of(launch_failure kind) noexcept {
    switch (kind) {
        case launch_failure::invalid_configuration: return CUDA_ERROR_INVALID_VALUE;
        case launch_failure::unsupported: return CUDA_ERROR_NOT_SUPPORTED;
        case launch_failure::illegal_address: return CUDA_ERROR_ILLEGAL_ADDRESS;
        case launch_failure::misaligned_address: return CUDA_ERROR_MISALIGNED_ADDRESS;
        case launch_failure::invalid_instruction: return CUDA_ERROR_ILLEGAL_INSTRUCTION;
        case launch_failure::stack_overflow: return CUDA_ERROR_HARDWARE_STACK_ERROR;
        case launch_failure::deadlock:
        case launch_failure::step_budget: return CUDA_ERROR_LAUNCH_TIMEOUT;
        case launch_failure::assertion: return CUDA_ERROR_ASSERT;
        case launch_failure::divergent_barrier:
        case launch_failure::trap: return CUDA_ERROR_LAUNCH_FAILED;
    }
    return CUDA_ERROR_LAUNCH_FAILED;
}

[[nodiscard]] inline CUresult check(call& in, kernel_operation const& launch) {
    function_state const* const function = in.driver.functions.find(launch.function);
    if (function == nullptr || function->context != in.context->handle) return CUDA_ERROR_INVALID_HANDLE;
    sim::kernel const& kernel = *function->code;
    chip_model const& chip = *in.context->chip;
    extent3 const &grid = launch.grid, &block = launch.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
        return CUDA_ERROR_INVALID_VALUE;
    if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > 1024 || block.y > 1024 || block.z > 64 ||
        block.count() > 1024)
        return CUDA_ERROR_INVALID_VALUE;
    auto const& required = kernel.bounds.required_threads;
    if (required[0] != 0 && !(block == extent3{required[0], required[1], required[2]})) return CUDA_ERROR_INVALID_VALUE;
    if (launch.dynamic_shared_bytes > static_cast<std::uint32_t>(function->max_dynamic_shared))
        return CUDA_ERROR_INVALID_VALUE;
    auto const& most = kernel.bounds.max_threads;
    if (most[0] != 0 && block.count() > std::uint64_t{most[0]} * most[1] * most[2]) return CUDA_ERROR_INVALID_VALUE;
    if (kernel.fault) {
        launch_error why;
        why.kind = launch_failure::unsupported;
        why.kernel = kernel.name;
        why.detail = kernel.fault->message();
        in.context->failure = std::move(why);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    int const threads = static_cast<int>(block.count());
    int const resident = resident_blocks(chip, demand_of(chip, kernel, function->max_dynamic_shared), threads,
                                         launch.dynamic_shared_bytes);
    if (resident == 0) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    std::uint64_t const at_once =
        static_cast<std::uint64_t>(resident) * static_cast<std::uint64_t>(chip.count(hardware_unit::sm));
    if (launch.cooperative && grid.count() > at_once) return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return CUDA_SUCCESS;
}

// A kernel that fails takes its context with it: the launch itself succeeds, every later call there returns why.
[[nodiscard]] inline outcome run(call& in, kernel_operation const& launch) {
    if (CUresult const status = check(in, launch)) return {status};
    function_state const& function = *in.driver.functions.find(launch.function);
    sim::kernel const& kernel = *function.code;
    context_state& context = *in.context;
    execution_options options;
    auto const& settings = in.driver.execution;
    options.threads = settings.threads != 0 ? settings.threads : std::max(std::thread::hardware_concurrency(), 1u);
    options.step_budget = settings.step_budget;
    options.sm_count = static_cast<unsigned>(context.chip->count(hardware_unit::sm));
    options.stack_bytes = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(context.limits[CU_LIMIT_STACK_SIZE], options.stack_bytes, 1u << 24));
    options.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };

    launch_config const config{launch.grid, launch.block, launch.dynamic_shared_bytes, launch.parameters,
                               launch.cooperative};
    auto const demand = demand_of(*context.chip, kernel, function.max_dynamic_shared);
    int const resident =
        resident_blocks(*context.chip, demand, static_cast<int>(config.block.count()), config.dynamic_shared_bytes);
    auto [result, counted] = run_counted(context, kernel, config, resident, options);
    if (!result) {
        CUresult const status = status_of(result.error->kind);
        context.failure = std::move(result.error);
        if (context.failure->kind == launch_failure::invalid_configuration) return {status};
        context.lost = status;
        gpu_registry::instance().lose(context.handle);
        return {};
    }
    gpu_registry::instance().launched(context.handle, counted, kernel.name);
    return {CUDA_SUCCESS, engine::compute, static_cast<double>(counted[raw_counter::gpu_time_ns])};
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_KERNEL_HPP
