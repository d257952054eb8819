// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity.hpp"

#include <algorithm>
#include <atomic>

#include <gpuprof/core/units.hpp>
#include <gpuprof/hw/abi/cupti_activity_enums.hpp>
#include <gpuprof/hw/activity/cdp_kernel.hpp>
#include <gpuprof/hw/activity/graph_host_node.hpp>
#include <gpuprof/hw/activity/graph_trace.hpp>
#include <gpuprof/hw/activity/host_launch.hpp>
#include <gpuprof/hw/activity/kernel.hpp>
#include <gpuprof/hw/activity/memcpy.hpp>
#include <gpuprof/hw/activity/memory_kind.hpp>
#include <gpuprof/hw/activity/memset.hpp>
#include <gpuprof/hw/activity/peer_memcpy.hpp>
#include <gpuprof/hw/machine/platform/identity.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>

#include "../chip/chip_model.hpp"
#include "../gpu/activity_log.hpp"
#include "../gpu/call_trace.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/host_clock.hpp"
#include "occupancy.hpp"
#include "peer.hpp"
#include "state.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The channel by which work reaches the GPU: each engine has its own.
[[nodiscard]] static constexpr std::uint32_t activity_channel(engine on) noexcept {
    return static_cast<std::uint32_t>(on) + 1;
}

[[nodiscard]] static activity::interval activity_interval(operation_time const& when) {
    time_line const line = shared().activity.time.line();
    return {line.at(when.start), line.at(when.end)};
}

// Fills the members that the records of all operations have.
template <class Record>
static void fill_activity_origin(call const& in, Record& record, operation_origin const& from,
                                 operation_time const& when) {
    record.time = activity_interval(when);
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.context = in.context->id;
    record.stream = from.stream;
    record.correlation = current_correlation;
}

template <class Record>
static void fill_activity_graph(Record& record, operation_origin const& from) {
    if (from.graph == 0) return;
    record.graph = from.graph;
    record.graph_node = from.node;
    record.source_graph = from.source_graph;
    record.source_graph_node = from.source_node;
}

[[nodiscard]] static activity::memory_kind activity_memory_kind(context_state const& context,
                                                                place_of_rows const& place) {
    if (place.device || is_device_address(place.address)) return activity::memory_kind::device;
    auto const* const extent = context.memory.find(place.address);
    auto const found = extent == nullptr ? context.allocations.end()
                                         : context.allocations.find(static_cast<CUdeviceptr>(extent->begin));
    if (found == context.allocations.end()) return activity::memory_kind::pageable;
    return found->second.kind == memory_kind::managed ? activity::memory_kind::managed : activity::memory_kind::pinned;
}

static std::atomic<std::int64_t> recorded_grids{0};

// Fills what the embedded GPU knows about a launch. Members that it does not model (bank sizes,
// cache preferences) are 0 or say "none".
[[nodiscard]] static activity::kernel activity_of_kernel(call& in, kernel_operation const& launch,
                                                         function_state& function, operation_origin const& from,
                                                         operation_time const& when) {
    activity_log& log = shared().activity;
    chip_model const& chip = *in.context->chip;
    sim::kernel const& code = *function.code;
    if (function.kept_name == nullptr) function.kept_name = log.keep(code.name);
    auto const demand = demand_of(chip, code, function.max_dynamic_shared);
    auto const dimensions = [](extent3 const& size) {
        return activity::dimensions{static_cast<std::int32_t>(size.x), static_cast<std::int32_t>(size.y),
                                    static_cast<std::int32_t>(size.z)};
    };
    constexpr int shared_bytes_without_opt_in = 49152;
    activity::kernel record;
    fill_activity_origin(in, record, from, when);
    fill_activity_graph(record, from);
    record.name = function.kept_name;
    record.completed = activity_interval({0, when.start, (std::max)(when.end, when.completed)}).end;
    if (log.latency_timestamps.load(std::memory_order_relaxed)) {
        // As far before the kernel's start, which other threads' calls have not moved.
        std::uint64_t const start = record.time.start.ticks;
        time_line const line{start - static_cast<std::uint64_t>(static_cast<std::int64_t>(when.start))};
        record.queued = line.at(when.enqueued);
        record.submitted = line.at((std::min)(when.enqueued + double{submission_nanoseconds}, when.start));
    }
    record.grid_id = recorded_grids.fetch_add(1, std::memory_order_relaxed) + 1;
    record.grid = dimensions(launch.grid);
    record.block = dimensions(launch.block);
    record.cluster_x = launch.cluster.x;
    record.cluster_y = launch.cluster.y;
    record.cluster_z = launch.cluster.z;
    record.registers_per_thread = static_cast<std::uint32_t>(demand.registers);
    record.static_shared_memory = bytes{static_cast<double>(code.static_shared_bytes)};
    record.dynamic_shared_memory = bytes{static_cast<double>(launch.dynamic_shared_bytes)};
    record.executed_shared_memory = bytes{static_cast<double>(chip.shared_bytes_per_sm)};
    record.local_memory_per_thread = bytes{static_cast<double>(code.local_bytes)};
    record.local_memory = bytes{static_cast<double>(code.local_bytes) * static_cast<double>(chip.threads_per_sm) *
                                chip.count(hardware_unit::sm)};
    record.partitioned_cache_requested = record.partitioned_cache_executed = activity::partitioned_cache::not_supported;
    record.carveout_asked = function.carveout >= 0;
    record.carveout = function.carveout >= 0 ? static_cast<std::uint32_t>(function.carveout) : 0;
    record.shared_limit =
        function.max_dynamic_shared + static_cast<int>(code.static_shared_bytes) > shared_bytes_without_opt_in
            ? activity::shared_memory_limit::opt_in
            : activity::shared_memory_limit::default_;
    record.launch =
        launch.cooperative ? activity::launch_type::cooperative_single_device : activity::launch_type::regular;
    record.channel = activity_channel(engine::compute);
    record.channel_kind = activity::channel_type::compute;
    record.device_launched = false;
    record.priority = from.priority;
    record.model = activity::execution_model::simt;
    return record;
}

