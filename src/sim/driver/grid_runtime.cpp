// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_runtime.hpp"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "../check/memory_shadow.hpp"
#include "../code/launch_limits.hpp"
#include "device.hpp"
#include "function.hpp"
#include "graph_launches.hpp"
#include "kernel.hpp"
#include "module.hpp"
#include "occupancy.hpp"
#include "state.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Streams that every grid has by number: the default streams up to 2, and two that CUDA 12 brought.
static constexpr std::uint64_t tail_launch_stream = 3;
static constexpr std::uint64_t fire_and_forget_stream = 4;
static constexpr std::uint64_t first_handle = 0x1'0000'0000; // of streams and events that kernels create

static constexpr std::uint64_t non_blocking_stream = 1; // cudaStreamNonBlocking
static constexpr std::uint64_t event_without_time = 2;  // cudaEventDisableTiming

static extent3 extent_of(std::uint64_t first, std::uint64_t second) noexcept {
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
            static_cast<std::uint32_t>(second)};
}

static device_error write(runtime_answer& answer, std::uint64_t to, std::uint64_t value, unsigned bytes) {
    answer.writes.push_back({to, value, bytes});
    return device_error::none;
}

sim::kernel const* grid_runtime::kernel_at(std::uint64_t address) const {
    return in_.driver.modules.find(module_)->code.kernel_at(address);
}

bool grid_runtime::is_stream(std::uint64_t handle) const {
    return handle <= fire_and_forget_stream || streams_.contains(handle);
}

// As for launches by the host. What the embedded GPU cannot run is found when it is to run.
device_error grid_runtime::refusal_of(configuration const& with) {
    if (with.kernel == nullptr) return device_error::invalid_device_function;
    if (!misfit(with.grid, with.block).empty()) return device_error::invalid_configuration;
    if (with.kernel->fault) return device_error::none;
    function_state const& function = function_of(in_, module_, *with.kernel);
    kernel_operation const wanted{function.handle,          with.grid, with.block, with.shared, false, {},
                                  function.required_cluster};
    switch (check(in_, wanted)) {
        case CUDA_SUCCESS: return device_error::none;
        case CUDA_ERROR_INVALID_VALUE: return device_error::invalid_configuration;
        case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: return device_error::out_of_resources;
        case CUDA_ERROR_INVALID_CLUSTER_SIZE: return device_error::invalid_cluster_size;
        default: return device_error::unknown;
    }
}

device_error grid_runtime::take_buffer(std::uint64_t bytes, configuration const& with, runtime_answer& answer) {
    if (bytes > launch_pool::most_parameters) return device_error::invalid_value;
    answer.value = pool_.take(bytes);
    if (answer.value == 0) return device_error::pending_count_exceeded;
    prepared_[answer.value] = with;
    return device_error::none;
}

void grid_runtime::add(operation work, std::uint64_t place, std::uint64_t stream, runtime_thread const& from) {
    auto& queue = stream == tail_launch_stream ? launches_.tails : launches_.children;
    queue.push_back({std::move(work), place, from.cta});
}

// Parameters are what the buffer holds now, as for the host.
device_error grid_runtime::launch_with(configuration const& with, std::uint64_t buffer, std::uint64_t stream,
                                       runtime_thread const& from) {
    std::vector<std::byte> parameters(with.kernel->parameter_bytes);
    if (!parameters.empty()) {
        std::byte const* const bytes = in_.context->memory.translate(buffer, parameters.size());
        if (bytes == nullptr) return device_error::invalid_value;
        std::memcpy(parameters.data(), bytes, parameters.size());
    }
    function_state const& function = function_of(in_, module_, *with.kernel);
    add(kernel_operation{function.handle, with.grid, with.block, with.shared, false, std::move(parameters),
                         function.required_cluster},
        buffer, stream, from);
    prepared_.erase(buffer);
    return device_error::none;
}

device_error grid_runtime::launch(std::uint64_t buffer, std::uint64_t stream, runtime_thread const& from) {
    auto const found = prepared_.find(buffer);
    if (found == prepared_.end() || found->second.kernel == nullptr) return device_error::invalid_value;
    if (!is_stream(stream)) return device_error::invalid_resource_handle;
    return launch_with(configuration{found->second}, buffer, stream, from);
}

template <class Operation>
device_error grid_runtime::enqueue(Operation const& work, std::uint64_t stream, runtime_thread const& from) {
    if (!is_stream(stream)) return device_error::invalid_resource_handle;
    if (check(in_, work) != CUDA_SUCCESS) return device_error::invalid_value;
    std::uint64_t const place = pool_.take(0);
    if (place == 0) return device_error::pending_count_exceeded;
    add(work, place, stream, from);
    return device_error::none;
}

// Only kernels of graphs launch graphs.
device_error grid_runtime::launch_graph(std::uint64_t executable, std::uint64_t stream) {
    if (in_.graph == nullptr) return device_error::not_permitted;
    auto const handle = reinterpret_cast<CUgraphExec>(static_cast<std::uintptr_t>(executable));
    graph_state const* const found = in_.driver.executables.find(handle);
    auto* const queue = in_.graph->queue_of(stream);
    if (found == nullptr || !found->is_for_device || queue == nullptr) return device_error::invalid_value;
    queue->push_back(handle);
    return device_error::none;
}

