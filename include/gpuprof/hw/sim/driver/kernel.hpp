// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validates a kernel launch, runs it, and turns what went wrong into the driver's errors. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_KERNEL_HPP
#define GPUPROF_HW_SIM_DRIVER_KERNEL_HPP

#include <algorithm>    // std::min, std::clamp
#include <charconv>     // the step budget
#include <cstdint>      // counts
#include <cstdio>       // where a kernel's printf goes
#include <memory>       // std::make_unique
#include <string>       // why a launch is refused
#include <string_view>  // printed text
#include <system_error> // std::errc
#include <utility>      // std::move

#include "../../machine/platform/environment.hpp"
#include "../../machine/platform/processors.hpp"
#include "checks.hpp"
#include "counters.hpp"
#include "happenings.hpp"
#include "occupancy.hpp"
#include "operation.hpp"
#include "pc_sampling_records.hpp"
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
        case launch_failure::no_such_function: return CUDA_ERROR_INVALID_HANDLE;
        case launch_failure::out_of_memory: return CUDA_ERROR_OUT_OF_MEMORY;
        case launch_failure::divergent_barrier:
        case launch_failure::trap: return CUDA_ERROR_LAUNCH_FAILED;
    }
    return CUDA_ERROR_LAUNCH_FAILED;
}

// What lies next to an address that a kernel had no right to: "4 bytes after an allocation of 4000 bytes at 0x…". Empty if
// nothing is there.
[[nodiscard]] inline std::string neighbour_of(device_memory const& memory, std::uint64_t address) {
    if (address < 4096) return "a null pointer, or an element of it";
    auto const* const freed = memory.find_freed(address);
    auto const* const extent = freed != nullptr ? freed : memory.nearest(address);
    if (extent == nullptr) return {};
    char text[160];
    auto const number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    bool const within = address >= extent->begin && address < extent->end;
    std::uint64_t const distance = address < extent->begin ? extent->begin - address
                                   : within                ? extent->end - address
                                                           : address - extent->end;
    std::snprintf(text, sizeof text, "%llu bytes %s an allocation of %llu bytes at 0x%llx", number(distance),
                  address < extent->begin ? "before"
                  : within                ? "before the end of"
                                          : "after the end of",
                  number(extent->end - extent->begin), number(extent->begin));
    return freed != nullptr ? std::string{text} + ", which was freed" : text;
}

// Keeps why the context's last launch failed; gives the status back.
inline CUresult keep_failure(call& in, CUresult status, launch_error why) {
    why.number = ++in.driver.failed_launches;
    if (why.kind == launch_failure::illegal_address && why.ptx_line != 0)
        if (std::string const beside = neighbour_of(in.context->memory, why.address); !beside.empty())
            why.detail += ", " + beside;
    if (why.ptx_line != 0) check_fault(in, why, in.context->memory.find_freed(why.address) != nullptr);
    if (in.driver.on_failure != nullptr) in.driver.on_failure(why);
    in.context->failure = std::move(why);
    return status;
}
inline CUresult refuse(call& in, CUresult status, launch_failure kind, std::string kernel, std::string detail) {
    launch_error why;
    why.kind = kind;
    why.kernel = std::move(kernel);
    why.detail = std::move(detail);
    return keep_failure(in, status, std::move(why));
}

// The function of the context with that handle; null, with the reason kept, when there is none.
[[nodiscard]] inline function_state const* find_function(call& in, CUfunction handle) {
    function_state const* const function = in.driver.functions.find(handle);
    if (function != nullptr && function->context == in.context->handle) return function;
    char const* const why = handle == nullptr ? "the function handle is null"
                            : function == nullptr
                                ? "the handle is not that of a loaded function; its module may be unloaded"
                                : "the function belongs to a module of another context";
    refuse(in, CUDA_ERROR_INVALID_HANDLE, launch_failure::no_such_function,
           function == nullptr ? std::string{} : function->code->name, why);
    return nullptr;
}

// "(1, 2, 3)"
[[nodiscard]] inline std::string text_of(extent3 const& e) {
    return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
}

