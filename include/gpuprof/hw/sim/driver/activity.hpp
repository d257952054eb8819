// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of operations: kernels, copies, fills, host functions. Layer: hw/sim, driver table; how records of
// one kind look is in trace/activity/.
#ifndef GPUPROF_HW_SIM_DRIVER_ACTIVITY_HPP
#define GPUPROF_HW_SIM_DRIVER_ACTIVITY_HPP

#include <algorithm> // std::min
#include <atomic>    // launches
#include <cstdint>   // ids

#include "../counters/activity_batch.hpp"
#include "occupancy.hpp"
#include "operation.hpp"
#include "state.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Where an operation comes from: a stream, and the node of an executable graph if it is one.
struct operation_origin {
    std::uint32_t stream = 0;
    int priority = 0;
    bool waited_for = false; // the call returns after it
    std::uint32_t graph = 0; // of the executable; 0: of no graph, as all below
    std::uint64_t node = 0;
    std::uint32_t source_graph = 0; // that the executable was made from
    std::uint64_t source_node = 0;
    bool is_recorded = true; // not where the graph is, as a whole
};

// Simulated time, from when it could begin.
struct operation_time {
    double enqueued = 0;
    double start = 0;
    double end = 0;
};

namespace detail {

// The way to the GPU that work takes, one an engine.
[[nodiscard]] constexpr std::uint32_t channel_of(engine on) noexcept { return static_cast<std::uint32_t>(on) + 1; }

[[nodiscard]] inline activity::interval interval_of(operation_time const& when) {
    activity_time& clock = activity_log::instance().time;
    return {clock.at(when.start), clock.at(when.end)};
}

// Members that records of all operations have.
template <class Record>
void fill_origin(call const& in, Record& record, operation_origin const& from, operation_time const& when) {
    record.time = interval_of(when);
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.context = in.context->id;
    record.stream = from.stream;
    record.correlation = current_correlation;
}
template <class Record>
void fill_graph(Record& record, operation_origin const& from) {
    if (from.graph == 0) return;
    record.graph = from.graph;
    record.graph_node = from.node;
    record.source_graph = from.source_graph;
    record.source_graph_node = from.source_node;
}

[[nodiscard]] inline activity::memory_kind memory_kind_at(context_state const& context, place_of_rows const& place) {
    if (place.device || is_device_address(place.address)) return activity::memory_kind::device;
    auto const* const extent = context.memory.find(place.address);
    auto const found = extent == nullptr ? context.allocations.end()
                                         : context.allocations.find(static_cast<CUdeviceptr>(extent->begin));
    if (found == context.allocations.end()) return activity::memory_kind::pageable;
    return found->second.kind == memory_kind::managed ? activity::memory_kind::managed : activity::memory_kind::pinned;
}

// What the machine knows of a launch. The others are 0, or say that there is none: clusters, bank sizes, cache preferences.
[[nodiscard]] inline activity::kernel kernel_record(call& in, kernel_operation const& launch, function_state& function,
                                                    operation_origin const& from, operation_time const& when) {
    static std::atomic<std::int64_t> launches{0};
    activity_log& log = activity_log::instance();
    chip_model const& chip = *in.context->chip;
    sim::kernel const& code = *function.code;
    if (function.kept_name == nullptr) function.kept_name = log.keep(code.name);
    auto const demand = demand_of(chip, code, function.max_dynamic_shared);
    auto const dimensions = [](extent3 const& of) {
        return activity::dimensions{static_cast<std::int32_t>(of.x), static_cast<std::int32_t>(of.y),
                                    static_cast<std::int32_t>(of.z)};
    };
    activity::kernel record;
    fill_origin(in, record, from, when);
    fill_graph(record, from);
    record.name = function.kept_name;
    record.completed = record.time.end;
    if (log.latency_timestamps.load(std::memory_order_relaxed)) {
        record.queued = log.time.at(when.enqueued);
        record.submitted = log.time.at((std::min)(when.enqueued + double{submission_nanoseconds}, when.start));
    }
    record.grid_id = launches.fetch_add(1, std::memory_order_relaxed) + 1;
    record.grid = dimensions(launch.grid);
    record.block = dimensions(launch.block);
    record.cluster_x = record.cluster_y = record.cluster_z = 0;
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
    record.shared_limit = function.max_dynamic_shared + static_cast<int>(code.static_shared_bytes) > 49152
                              ? activity::shared_memory_limit::opt_in
                              : activity::shared_memory_limit::default_;
    record.launch =
        launch.cooperative ? activity::launch_type::cooperative_single_device : activity::launch_type::regular;
    record.channel = channel_of(engine::compute);
    record.channel_kind = activity::channel_type::compute;
    record.device_launched = false;
    record.priority = from.priority;
    record.model = activity::execution_model::simt;
    return record;
}

} // namespace detail

