// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws each kind of record in a trace: the rest of the definitions of trace_event.hpp.
#ifndef GPUPROF_IO_TRACE_RECORDS_INL_HPP
#define GPUPROF_IO_TRACE_RECORDS_INL_HPP

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../hw/counters/uncounted/occupancy.hpp"
#include "call_names.hpp"
#include "trace_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// Writes an argument after the first one: `key` is a comma, the name in quotes, and a colon.
template <class Number>
void write_argument(output& to, std::string_view key, Number number) {
    to.text(key);
    to.number(number);
}
template <class Number>
void write_argument(output& to, std::string_view key, std::optional<Number> const& number) {
    if (number) write_argument(to, key, *number);
}
inline void write_text_argument(output& to, std::string_view key, std::string_view text) {
    to.text(key);
    gpuprof::detail::write_json_string(to, text);
}

template <class Number>
void write_three(output& to, std::string_view key, Number x, Number y, Number z) {
    to.text(key);
    to.character('[');
    to.number(x);
    to.character(',');
    to.number(y);
    to.character(',');
    to.number(z);
    to.character(']');
}

// Writes bytes, and their number a nanosecond, which is GB/s.
inline void write_transfer(output& to, bytes size, activity::interval const& time) {
    write_argument(to, ",\"bytes\":", size.count());
    if (time.end <= time.start) return;
    to.text(",\"GB/s\":");
    to.real(size.value() / static_cast<double>(time.end.ticks - time.start.ticks));
}

inline void write_asynchronous(output& to, bool is) {
    to.text(is ? std::string_view{",\"asynchronous\":true"} : std::string_view{",\"asynchronous\":false"});
}

// Writes the arguments of kernels, also of those that kernels launch.
template <class Kernel>
void write_launch(output& to, Kernel const& of) {
    write_three(to, ",\"grid\":", of.grid.x, of.grid.y, of.grid.z);
    write_three(to, ",\"block\":", of.block.x, of.block.y, of.block.z);
    write_argument(to, ",\"registers per thread\":", of.registers_per_thread);
    write_argument(to, ",\"static shared memory\":", of.static_shared_memory.count());
    write_argument(to, ",\"dynamic shared memory\":", of.dynamic_shared_memory.count());
    if (of.submitted.known() && of.time.start > of.submitted)
        write_argument(to, ",\"waited on the GPU (ns)\":", of.time.start.ticks - of.submitted.ticks);
    if (of.queued.known() && of.submitted > of.queued)
        write_argument(to, ",\"waited in the queue (ns)\":", of.submitted.ticks - of.queued.ticks);
}

} // namespace detail

// --- work of streams

// Blocks that an SM holds at once, by all limits, in percent of the warps that it can hold.
GPUPROF_INLINE void trace_event_writer::theoretical_occupancy(activity::kernel const& of) {
    if (of.device >= limits_.size() || limits_[of.device].count == 0) return;
    hw::provided::multiprocessor const& sm = limits_[of.device];
    hw::provided::block_demand block;
    block.threads = of.block.x * of.block.y * of.block.z;
    if (block.threads <= 0 || sm.max_warps() == 0) return;
    block.registers = static_cast<int>(of.registers_per_thread);
    block.static_shared = of.static_shared_memory.count();
    block.dynamic_shared = of.dynamic_shared_memory.count();
    if (of.carveout_asked) block.preferred_carveout = static_cast<int>(of.carveout);
    out_.text(",\"theoretical occupancy (%)\":");
    out_.real(100.0 * hw::provided::active_warps(sm, block) / sm.max_warps());
}