// What is wrong with a grid and a block for a kernel; empty when nothing is.
[[nodiscard]] inline std::string misfit(sim::kernel const& kernel, extent3 const& grid, extent3 const& block) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return "the grid " + text_of(grid) + " has a dimension of zero";
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
        return "the grid " + text_of(grid) + " is larger than (2147483647, 65535, 65535)";
    if (block.x == 0 || block.y == 0 || block.z == 0) return "the block " + text_of(block) + " has a dimension of zero";
    if (block.x > 1024 || block.y > 1024 || block.z > 64)
        return "the block " + text_of(block) + " is larger than (1024, 1024, 64)";
    std::string const threads = std::to_string(block.count()) + " threads a block, ";
    if (block.count() > 1024) return threads + "the limit is 1024";
    auto const& required = kernel.bounds.required_threads;
    if (required[0] != 0 && !(block == extent3{required[0], required[1], required[2]}))
        return "the block is " + text_of(block) + ", the kernel requires " +
               text_of({required[0], required[1], required[2]}) + " (.reqntid)";
    auto const& most = kernel.bounds.max_threads;
    std::uint64_t const bound = std::uint64_t{most[0]} * most[1] * most[2];
    if (most[0] != 0 && block.count() > bound)
        return threads + "the kernel was compiled for at most " + std::to_string(bound) + " (.maxntid)";
    return {};
}

[[nodiscard]] inline CUresult check(call& in, kernel_operation const& launch) {
    function_state const* const function = find_function(in, launch.function);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    sim::kernel const& kernel = *function->code;
    chip_model const& chip = *in.context->chip;
    extent3 const& block = launch.block;
    auto const invalid = [&](CUresult status, std::string detail) {
        return refuse(in, status, launch_failure::invalid_configuration, kernel.name, std::move(detail));
    };
    if (std::string wrong = misfit(kernel, launch.grid, block); !wrong.empty())
        return invalid(CUDA_ERROR_INVALID_VALUE, std::move(wrong));
    if (launch.dynamic_shared_bytes > static_cast<std::uint32_t>(function->max_dynamic_shared))
        return invalid(
            CUDA_ERROR_INVALID_VALUE,
            std::to_string(launch.dynamic_shared_bytes) + " bytes of dynamic shared memory, the limit is " +
                std::to_string(function->max_dynamic_shared) +
                " (CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES raises it up to " +
                std::to_string(chip.shared_bytes_per_cta -
                               std::min<std::size_t>(kernel.static_shared_bytes, chip.shared_bytes_per_cta)) +
                ")");
    if (kernel.fault)
        return refuse(in, CUDA_ERROR_NOT_SUPPORTED, launch_failure::unsupported, kernel.name, kernel.fault->message());
    int const threads = static_cast<int>(block.count());
    kernel_demand const demand = demand_of(chip, kernel, function->max_dynamic_shared);
    int const resident = resident_blocks(chip, demand, threads, launch.dynamic_shared_bytes);
    if (resident == 0)
        return invalid(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                       "no block fits on an SM: " + std::to_string(threads) + " threads with about " +
                           std::to_string(demand.registers) + " registers each, " +
                           std::to_string(std::uint64_t{kernel.static_shared_bytes} + launch.dynamic_shared_bytes) +
                           " bytes of shared memory; a block may have " + std::to_string(demand.max_threads) +
                           " threads of this kernel, an SM has " + std::to_string(chip.shared_bytes_per_sm) + " bytes");
    std::uint64_t const at_once =
        static_cast<std::uint64_t>(resident) * static_cast<std::uint64_t>(chip.count(hardware_unit::sm));
    if (launch.cooperative && launch.grid.count() > at_once)
        return invalid(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                       std::to_string(launch.grid.count()) + " blocks in a cooperative launch, the limit is " +
                           std::to_string(at_once) + ": as many as are resident at once");
    return CUDA_SUCCESS;
}

// The number that a variable of the environment holds; 0 for what is no positive number.
[[nodiscard]] inline std::uint64_t positive_number(std::string const& text) noexcept {
    std::uint64_t number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? number : 0;
}
// Warp instructions, from GPUPROF_SIM_STEPS. What is no positive number counts as not set.
[[nodiscard]] inline std::uint64_t step_budget_from(std::string const& text) noexcept {
    std::uint64_t const steps = positive_number(text);
    return steps != 0 ? steps : default_step_budget;
}
// Host threads, from GPUPROF_SIM_THREADS; where that is no positive number, as many as the process may use processors.
[[nodiscard]] inline unsigned threads_from(std::string const& text) noexcept {
    constexpr std::uint64_t most = 1024;
    std::uint64_t const threads = positive_number(text);
    return threads != 0 ? static_cast<unsigned>((std::min)(threads, most)) : platform::usable_processors();
}