inline void record_operation(call& in, kernel_operation const& launch, engine, operation_origin const& from,
                             operation_time const& when) {
    function_state* const function = in.driver.functions.find(launch.function);
    activity_switches const& wanted = activity_log::instance().switches;
    CUcontext const context = in.context->handle;
    if (function == nullptr || (!wanted.records(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, context) &&
                                !wanted.records(CUPTI_ACTIVITY_KIND_KERNEL, context)))
        return;
    auto const record = detail::kernel_record(in, launch, *function, from, when);
    in.records.add(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, context, record);
    in.records.add(CUPTI_ACTIVITY_KIND_KERNEL, context, record);
}

inline void record_operation(call& in, copy_operation const& copy, engine on, operation_origin const& from,
                             operation_time const& when) {
    bool const into = is_device_address(copy.to.address);
    bool const out = is_device_address(copy.from.address);
    activity::memcpy record;
    detail::fill_origin(in, record, from, when);
    detail::fill_graph(record, from);
    record.size = bytes{static_cast<double>(copy.width * copy.height)};
    record.direction = into && out ? activity::memcpy_kind::device_to_device
                       : into      ? activity::memcpy_kind::host_to_device
                       : out       ? activity::memcpy_kind::device_to_host
                                   : activity::memcpy_kind::host_to_host;
    record.from = detail::memory_kind_at(*in.context, copy.from);
    record.to = detail::memory_kind_at(*in.context, copy.to);
    record.flags = from.waited_for ? 0 : unsigned{CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC};
    record.channel = detail::channel_of(on);
    record.channel_kind =
        on == engine::compute ? activity::channel_type::compute : activity::channel_type::async_memcpy;
    record.device_launched = false;
    record.copies = 0; // no batch
    in.records.add(CUPTI_ACTIVITY_KIND_MEMCPY, in.context->handle, record);
}

inline void record_operation(call& in, fill_operation const& fill, engine on, operation_origin const& from,
                             operation_time const& when) {
    activity::memset record;
    detail::fill_origin(in, record, from, when);
    detail::fill_graph(record, from);
    record.value = fill.value;
    record.size = bytes{static_cast<double>(fill.width * fill.element * fill.height)};
    record.memory = detail::memory_kind_at(*in.context, {fill.to, fill.row, false});
    record.flags = from.waited_for ? 0 : unsigned{CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC};
    record.channel = detail::channel_of(on);
    record.channel_kind = activity::channel_type::compute;
    record.device_launched = false;
    in.records.add(CUPTI_ACTIVITY_KIND_MEMSET, in.context->handle, record);
}

// There is none of what takes no time.
inline void record_operation(call&, mark_operation const&, engine, operation_origin const&, operation_time const&) {}
inline void record_operation(call&, conditional_operation const&, engine, operation_origin const&,
                             operation_time const&) {}

// A release before 13.1 knows no record of a host function. It takes no simulated time.
inline void record_operation(call& in, host_operation const&, engine, operation_origin const& from,
                             operation_time const& when) {
    auto const fill = [&](auto record) {
        detail::fill_origin(in, record, from, when);
        record.process = platform::process_number();
        record.thread = activity_log::instance().this_thread();
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

// A launch of a graph without its nodes.
inline void record_graph(call& in, operation_origin const& from, operation_time const& when) {
    activity::graph_trace record;
    detail::fill_origin(in, record, from, when);
    record.graph = from.graph;
    record.end_device = record.device;
    record.end_context = record.context;
    in.records.add(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, in.context->handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_ACTIVITY_HPP
