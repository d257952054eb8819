// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/processors.hpp>

#include "../code/device_heap.hpp"
#include "../code/launch_limits.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/host_clock.hpp"
#include "checks.hpp"
#include "counters.hpp"
#include "graph_launches.hpp"
#include "grid_tree.hpp"
#include "kernel_end.hpp"
#include "launch_pool.hpp"
#include "resource_callbacks.hpp"
#include "occupancy.hpp"
#include "pc_sampling_records.hpp"
#include "peer.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The status that later calls in a lost context return. The step budget stands for the watchdog of
// hardware that hangs. A stack that is too small ends in addresses beyond it on an H200.
static constexpr CUresult status_of_failure(launch_failure kind) noexcept {
    switch (kind) {
        case launch_failure::invalid_configuration: return CUDA_ERROR_INVALID_VALUE;
        case launch_failure::unsupported: return CUDA_ERROR_NOT_SUPPORTED;
        case launch_failure::illegal_address:
        case launch_failure::stack_overflow: return CUDA_ERROR_ILLEGAL_ADDRESS;
        case launch_failure::misaligned_address: return CUDA_ERROR_MISALIGNED_ADDRESS;
        case launch_failure::invalid_instruction: return CUDA_ERROR_ILLEGAL_INSTRUCTION;
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

// Describes an address that a kernel may not access by what lies next to it: "4 bytes after the end
// of an allocation of 4000 bytes at 0x…". Empty if nothing is there.
static std::string neighbour_of(device_memory const& memory, std::uint64_t address) {
    if (address < 4096) return "a null pointer, or an element of it";
    auto const* const freed = memory.find_freed(address);
    auto const* const extent = freed != nullptr ? freed : memory.nearest(address);
    if (extent == nullptr) return {};
    bool const before = address < extent->begin;
    bool const within = !before && address < extent->end;
    std::uint64_t const distance = before   ? extent->begin - address
                                   : within ? extent->end - address
                                            : address - extent->end;
    char const* const side = before ? "before" : within ? "before the end of" : "after the end of";
    std::string const text = std::to_string(distance) + " bytes " + side + " an allocation of " +
                             std::to_string(extent->end - extent->begin) + " bytes at " + hexadecimal(extent->begin);
    return freed != nullptr ? text + ", which was freed" : text;
}

// Keeps why the context's last launch failed; returns the status.
static CUresult keep_failure(call& in, CUresult status, launch_error why) {
    why.number = ++in.driver.failed_launches;
    if (why.kind == launch_failure::illegal_address && why.ptx_line != 0) {
        context_state const* const owner = context_of(in, {why.address, 0, true});
        bool const of_peer = owner != in.context;
        std::string const beside = of_peer
                                       ? "memory of device " + std::to_string(owner->device) + ", to which device " +
                                             std::to_string(in.context->device) + " has no peer access"
                                       : neighbour_of(in.context->memory, why.address);
        if (!beside.empty()) why.detail += ", " + beside;
    }
    if (why.ptx_line != 0) check_fault(in, why, in.context->memory.find_freed(why.address) != nullptr);
    if (in.driver.on_failure != nullptr) in.driver.on_failure(why);
    in.context->failure = std::move(why);
    return status;
}

CUresult refuse(call& in, CUresult status, launch_failure kind, std::string kernel, std::string detail) {
    launch_error why;
    why.kind = kind;
    why.kernel = std::move(kernel);
    why.detail = std::move(detail);
    return keep_failure(in, status, std::move(why));
}

function_state const* find_function(call& in, CUfunction handle) {
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

// What is wrong with a grid and a block for a kernel; empty when nothing is.
static std::string misfit_for(sim::kernel const& kernel, extent3 const& grid, extent3 const& block) {
    if (std::string wrong = misfit(grid, block); !wrong.empty()) return wrong;
    auto const& required = kernel.bounds.required_threads;
    extent3 const required_block{required[0], required[1], required[2]};
    if (required[0] != 0 && !(block == required_block))
        return "the block is " + text_of(block) + ", the kernel requires " + text_of(required_block) + " (.reqntid)";
    auto const& most = kernel.bounds.max_threads;
    std::uint64_t const bound = std::uint64_t{most[0]} * most[1] * most[2];
    if (most[0] != 0 && block.count() > bound)
        return std::to_string(block.count()) + " threads a block, the kernel was compiled for at most " +
               std::to_string(bound) + " (.maxntid)";
    return {};
}

std::string misfit_of_cluster(function_state const& function, extent3 const& grid, extent3 const& cluster) {
    extent3 const& required = function.required_cluster;
    if (cluster == extent3{0, 0, 0})
        return function.code->bounds.explicit_cluster
                   ? "the kernel requires clusters, and the launch does not say of how many blocks"
                   : std::string{};
    if (required.x != 0 && !(cluster == required))
        return "the cluster is " + text_of(cluster) + ", the kernel requires " + text_of(required) +
               " (.reqnctapercluster)";
    std::string wrong =
        cluster_misfit(grid, cluster, function.may_exceed_portable_cluster ? largest_cluster : portable_cluster);
    if (!wrong.empty() && cluster.count() > portable_cluster && cluster.count() <= largest_cluster)
        wrong += " (CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED raises it to " +
                 std::to_string(largest_cluster) + ")";
    return wrong;
}

CUresult check(call& in, kernel_operation const& launch) {
    function_state const* const function = find_function(in, launch.function);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    sim::kernel const& kernel = *function->code;
    chip_model const& chip = *in.context->chip;
    auto const invalid = [&](CUresult status, std::string detail) {
        return refuse(in, status, launch_failure::invalid_configuration, kernel.name, std::move(detail));
    };
    if (std::string wrong = misfit_for(kernel, launch.grid, launch.block); !wrong.empty())
        return invalid(CUDA_ERROR_INVALID_VALUE, std::move(wrong));
    if (launch.cluster.count() > 1 && !chip.has_clusters)
        return refuse(in, CUDA_ERROR_NOT_SUPPORTED, launch_failure::unsupported, kernel.name,
                      "clusters of blocks, which chips have from capability 9.0 on");
    if (std::string wrong = misfit_of_cluster(*function, launch.grid, launch.cluster); !wrong.empty())
        return invalid(CUDA_ERROR_INVALID_CLUSTER_SIZE, std::move(wrong));
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
    int const threads = static_cast<int>(launch.block.count());
    kernel_demand const demand = demand_of(chip, kernel, function->max_dynamic_shared);
    int const resident = resident_blocks(chip, demand, threads, launch.dynamic_shared_bytes);
    if (resident == 0)
        return invalid(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                       "no block fits on an SM: " + std::to_string(threads) + " threads, " +
                           std::to_string(std::uint64_t{kernel.static_shared_bytes} + launch.dynamic_shared_bytes) +
                           " bytes of shared memory; a block may have " + std::to_string(demand.bound_threads) +
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
static std::uint64_t positive_number(std::string const& text) noexcept {
    std::uint64_t number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? number : 0;
}

std::uint64_t step_budget_from(std::string const& text) noexcept {
    std::uint64_t const steps = positive_number(text);
    return steps != 0 ? steps : default_step_budget;
}

// The number of host threads that GPUPROF_SIM_THREADS asks for; without one, the number of
// processors that the process may use.
static unsigned host_threads_from(std::string const& text) noexcept {
    constexpr std::uint64_t most = 1024;
    std::uint64_t const threads = positive_number(text);
    return threads != 0 ? static_cast<unsigned>((std::min)(threads, most)) : platform::usable_processors();
}

unsigned host_threads(call const& in) {
    static unsigned const default_threads = host_threads_from(platform::variable_or_empty("GPUPROF_SIM_THREADS"));
    return in.driver.execution.threads != 0 ? in.driver.execution.threads : default_threads;
}

// How a kernel runs in the context. Settings that the application did not choose come from the
// environment, which is read once.
static execution_options options_of(call const& in) {
    static std::uint64_t const default_budget = step_budget_from(platform::variable_or_empty("GPUPROF_SIM_STEPS"));
    context_state const& context = *in.context;
    execution_settings const& settings = in.driver.execution;
    execution_options options;
    options.threads = host_threads(in);
    options.step_budget = settings.step_budget != 0 ? settings.step_budget : default_budget;
    options.begin = time_of_first_use +
                    static_cast<std::uint64_t>(in.driver.clocks[context.device].begin_of(engine::compute, in.earliest));
    options.sm_count = static_cast<unsigned>(context.chip->count(hardware_unit::sm));
    options.stack_bytes = static_cast<std::uint32_t>(context.limits[CU_LIMIT_STACK_SIZE]);
    options.progress = in.driver.on_progress;
    options.print = [progress = options.progress](std::string_view text) {
        if (progress != nullptr) progress(0, 0);
        std::fwrite(text.data(), 1, text.size(), stdout);
    };
    return options;
}

// Allocates what the kernel needs and the context does not have yet: the workspace of cooperative
// launches, the heap, which keeps the size that the limit has now, and what launches of kernels take.
// False if memory is exhausted.
static bool ready_memory(context_state& context, sim::kernel const& kernel, bool cooperative) {
    if (cooperative && context.grid_workspace == 0) {
        constexpr std::uint64_t workspace_bytes = 512;
        auto const workspace = context.memory.allocate(workspace_bytes);
        if (!workspace) return false;
        context.grid_workspace = *workspace;
    }
    if (kernel.uses_heap && context.heap == nullptr) {
        std::uint64_t const bytes = context.limits[CU_LIMIT_MALLOC_HEAP_SIZE];
        auto const heap = context.memory.allocate(bytes);
        if (!heap) return false;
        context.heap = std::make_unique<device_heap>(*heap, bytes);
    }
    return !kernel.uses_device_runtime || launch_pool::ready(context);
}

static void lose(context_state& context, CUresult status) {
    context.lost = status;
    context_was_lost = true;
    shared().registry.lose(context.handle);
}

// Reports the result of a launch: findings, and counters and samples or its failure.
// @param module null if it is unloaded
static outcome settle_launch(call& in, sim::kernel const& kernel, launch_config const& config, module_state* module,
                             counted_launch launch) {
    context_state& context = *in.context;
    for (finding& found : launch.findings) in.driver.findings.add(std::move(found));
    if (!launch.result) {
        launch_failure const kind = launch.result.error->kind;
        CUresult const status = keep_failure(in, status_of_failure(kind), *std::move(launch.result.error));
        if (kind == launch_failure::invalid_configuration || kind == launch_failure::out_of_memory) return {status};
        lose(context, status);
        return {};
    }
    if (in.driver.on_end != nullptr) in.driver.on_end({kernel, config, *context.chip, launch.counted, launch.time});
    if (launch.waits && module != nullptr && takes_pc_samples(context))
        record_pc_samples(in, kernel, *module, *launch.waits);
    return {CUDA_SUCCESS, engine::compute, static_cast<double>(launch.counted[raw_counter::gpu_time_ns])};
}

outcome run_one(call& in, kernel_operation const& launch, device_runtime* runtime, counter_values& counted) {
    function_state const& function = *in.driver.functions.find(launch.function);
    sim::kernel const& kernel = *function.code;
    context_state& context = *in.context;
    execution_options options = options_of(in);
    if (!ready_memory(context, kernel, launch.cooperative)) return {CUDA_ERROR_OUT_OF_MEMORY};
    std::uint64_t const graph = in.graph == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(in.graph->graph);
    launch_config const config{launch.grid,
                               launch.block,
                               launch.dynamic_shared_bytes,
                               launch.parameters,
                               launch.cooperative,
                               launch.cooperative ? context.grid_workspace : 0,
                               context.heap.get(),
                               &in.driver.conditions,
                               launch.cluster,
                               graph,
                               runtime};
    auto const demand = demand_of(*context.chip, kernel, function.max_dynamic_shared);
    int const resident =
        resident_blocks(*context.chip, demand, static_cast<int>(config.block.count()), config.dynamic_shared_bytes);
    options.resident_ctas = std::uint64_t{static_cast<unsigned>(resident)} * options.sm_count;
    module_state* const module = in.driver.modules.find(function.module);
    std::uint64_t const code_number = module == nullptr ? 0 : module->code_number;
    auto launched = run_counted(context, kernel, config, resident, options, code_number, takes_pc_samples(context));
    if (options.progress != nullptr) options.progress(config.grid.count(), config.grid.count());
    trust_peers(in);
    counted += launched.counted;
    return settle_launch(in, kernel, config, module, std::move(launched));
}

// The counters of a kernel have what it launched in them, as CUPTI counts.
outcome run(call& in, kernel_operation const& launch) {
    if (CUresult const status = check(in, launch)) return {status};
    context_state& context = *in.context;
    sim::kernel const& kernel = *in.driver.functions.find(launch.function)->code;
    begin_checks(in.driver, context);
    if (in.driver.cold_caches) context.empty_caches();
    counter_values counted;
    if (!kernel.uses_device_runtime) {
        outcome const done = run_one(in, launch, nullptr, counted);
        if (done.status == CUDA_SUCCESS && context.lost == CUDA_SUCCESS)
            shared().registry.launched(context.handle, counted, kernel.name);
        return done;
    }
    if (!ready_memory(context, kernel, launch.cooperative)) return {CUDA_ERROR_OUT_OF_MEMORY};
    outcome done = grid_tree{in}.run(launch, counted);
    if (done.launched_kernels && done.status != CUDA_SUCCESS && context.lost == CUDA_SUCCESS) {
        lose(context, done.status); // of a kernel that the host did not launch, it hears later
        done = {};
    }
    if (done.status == CUDA_SUCCESS && context.lost == CUDA_SUCCESS)
        shared().registry.launched(context.handle, counted, kernel.name);
    return done;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