device_error grid_runtime::make_handle(std::set<std::uint64_t>& of, std::uint64_t to, runtime_answer& answer) {
    std::uint64_t const handle = first_handle + 16 * handles_++;
    of.insert(handle);
    return write(answer, to, handle, 8);
}

// The two streams by number take no events.
device_error grid_runtime::order(std::uint64_t stream, std::uint64_t event) const {
    if (stream == tail_launch_stream || stream == fire_and_forget_stream) return device_error::invalid_value;
    return is_stream(stream) && events_.contains(event) ? device_error::none : device_error::invalid_resource_handle;
}

device_error grid_runtime::allocate(std::uint64_t to, std::uint64_t bytes, runtime_answer& answer) {
    if (bytes == 0) return device_error::invalid_value;
    context_state& context = *in_.context;
    std::uint64_t const address = context.heap == nullptr ? 0 : context.heap->allocate(bytes);
    if (address != 0 && context.shadow) context.shadow->allocated(address, bytes);
    static_cast<void>(write(answer, to, address, 8));
    return address == 0 ? device_error::memory_allocation : device_error::none;
}

device_error grid_runtime::release(std::uint64_t address) {
    if (address == 0) return device_error::none;
    context_state& context = *in_.context;
    if (context.heap == nullptr || !context.heap->release(address)) return device_error::invalid_value;
    if (context.shadow) context.shadow->freed(address);
    return device_error::none;
}

// Fills cudaFuncAttributes.
device_error grid_runtime::describe(std::uint64_t to, std::uint64_t function, bool with_clusters,
                                    runtime_answer& answer) {
    sim::kernel const* const kernel = kernel_at(function);
    if (kernel == nullptr) return device_error::invalid_device_function;
    function_state const& state = function_of(in_, module_, *kernel);
    auto const put = [&](CUfunction_attribute attribute, std::uint64_t offset, unsigned bytes) {
        auto const value = attribute_of(*in_.context->chip, state, attribute).value_or(0);
        static_cast<void>(write(answer, to + offset, static_cast<std::uint64_t>(std::int64_t{value}), bytes));
    };
    put(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0, 8);
    put(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 8, 8);
    put(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 16, 8);
    put(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 24, 4);
    put(CU_FUNC_ATTRIBUTE_NUM_REGS, 28, 4);
    put(CU_FUNC_ATTRIBUTE_PTX_VERSION, 32, 4);
    put(CU_FUNC_ATTRIBUTE_BINARY_VERSION, 36, 4);
    put(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, 40, 4);
    static_cast<void>(write(answer, to + 44, 0, 4)); // dynamic shared memory, of which kernels are told nothing
    put(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 48, 4);
    if (!with_clusters) return device_error::none;
    put(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, 52, 4);
    put(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 56, 4);
    put(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 60, 4);
    put(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 64, 4);
    put(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 68, 4);
    put(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 72, 4);
    return device_error::none;
}

// To, function, threads of a block, dynamic shared memory.
device_error grid_runtime::occupancy(runtime_arguments const& arguments, runtime_answer& answer) {
    sim::kernel const* const kernel = kernel_at(arguments[1]);
    if (kernel == nullptr) return device_error::invalid_device_function;
    auto const threads = static_cast<std::int32_t>(arguments[2]);
    if (threads <= 0) return device_error::invalid_value;
    chip_model const& chip = *in_.context->chip;
    function_state const& function = function_of(in_, module_, *kernel);
    int const blocks =
        resident_blocks(chip, demand_of(chip, *kernel, function.max_dynamic_shared), threads, arguments[3]);
    return write(answer, arguments[0], static_cast<std::uint64_t>(blocks), 4);
}