// A kernel that fails takes its context with it: the launch itself succeeds, every later call there returns why. Memory
// of the host that cannot be had fails the launch alone; what the kernel wrote until then stays.
[[nodiscard]] inline outcome run(call& in, kernel_operation const& launch) {
    if (CUresult const status = check(in, launch)) return {status};
    function_state const& function = *in.driver.functions.find(launch.function);
    sim::kernel const& kernel = *function.code;
    context_state& context = *in.context;
    execution_options options;
    auto const& settings = in.driver.execution;
    static unsigned const threads = threads_from(platform::variable_or_empty("GPUPROF_SIM_THREADS"));
    options.threads = settings.threads != 0 ? settings.threads : threads;
    static std::uint64_t const budget = step_budget_from(platform::variable_or_empty("GPUPROF_SIM_STEPS"));
    options.step_budget = settings.step_budget != 0 ? settings.step_budget : budget;
    options.begin = time_of_first_use +
                    static_cast<std::uint64_t>(in.driver.clocks[context.device].begin_of(engine::compute, in.earliest));
    options.sm_count = static_cast<unsigned>(context.chip->count(hardware_unit::sm));
    options.stack_bytes = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(context.limits[CU_LIMIT_STACK_SIZE], options.stack_bytes, 1u << 24));
    options.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };

    if (launch.cooperative && context.grid_workspace == 0) {
        constexpr std::uint64_t workspace_bytes = 512;
        auto const made = context.memory.allocate(workspace_bytes);
        if (!made) return {CUDA_ERROR_OUT_OF_MEMORY};
        context.grid_workspace = *made;
    }
    if (kernel.uses_heap && context.heap == nullptr) { // of the size that the limit has now, for good
        std::uint64_t const bytes = context.limits[CU_LIMIT_MALLOC_HEAP_SIZE];
        auto const made = context.memory.allocate(bytes);
        if (!made) return {CUDA_ERROR_OUT_OF_MEMORY};
        context.heap = std::make_unique<device_heap>(*made, bytes);
    }
    launch_config const config{
        launch.grid,        launch.block,         launch.dynamic_shared_bytes,
        launch.parameters,  launch.cooperative,   launch.cooperative ? context.grid_workspace : 0,
        context.heap.get(), &in.driver.conditions};
    auto const demand = demand_of(*context.chip, kernel, function.max_dynamic_shared);
    int const resident =
        resident_blocks(*context.chip, demand, static_cast<int>(config.block.count()), config.dynamic_shared_bytes);
    module_state* const module = in.driver.modules.find(function.module);
    std::uint64_t const code_number = module == nullptr ? 0 : module->code_number;
    begin_checks(in.driver, context);
    if (in.driver.cold_caches) context.empty_caches();
    auto [result, counted, waits, findings] =
        run_counted(context, kernel, config, resident, options, code_number, takes_pc_samples(context));
    for (finding& one : findings) in.driver.findings.add(std::move(one));
    if (!result) {
        launch_failure const kind = result.error->kind;
        CUresult const status = keep_failure(in, status_of(kind), *std::move(result.error));
        if (kind == launch_failure::invalid_configuration || kind == launch_failure::out_of_memory) return {status};
        context.lost = status;
        context_was_lost = true;
        gpu_registry::instance().lose(context.handle);
        return {};
    }
    gpu_registry::instance().launched(context.handle, counted, kernel.name);
    if (in.driver.on_end != nullptr) in.driver.on_end({kernel, config, *context.chip, counted});
    if (waits && module != nullptr && takes_pc_samples(context)) record_pc_samples(in, kernel, *module, *waits);
    return {CUDA_SUCCESS, engine::compute, static_cast<double>(counted[raw_counter::gpu_time_ns])};
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_KERNEL_HPP