void record_operation(call& in, kernel_operation const& launch, engine /*on*/, operation_origin const& from,
                      operation_time const& when) {
    function_state* const function = in.driver.functions.find(launch.function);
    activity_switches const& wanted = shared().activity.switches;
    CUcontext const context = in.context->handle;
    if (function == nullptr || !in.context->traces_kernels ||
        (!wanted.records(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, context) &&
         !wanted.records(CUPTI_ACTIVITY_KIND_KERNEL, context)))
        return;
    auto const record = activity_of_kernel(in, launch, *function, from, when);
    in.records.add(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, context, record);
    in.records.add(CUPTI_ACTIVITY_KIND_KERNEL, context, record);
}

void record_children(call& in, std::vector<child_grid> const& children, operation_origin const& from, double begin) {
    std::int64_t const host = recorded_grids.load(std::memory_order_relaxed); // under the driver's lock
    for (child_grid const& child : children) {
        function_state* const function = in.driver.functions.find(child.launch.function);
        if (function == nullptr) return;
        auto const kernel =
            activity_of_kernel(in, child.launch, *function, from,
                               {begin, begin + child.start, begin + child.end, begin + child.completed});
        activity::cdp_kernel record;
        record.name = kernel.name;
        record.time = kernel.time;
        record.queued = kernel.queued;
        record.submitted = kernel.submitted;
        record.completed = kernel.completed;
        record.device = kernel.device;
        record.context = kernel.context;
        record.stream = kernel.stream;
        record.correlation = kernel.correlation;
        record.grid_id = kernel.grid_id;
        record.parent_grid_id = host + static_cast<std::int64_t>(child.parent); // they are numbered one after the other
        record.parent_block = {static_cast<std::int32_t>(child.parent_cta.x),
                               static_cast<std::int32_t>(child.parent_cta.y),
                               static_cast<std::int32_t>(child.parent_cta.z)};
        record.grid = kernel.grid;
        record.block = kernel.block;
        record.registers_per_thread = kernel.registers_per_thread;
        record.static_shared_memory = kernel.static_shared_memory;
        record.dynamic_shared_memory = kernel.dynamic_shared_memory;
        record.local_memory_per_thread = kernel.local_memory_per_thread;
        record.local_memory = kernel.local_memory;
        in.records.add(CUPTI_ACTIVITY_KIND_CDP_KERNEL, in.context->handle, record,
                       CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    }
}

// What the records of a copy within a device and of one between two have in common.
template <class Record>
static void fill_copy(call const& in, Record& record, copy_operation const& copy, engine on,
                      operation_origin const& from, operation_time const& when) {
    fill_activity_origin(in, record, from, when);
    record.size = bytes{static_cast<double>(copy.width * copy.height)};
    record.from = activity_memory_kind(*in.context, copy.from);
    record.to = activity_memory_kind(*in.context, copy.to);
    record.flags = from.waited_for ? 0 : unsigned{CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC};
    record.channel = activity_channel(on);
    record.channel_kind =
        on == engine::compute ? activity::channel_type::compute : activity::channel_type::async_memcpy;
}

// As on H200s: nothing is recorded of it where copies within devices are not.
static void record_peer_copy(call& in, copy_operation const& copy, context_state const& to, context_state const& from,
                             engine on, operation_origin const& origin, operation_time const& when) {
    activity::peer_memcpy record;
    fill_copy(in, record, copy, on, origin, when);
    record.direction = activity::memcpy_kind::peer_to_peer;
    record.from_device = static_cast<std::uint32_t>(from.device);
    record.from_context = from.id;
    record.to_device = static_cast<std::uint32_t>(to.device);
    record.to_context = to.id;
    if (origin.graph != 0) {
        record.graph = origin.graph;
        record.graph_node = origin.node;
    }
    if (shared().activity.switches.records(CUPTI_ACTIVITY_KIND_MEMCPY, in.context->handle))
        in.records.add(CUPTI_ACTIVITY_KIND_MEMCPY2, in.context->handle, record);
}

// Through the host's memory: to the host in the first half of the time, and from there in the second, each by its device.
static void record_copies_by_host(call& in, copy_operation const& copy, context_state const& to,
                                  context_state const& from, engine on, operation_origin const& origin,
                                  operation_time const& when) {
    double const middle = (when.start + when.end) / 2;
    auto const record_half = [&](context_state const& owner, activity::memcpy_kind direction,
                                 operation_time const& half) {
        activity::memcpy record;
        fill_copy(in, record, copy, on, origin, half);
        fill_activity_graph(record, origin);
        record.device = static_cast<std::uint32_t>(owner.device);
        record.context = owner.id;
        record.direction = direction;
        (direction == activity::memcpy_kind::device_to_host ? record.to : record.from) =
            activity::memory_kind::pageable;
        record.device_launched = false;
        record.copies = 0;
        in.records.add(CUPTI_ACTIVITY_KIND_MEMCPY, owner.handle, record);
    };
    record_half(from, activity::memcpy_kind::device_to_host, {when.enqueued, when.start, middle});
    record_half(to, activity::memcpy_kind::host_to_device, {when.enqueued, middle, when.end});
}

void record_operation(call& in, copy_operation const& copy, engine on, operation_origin const& from,
                      operation_time const& when) {
    bool const to_device = is_device_address(copy.to.address);
    bool const from_device = is_device_address(copy.from.address);
    context_state const* const target = context_of(in, copy.to);
    context_state const* const source = context_of(in, copy.from);
    if (to_device && from_device && target != nullptr && source != nullptr && target->device != source->device)
        return goes_by_host(*target, *source) ? record_copies_by_host(in, copy, *target, *source, on, from, when)
                                              : record_peer_copy(in, copy, *target, *source, on, from, when);
    activity::memcpy record;
    fill_copy(in, record, copy, on, from, when);
    fill_activity_graph(record, from);
    record.direction = to_device && from_device ? activity::memcpy_kind::device_to_device
                       : to_device              ? activity::memcpy_kind::host_to_device
                       : from_device            ? activity::memcpy_kind::device_to_host
                                                : activity::memcpy_kind::host_to_host;
    record.device_launched = false;
    record.copies = 0; // not a batch of copies
    in.records.add(CUPTI_ACTIVITY_KIND_MEMCPY, in.context->handle, record);
}

void record_operation(call& in, fill_operation const& fill, engine on, operation_origin const& from,
                      operation_time const& when) {
    activity::memset record;
    fill_activity_origin(in, record, from, when);
    fill_activity_graph(record, from);
    record.value = fill.value;
    record.size = bytes{static_cast<double>(fill.width * fill.element * fill.height)};
    record.memory = activity_memory_kind(*in.context, {fill.to, fill.row, false});
    record.flags = from.waited_for ? 0 : unsigned{CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC};
    record.channel = activity_channel(on);
    record.channel_kind = activity::channel_type::compute;
    record.device_launched = false;
    in.records.add(CUPTI_ACTIVITY_KIND_MEMSET, in.context->handle, record);
}

void record_operation(call& in, host_operation const& /*host*/, engine /*on*/, operation_origin const& from,
                      operation_time const& when) {
    auto const fill = [&](auto record) {
        fill_activity_origin(in, record, from, when);
        record.process = platform::process_number();
        record.thread = shared().activity.this_thread();
        return record;
    };
    if (from.graph == 0) {
        in.records.add(CUPTI_ACTIVITY_KIND_HOST_LAUNCH, in.context->handle, fill(activity::host_launch{}));
        return;
    }
    auto record = fill(activity::graph_host_node{});
    record.graph = from.graph;
    record.graph_node = from.node;
    in.records.add(CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE, in.context->handle, record);
}

void record_graph(call& in, operation_origin const& from, operation_time const& when) {
    activity::graph_trace record;
    fill_activity_origin(in, record, from, when);
    record.graph = from.graph;
    record.end_device = record.device;
    record.end_context = record.context;
    in.records.add(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, in.context->handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