device_error grid_runtime::perform(runtime_call what, runtime_arguments const& arguments, runtime_thread const& from,
                                   runtime_answer& answer) {
    auto const& a = arguments;
    context_state const& context = *in_.context;
    switch (what) {
        case runtime_call::get_configured_buffer: {
            configuration const with{kernel_at(a[0]), extent_of(a[1], a[2]), extent_of(a[3], a[4]),
                                     static_cast<std::uint32_t>(a[5])};
            device_error const refused = refusal_of(with);
            return refused != device_error::none ? refused : take_buffer(with.kernel->parameter_bytes, with, answer);
        }
        case runtime_call::launch_configured: return launch(a[0], a[1], from);
        case runtime_call::get_parameter_buffer: return take_buffer(a[1], {}, answer); // of any alignment up to 16
        case runtime_call::launch: {
            configuration const with{kernel_at(a[0]), extent_of(a[2], a[3]), extent_of(a[4], a[5]),
                                     static_cast<std::uint32_t>(a[6])};
            if (device_error const refused = refusal_of(with); refused != device_error::none) return refused;
            if (!is_stream(a[7])) return device_error::invalid_resource_handle;
            std::uint64_t const buffer = a[1] != 0 ? a[1] : pool_.take(0); // a kernel without parameters
            if (buffer == 0) return device_error::pending_count_exceeded;
            if (a[1] != 0 && !prepared_.contains(a[1])) return device_error::invalid_value;
            return launch_with(with, buffer, a[7], from);
        }
        case runtime_call::launch_graph: return launch_graph(a[0], a[1]);
        case runtime_call::stream_create:
            return a[1] <= non_blocking_stream ? make_handle(streams_, a[0], answer) : device_error::invalid_value;
        case runtime_call::stream_destroy:
            return streams_.erase(a[0]) != 0 ? device_error::none : device_error::invalid_resource_handle;
        case runtime_call::event_create:
            return a[1] == event_without_time ? make_handle(events_, a[0], answer) : device_error::invalid_value;
        case runtime_call::event_destroy:
            return events_.erase(a[0]) != 0 ? device_error::none : device_error::invalid_resource_handle;
        case runtime_call::event_record: return order(a[1], a[0]);
        case runtime_call::stream_wait_event: return order(a[0], a[1]);
        case runtime_call::allocate: return allocate(a[0], a[1], answer);
        case runtime_call::release: return release(a[0]);
        case runtime_call::copy: return enqueue(copy_operation{{a[0]}, {a[1]}, a[2], 1}, a[4], from);
        case runtime_call::copy_rows:
            return enqueue(copy_operation{{a[0], a[1]}, {a[2], a[3]}, a[4], a[5]}, a[7], from);
        case runtime_call::fill:
            return enqueue(fill_operation{a[0], 0, static_cast<std::uint32_t>(a[1]) & 0xff, 1, a[2], 1}, a[3], from);
        case runtime_call::fill_rows:
            return enqueue(fill_operation{a[0], a[1], static_cast<std::uint32_t>(a[2]) & 0xff, 1, a[3], a[4]}, a[5],
                           from);
        case runtime_call::error_text:
        case runtime_call::error_name:
            answer.value = context.launch_memory.texts +
                           device_error_offset(static_cast<int>(a[0]), what == runtime_call::error_name);
            return device_error::none;
        case runtime_call::device_attribute: {
            if (find_device(static_cast<int>(a[2])) == nullptr) return device_error::invalid_device;
            auto const value =
                attribute_of(*context.chip, static_cast<CUdevice_attribute>(a[1]), static_cast<int>(a[2]));
            return value ? write(answer, a[0], static_cast<std::uint64_t>(*value), 4) : device_error::invalid_value;
        }
        case runtime_call::device_limit:
            return a[1] < context.limits.size() ? write(answer, a[0], context.limits[a[1]], 8)
                                                : device_error::unsupported_limit;
        case runtime_call::cache_preference: return write(answer, a[0], CU_FUNC_CACHE_PREFER_NONE, 4);
        case runtime_call::shared_preference: return write(answer, a[0], 1, 4); // banks of four bytes
        case runtime_call::device_count: {
            int count = 0;
            while (find_device(count) != nullptr) ++count;
            return write(answer, a[0], static_cast<std::uint64_t>(count), 4);
        }
        case runtime_call::current_device: return write(answer, a[0], static_cast<std::uint64_t>(context.device), 4);
        case runtime_call::function_attributes: return describe(a[0], a[1], true, answer);
        case runtime_call::older_function_attributes: return describe(a[0], a[1], false, answer);
        case runtime_call::occupancy: return occupancy(a, answer);
        case runtime_call::version: {
            int version = 0;
            static_cast<void>(driver_get_version(&version));
            return write(answer, a[0], static_cast<std::uint64_t>(version), 4);
        }
        case runtime_call::none:
        case runtime_call::take_last_error:
        case runtime_call::peek_at_last_error: break;
    }
    return device_error::none;
}

runtime_answer grid_runtime::call(runtime_call what, runtime_arguments const& arguments, runtime_thread const& from) {
    runtime_answer answer;
    if (what == runtime_call::take_last_error || what == runtime_call::peek_at_last_error) {
        auto const found = last_errors_.find(from.number);
        if (found == last_errors_.end()) return answer;
        answer.value = static_cast<std::uint64_t>(found->second);
        if (what == runtime_call::take_last_error) last_errors_.erase(found);
        return answer;
    }
    device_error const error = perform(what, arguments, from, answer);
    if (error != device_error::none && what != runtime_call::occupancy) last_errors_[from.number] = error;
    bool const returns_pointer = what == runtime_call::get_configured_buffer ||
                                 what == runtime_call::get_parameter_buffer || what == runtime_call::error_text ||
                                 what == runtime_call::error_name;
    if (!returns_pointer) answer.value = static_cast<std::uint64_t>(error);
    return answer;
}

device_launches grid_runtime::take_launches() {
    for (auto const& [buffer, with] : prepared_) pool_.give_back(buffer);
    prepared_.clear();
    return std::exchange(launches_, {});
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