GPUPROF_INLINE void trace_event_writer::draw(activity::kernel const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    kernel_name const& name = names_.of(of.name);
    begin_interval(name.shown_json, "kernel", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_launch(out_, of);
    detail::write_argument(out_, ",\"local memory per thread\":", of.local_memory_per_thread.count());
    theoretical_occupancy(of);
    if (of.cluster_x.value_or(0) != 0)
        detail::write_three(out_, ",\"cluster\":", *of.cluster_x, of.cluster_y.value_or(0), of.cluster_z.value_or(0));
    if (!name.mangled_json.empty()) {
        out_.text(",\"mangled\":\"");
        out_.text(name.mangled_json);
        out_.character('"');
    }
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::cdp_kernel const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin_interval(names_.of(of.name).shown_json, "kernel", at, of.time);
    tie_to_call(of.correlation);
    detail::write_launch(out_, of);
    detail::write_argument(out_, ",\"launched by grid\":", of.parent_grid_id);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memcpy const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin("{\"ph\":\"X\",\"name\":\"copy ");
    out_.text(to_text(of.direction));
    rest_of_interval("copy", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_transfer(out_, of.size, of.time);
    detail::write_text_argument(out_, ",\"from\":", to_text(of.from));
    detail::write_text_argument(out_, ",\"to\":", to_text(of.to));
    detail::write_asynchronous(out_, of.asynchronous());
    if (of.copies.value_or(0) > 1) detail::write_argument(out_, ",\"copies\":", *of.copies);
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::peer_memcpy const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin_interval("copy peer to peer", "copy", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_transfer(out_, of.size, of.time);
    detail::write_text_argument(out_, ",\"from\":", to_text(of.from));
    detail::write_text_argument(out_, ",\"to\":", to_text(of.to));
    detail::write_argument(out_, ",\"from device\":", of.from_device);
    detail::write_argument(out_, ",\"to device\":", of.to_device);
    detail::write_asynchronous(out_, of.asynchronous());
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memset const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin_interval("set memory", "set", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_transfer(out_, of.size, of.time);
    detail::write_argument(out_, ",\"value\":", of.value);
    detail::write_text_argument(out_, ",\"memory\":", to_text(of.memory));
    detail::write_asynchronous(out_, of.asynchronous());
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::decompression const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin_interval("decompress", "copy", at, of.time);
    tie_to_call(of.correlation);
    detail::write_transfer(out_, of.source_size, of.time);
    detail::write_argument(out_, ",\"operations\":", of.operations);
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::graph_trace const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin("{\"ph\":\"X\",\"name\":\"graph ");
    out_.number(of.graph);
    rest_of_interval("graph", at, of.time);
    tie_to_call(of.correlation);
    detail::write_argument(out_, ",\"end device\":", of.end_device);
    detail::write_argument(out_, ",\"end context\":", of.end_context);
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::device_graph_trace const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin("{\"ph\":\"X\",\"name\":\"graph ");
    out_.number(of.graph);
    rest_of_interval("graph", at, of.time);
    detail::write_argument(out_, "\"launched by graph\":", of.launcher_graph);
    detail::write_text_argument(out_, ",\"launch\":", to_text(of.mode));
    end_interval();
}

// --- the host

GPUPROF_INLINE void trace_event_writer::draw(activity::api_call const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_thread(of.process, of.thread);
    // A runtime call and the driver call in it have one correlation: arrows begin at the inner one,
    // which ends, and so arrives, first.
    if (options_.flows && of.correlation != 0 && links_.calls.find(of.correlation) == nullptr) {
        call_place& call = links_.calls.put(of.correlation);
        call = {at.process, at.thread, of.time.start.ticks, 0};
        links_.ends.take(of.correlation, [&](arrow_end const& end) { arrow(of.correlation, call, end); });
    }
    if (!holds_calls_) return draw_call(of);
    held_calls& held = held_[of.thread % holding_threads];
    activity::api_call const& other = held.calls[0].call;
    if (held.count == 4 || (held.count != 0 && (other.thread != of.thread || other.process != of.process ||
                                                other.time.start != of.time.start)))
        release(held);
    held.calls[held.count++] = {of, scope_.number};
}

// The last call that came is the outermost one.
GPUPROF_INLINE void trace_event_writer::release(held_calls& of) {
    std::uint64_t const scope = scope_.number;
    while (of.count != 0) {
        held_call const& outermost = of.calls[--of.count];
        scope_.number = outermost.scope;
        draw_call(outermost.call);
    }
    scope_.number = scope;
}
GPUPROF_INLINE void trace_event_writer::release_calls() {
    for (std::size_t i = 0; i < holding_threads; ++i) release(held_[i]);
}

GPUPROF_INLINE void trace_event_writer::draw_call(activity::api_call const& of) {
    std::string_view const domain = of.kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME  ? "runtime"
                                    : of.kind == abi::CUPTI_ACTIVITY_KIND_DRIVER ? "driver"
                                                                                 : "internal";
    std::string_view const name = options_.name_of_call != nullptr ? options_.name_of_call(of.kind, of.callback)
                                                                   : name_of_call(of.kind, of.callback);
    begin("{\"ph\":\"X\",\"name\":\"");
    if (name.empty()) {
        out_.text(domain);
        detail::write_argument(out_, " call ", of.callback);
    } else {
        gpuprof::detail::write_json_characters(out_, name);
    }
    rest_of_interval(domain, {of.process, of.thread}, of.time);
    tie_to_call(of.correlation);
    if (of.status != 0) detail::write_argument(out_, ",\"status\":", of.status);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::host_launch const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_thread(of.process, of.thread);
    begin_interval("host function", "host", at, of.time);
    tie_to_call(of.correlation);
    detail::write_argument(out_, ",\"context\":", of.context);
    detail::write_argument(out_, ",\"stream\":", of.stream);
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::graph_host_node const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_thread(of.process, of.thread);
    begin_interval("host function", "host", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_argument(out_, ",\"context\":", of.context);
    detail::write_argument(out_, ",\"stream\":", of.stream);
    end_interval();
    arrow_from_call(of.correlation, at, of.time);
}

GPUPROF_INLINE void trace_event_writer::draw_scopes(std::vector<traced_scope> const& scopes) {
    sorted_scopes_.clear();
    for (traced_scope const& each : scopes) sorted_scopes_.push_back(&each);
    // Scopes come in the order of their ends: of two alike the later one is the outer one.
    std::reverse(sorted_scopes_.begin(), sorted_scopes_.end());
    std::stable_sort(sorted_scopes_.begin(), sorted_scopes_.end(), [](traced_scope const* a, traced_scope const* b) {
        return a->time.start != b->time.start ? a->time.start < b->time.start : a->time.end > b->time.end;
    });
    for (traced_scope const* each : sorted_scopes_) draw(*each);
}

GPUPROF_INLINE void trace_event_writer::draw(traced_scope const& of) {
    if (scope_.batch == nullptr) links_.scope_names.put(of.number).set(of.name);
    if (!drawable(of.time)) return;
    auto const at = on_thread(options_.process, of.thread);
    begin("{\"ph\":\"X\",\"name\":\"");
    gpuprof::detail::write_json_characters(out_, of.name);
    rest_of_interval("scope", at, of.time);
    detail::write_argument(out_, "\"scope number\":", of.number);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::external_correlation const& of) {
    if (of.kind == options_.scope_kind) links_.scopes.put(of.correlation) = of.id;
    else count_not_drawn<activity::external_correlation>();
}

// CUPTI does not say which thread waited.
GPUPROF_INLINE void trace_event_writer::draw(activity::synchronization const& of) {
    if (!drawable(of.time)) return;
    name_process(options_.process);
    auto const at = on_track(options_.process, track_kind::synchronization, of.context, 0, of.time);
    begin_interval(to_text(of.type), "synchronization", at, of.time);
    tie_to_call(of.correlation);
    detail::write_argument(out_, ",\"context\":", of.context);
    detail::write_argument(out_, ",\"stream\":", of.stream);
    detail::write_argument(out_, ",\"event\":", of.event);
    if (of.status.value_or(0) != 0) detail::write_argument(out_, ",\"status\":", *of.status);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::overhead const& of) {
    if (!drawable(of.time)) return;
    place_in_file at;
    if (auto const device = of.object.device()) {
        at = on_device(*device, track_kind::overhead, 0, 0, of.time);
    } else {
        std::uint32_t const process = of.object.process().value_or(options_.process);
        name_process(process);
        at = on_track(process, track_kind::overhead, of.object.thread().value_or(0), 0, of.time);
    }
    begin_interval(to_text(of.kind), "overhead", at, of.time);
    if (of.correlation.value_or(0) != 0) tie_to_call(*of.correlation);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::jit const& of) {
    if (!drawable(of.time)) return;
    name_process(options_.process);
    auto const at = of.thread ? on_thread(of.process.value_or(options_.process), *of.thread)
                              : on_track(options_.process, track_kind::compilation, 0, 0, of.time);
    begin("{\"ph\":\"X\",\"name\":\"");
    out_.text(to_text(of.operation));
    out_.text(", ");
    out_.text(to_text(of.entry));
    rest_of_interval("compilation", at, of.time);
    tie_to_call(of.correlation);
    detail::write_argument(out_, ",\"device\":", of.device);
    detail::write_argument(out_, ",\"cache size\":", of.cache_size.count());
    if (!of.cache_path.empty()) detail::write_text_argument(out_, ",\"cache\":", of.cache_path);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::openmp const& of) {
    if (!drawable(of.time)) return;
    begin("{\"ph\":\"X\",\"name\":\"OpenMP ");
    out_.text(to_text(of.event));
    rest_of_interval("openmp", on_thread(of.process, of.thread), of.time);
    detail::write_argument(out_, "\"OpenMP thread\":", of.thread_id);
    end_interval();
}

template <class Record>
void trace_event_writer::draw_openacc(Record const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_thread(of.process, of.thread);
    begin("{\"ph\":\"X\",\"name\":\"OpenACC ");
    out_.text(to_text(of.event));
    rest_of_interval("openacc", at, of.time);
    detail::write_text_argument(out_, "\"construct\":", to_text(of.parent));
    detail::write_text_argument(out_, ",\"file\":", of.source_file);
    detail::write_argument(out_, ",\"line\":", of.line);
    end_interval();
}
GPUPROF_INLINE void trace_event_writer::draw(activity::openacc_data const& of) { draw_openacc(of); }
GPUPROF_INLINE void trace_event_writer::draw(activity::openacc_launch const& of) { draw_openacc(of); }
GPUPROF_INLINE void trace_event_writer::draw(activity::openacc_other const& of) { draw_openacc(of); }

// --- NVTX: a range that ended before the ones around it did is a slice of its thread; any other
// may cross slices, and is drawn beside them.

GPUPROF_INLINE void trace_event_writer::draw(activity::marker const& of) {
    if (!drawable(of.time)) return;
    std::uint32_t const process = of.object.process().value_or(options_.process);
    auto const thread = of.object.thread();
    if ((of.flags & abi::CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0) {
        instant(of.name, "nvtx", on_thread(process, thread.value_or(process)), of.time);
        if (!of.domain.empty()) detail::write_text_argument(out_, "\"domain\":", of.domain);
        end_interval();
    } else if ((of.flags & abi::CUPTI_ACTIVITY_FLAG_MARKER_START) != 0) {
        open_range* const range = links_.ranges.begin();
        if (range == nullptr) return; // its end counts as unpaired
        range->id = of.id;
        range->process = process;
        range->has_thread = thread.has_value();
        range->thread = thread.value_or(process);
        range->start = of.time.ticks;
        range->name = of.name.substr(0, open_ranges::longest);
        range->domain = of.domain.substr(0, open_ranges::longest);
    } else if ((of.flags & abi::CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
        auto const ended = links_.ranges.end(of.id);
        open_range const* const range = ended.range;
        if (range == nullptr) {
            ++losses_.unpaired;
            return;
        }
        activity::interval const time{{range->start}, of.time};
        auto const domain = [&] {
            if (!range->domain.empty()) detail::write_text_argument(out_, "\"domain\":", range->domain);
            end_interval();
        };
        auto const at = on_thread(range->process, range->thread);
        if (range->has_thread && ended.nested) {
            begin("{\"ph\":\"X\",\"name\":\"");
            gpuprof::detail::write_json_characters(out_, range->name);
            rest_of_interval("nvtx", at, time);
            domain();
        } else {
            async('b', range->name, "nvtx", range->process, of.id, time.start);
            domain();
            async('e', range->name, "nvtx", range->process, of.id, time.end);
            end_interval();
        }
    }
}

// Draws a range that was begun and never ended, at the end of the file.
GPUPROF_INLINE void trace_event_writer::draw_open(open_range const& of) {
    async('b', of.name, "nvtx", of.process, of.id, {of.start});
    if (!of.domain.empty()) detail::write_text_argument(out_, "\"domain\":", of.domain);
    end_interval();
}

// --- curves and points

GPUPROF_INLINE void trace_event_writer::draw(activity::cuda_event const& of) {
    if (!of.time || !of.device) { // CUPTI has them with device timestamps of events
        count_not_drawn<activity::cuda_event>();
        return;
    }
    if (!drawable(*of.time)) return;
    name_device(*of.device, {});
    trace_track& track = tracks_.of(gpu_process(*of.device), track_kind::stream, of.context, of.stream);
    if (track.named == 0) name_lane(track, 0);
    instant("event", "event", {track.process, track.first_thread}, *of.time);
    tie_to_call(of.correlation);
    detail::write_argument(out_, ",\"event\":", of.event);
    graph_arguments(of.graph_node, of.graph);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memory_operation const& of) {
    if (!drawable(of.time)) return;
    auto const kind = static_cast<unsigned>(of.memory);
    if (of.device >= 64 || kind >= 8 || of.type == activity::memory_operation_type::invalid) {
        count_not_drawn<activity::memory_operation>();
        return;
    }
    std::uint64_t& allocated = allocated_[of.device][kind];
    std::uint64_t const size = of.size.count();
    if (of.type == activity::memory_operation_type::allocation) allocated += size;
    else allocated = allocated > size ? allocated - size : 0; // it may have been allocated before the trace began
    name_device(of.device, {});
    scratch_ = "allocated ";
    scratch_ += to_text(of.memory);
    scratch_ += " memory";
    value(scratch_, "bytes", gpu_process(of.device), of.time, static_cast<double>(allocated));
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memory const& of) {
    if (!drawable(of.time.start)) return;
    name_device(of.device, {});
    scratch_ = to_text(of.memory);
    scratch_ += " memory";
    std::uint32_t const process = gpu_process(of.device);
    async('b', scratch_, "memory", process, of.address, of.time.start);
    detail::write_argument(out_, "\"bytes\":", of.size.count());
    if (!of.name.empty()) detail::write_text_argument(out_, ",\"variable\":", of.name);
    end_interval();
    if (!of.time.end.known()) return; // not released
    async('e', scratch_, "memory", process, of.address, of.time.end);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memory_pool const& of) {
    if (!drawable(of.time)) return;
    name_device(of.device, {});
    char digits[16];
    auto const end = std::to_chars(digits, digits + 16, of.address, 16).ptr;
    scratch_ = "pool 0x";
    scratch_.append(digits, end);
    std::uint32_t const process = gpu_process(of.device);
    bool const gone = of.operation == activity::memory_pool_operation::destroyed;
    value(scratch_, "bytes", process, of.time, gone ? 0 : of.size.value());
    scratch_ += " used";
    if (of.used) value(scratch_, "bytes", process, of.time, gone ? 0 : of.used->value());
}

GPUPROF_INLINE void trace_event_writer::draw(activity::unified_memory_counter const& of) {
    constexpr std::uint32_t host = 0xffffffff; // as the number of a device
    std::uint32_t const device = of.source != host ? of.source : of.destination;
    activity::interval time = of.time;
    if (!time.end.known()) time.end = time.start; // faults of the host are points
    if (!drawable(time)) return;
    if (device == host) name_process(options_.process);
    auto const at = device == host ? on_track(options_.process, track_kind::unified_memory, 0, 0, time)
                                   : on_device(device, track_kind::unified_memory, 0, 0, time);
    begin_interval(to_text(of.kind), "unified memory", at, time);
    detail::write_argument(out_, "\"value\":", of.value);
    out_.text(",\"address\":\"");
    out_.hexadecimal(of.address);
    out_.character('"');
    if (of.source != host) detail::write_argument(out_, ",\"from device\":", of.source);
    if (of.destination != host) detail::write_argument(out_, ",\"to device\":", of.destination);
    detail::write_argument(out_, ",\"flags\":", of.flags);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::draw(activity::environment const& of) {
    if (!drawable(of.time)) return;
    name_device(of.device, {});
    auto const curve = [&](std::string_view name, std::string_view unit, std::optional<std::uint32_t> const& number,
                           double divisor) {
        if (number) value(name, unit, gpu_process(of.device), of.time, *number / divisor);
    };
    curve("multiprocessor clock", "MHz", of.sm_clock, 1);
    curve("memory clock", "MHz", of.memory_clock, 1);
    curve("throttle reasons", "bits", of.throttle_reasons, 1);
    curve("temperature", "degrees Celsius", of.temperature, 1);
    curve("power", "W", of.power, 1000);
    curve("fan", "%", of.fan_speed, 1);
}

// --- names

GPUPROF_INLINE void trace_event_writer::draw(activity::device const& of) {
    if (finished_) return;
    name_device(of.id, of.name);
    if (of.id < limits_.size() && limits_[of.id].count != 0) return; // the driver tells more
    hw::provided::multiprocessor sm;
    sm.capability = {static_cast<int>(of.capability_first), static_cast<int>(of.capability_second)};
    sm.count = static_cast<int>(of.multiprocessors);
    sm.max_threads = static_cast<int>(of.max_warps_per_multiprocessor * of.threads_per_warp);
    sm.max_blocks = static_cast<int>(of.max_blocks_per_multiprocessor);
    sm.max_threads_per_block = static_cast<int>(of.max_threads_per_block);
    sm.registers = static_cast<int>(of.max_registers_per_multiprocessor);
    sm.registers_per_block = static_cast<int>(of.max_registers_per_block);
    sm.shared = of.max_shared_memory_per_multiprocessor.count();
    // The record has neither what a block may ask for above 48 KB nor what the driver takes of each.
    sm.shared_reserved = of.capability_first >= 8 ? 1024 : 0;
    sm.shared_per_block = sm.shared > sm.shared_reserved ? sm.shared - sm.shared_reserved : sm.shared;
    if (sm.complete()) set_limits(of.id, sm);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::context const& of) {
    if (finished_) return;
    links_.context_gpu.put(of.id) = of.device;
    trace_track& track = tracks_.of(gpu_process(of.device), track_kind::stream, of.id, of.null_stream);
    track.note = " (default)";
    track.named = 0; // names are written when something is drawn
}

GPUPROF_INLINE void trace_event_writer::draw(activity::stream const& of) {
    std::uint32_t const* const device = links_.context_gpu.find(of.context);
    if (finished_ || device == nullptr || of.flag != activity::stream_flag::non_blocking) return;
    trace_track& track = tracks_.of(gpu_process(*device), track_kind::stream, of.context, of.id);
    track.note = " (non-blocking)";
    track.named = 0;
}

GPUPROF_INLINE void trace_event_writer::draw(activity::object_name const& of) {
    if (finished_) return;
    place_in_file at;
    bool is_process = false;
    if (auto const stream = of.object.stream()) {
        trace_track& track =
            tracks_.of(gpu_process(*of.object.device()), track_kind::stream, *of.object.context(), *stream);
        name_device(*of.object.device(), {});
        if (track.named == 0) track.named = 1;
        at = {track.process, track.first_thread};
    } else if (auto const device = of.object.device(); device && !of.object.context()) {
        name_device(*device, of.name);
        return;
    } else if (auto const thread = of.object.thread()) {
        at = on_thread(*of.object.process(), *thread);
    } else if (auto const process = of.object.process()) {
        at = on_thread(*process, *process);
        is_process = true;
    } else { // a context: a part of a process in the trace
        count_not_drawn<activity::object_name>();
        return;
    }
    begin(is_process ? std::string_view{"{\"ph\":\"M\",\"name\":\"process_name\""}
                     : std::string_view{"{\"ph\":\"M\",\"name\":\"thread_name\""});
    place(at);
    detail::write_text_argument(out_, ",\"args\":{\"name\":", of.name);
    end_interval();
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_RECORDS_INL_HPP
