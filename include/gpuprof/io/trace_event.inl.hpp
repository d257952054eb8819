// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of trace_event.hpp. Layer: write out.
#ifndef GPUPROF_IO_TRACE_EVENT_INL_HPP
#define GPUPROF_IO_TRACE_EVENT_INL_HPP

#include <cmath>       // std::isfinite
#include <cstddef>     // std::size_t
#include <cstdint>     // ids
#include <string>      // the end of the file
#include <string_view> // names

#include "../hw/machine/platform/process.hpp"
#include "json_text.hpp"
#include "trace_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// Numbers of the processes that stand for GPUs: above those of Linux, which end at 2^22.
inline constexpr std::uint32_t gpu_process = 1'000'000'000;

inline constexpr std::uint64_t day = 86'400'000'000'000; // nanoseconds

} // namespace detail

GPUPROF_INLINE trace_event_writer::trace_event_writer(sink to, trace_event_options const& options)
    : options_{options}, out_{to} {
    if (options_.process == 0) options_.process = platform::process_id();
    if (options_.base) base_ = options_.base->ticks;
    has_base_ = options_.base.has_value();
    out_.text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

GPUPROF_INLINE trace_event_writer::~trace_event_writer() { static_cast<void>(finish()); }

GPUPROF_INLINE void trace_event_writer::count_not_drawn(std::size_t kind) noexcept {
    ++losses_.not_drawn;
    ++not_drawn_of_[kind];
}

// --- places and times

GPUPROF_INLINE bool trace_event_writer::drawable(activity::timestamp time) noexcept {
    if (finished_) return false;
    if (!time.known()) {
        ++losses_.without_time;
        return false;
    }
    if (!has_base_) {
        std::uint64_t const days = time.ticks / detail::day;
        base_ = days == 0 ? 0 : (days - 1) * detail::day;
        has_base_ = true;
    }
    if (time.ticks < base_) {
        ++losses_.before_base;
        return false;
    }
    return true;
}

GPUPROF_INLINE bool trace_event_writer::drawable(activity::interval const& time) noexcept {
    if (!time.end.known()) {
        ++losses_.without_time;
        return false;
    }
    return drawable(time.start);
}

GPUPROF_INLINE std::uint64_t trace_event_writer::since_base(activity::timestamp time) const noexcept {
    return time.ticks - base_;
}

GPUPROF_INLINE void trace_event_writer::name_process(std::uint32_t process) {
    if (process == named_process_) return;
    named_process_ = process;
    std::string const program = process == platform::process_id() ? platform::program_of("self") : std::string{};
    begin("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":");
    out_.number(process);
    out_.text(",\"args\":{\"name\":\"");
    if (program.empty()) out_.text("process");
    else write_json_characters(out_, program);
    out_.text("\"}}");
    end_event();
    begin("{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":");
    out_.number(process);
    out_.text(",\"args\":{\"sort_index\":0}}");
    end_event();
}

GPUPROF_INLINE void trace_event_writer::name_device(std::uint32_t device, std::string_view name) {
    std::uint64_t const bit = device < 64 ? std::uint64_t{1} << device : 0;
    if (name.empty() && (bit == 0 || (named_devices_ & bit) != 0)) return;
    bool const first = (named_devices_ & bit) == 0;
    named_devices_ |= bit;
    begin("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":");
    out_.number(detail::gpu_process + device);
    out_.text(",\"args\":{\"name\":\"GPU ");
    out_.number(device);
    if (!name.empty()) out_.text(": ");
    write_json_characters(out_, name);
    out_.text("\"}}");
    end_event();
    if (!first) return;
    begin("{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":");
    out_.number(detail::gpu_process + device);
    out_.text(",\"args\":{\"sort_index\":");
    out_.number(device + 1);
    out_.text("}}");
    end_event();
}

GPUPROF_INLINE void trace_event_writer::name_lane(trace_track& track, std::size_t lane) {
    for (; track.named <= lane; ++track.named) {
        begin("{\"ph\":\"M\",\"name\":\"thread_name\"");
        place({track.process, track.first_thread + track.named});
        out_.text(",\"args\":{\"name\":\"");
        switch (track.kind) {
            case track_kind::stream:
                out_.text("context ");
                out_.number(track.context);
                out_.text(" stream ");
                out_.number(track.stream);
                break;
            case track_kind::synchronization:
                out_.text("context ");
                out_.number(track.context);
                out_.text(" synchronization");
                break;
            case track_kind::overhead: out_.text("overhead"); break;
            case track_kind::unified_memory: out_.text("unified memory"); break;
            case track_kind::compilation: out_.text("compilation"); break;
            case track_kind::others: out_.text("other streams"); break;
        }
        if (track.named > 0) {
            out_.text(" (overlapping ");
            out_.number(unsigned{track.named});
            out_.character(')');
        }
        out_.text("\"}}");
        end_event();
        begin("{\"ph\":\"M\",\"name\":\"thread_sort_index\"");
        place({track.process, track.first_thread + track.named});
        out_.text(",\"args\":{\"sort_index\":");
        out_.number(track.first_thread + track.named);
        out_.text("}}");
        end_event();
    }
}

GPUPROF_INLINE trace_event_writer::place_in_file trace_event_writer::on_track(std::uint32_t process, track_kind kind,
                                                                              std::uint32_t context,
                                                                              std::uint64_t stream,
                                                                              activity::interval const& time) {
    trace_track& track = tracks_.of(process, kind, context, stream);
    auto const [lane, overlaps] = track.occupy(time.start.ticks, time.end.ticks);
    if (overlaps) ++losses_.overlapping;
    if (track.named <= lane) name_lane(track, lane);
    return {process, track.first_thread + static_cast<std::uint32_t>(lane)};
}

GPUPROF_INLINE trace_event_writer::place_in_file trace_event_writer::on_device(std::uint32_t device, track_kind kind,
                                                                               std::uint32_t context,
                                                                               std::uint64_t stream,
                                                                               activity::interval const& time) {
    name_device(device, {});
    return on_track(detail::gpu_process + device, kind, context, stream, time);
}

// --- parts of events

GPUPROF_INLINE void trace_event_writer::begin(std::string_view head) {
    out_.text(events_++ == 0 ? std::string_view{"\n"} : std::string_view{",\n"});
    out_.text(head);
}

GPUPROF_INLINE void trace_event_writer::end_event() {
    if (!out_.full()) return;
    make_ending();
    out_.send(ending_);
}

GPUPROF_INLINE void trace_event_writer::place(place_in_file at) {
    out_.text(",\"pid\":");
    out_.number(at.process);
    out_.text(",\"tid\":");
    out_.number(at.thread);
}

GPUPROF_INLINE void trace_event_writer::begin_interval(std::string_view name_json, std::string_view category,
                                                       place_in_file at, activity::interval const& time) {
    begin("{\"ph\":\"X\",\"name\":\"");
    out_.text(name_json);
    rest_of_interval(category, at, time);
}

// What follows the name.
GPUPROF_INLINE void trace_event_writer::rest_of_interval(std::string_view category, place_in_file at,
                                                         activity::interval const& time) {
    out_.text("\",\"cat\":\"");
    out_.text(category);
    out_.character('"');
    place(at);
    out_.text(",\"ts\":");
    out_.thousandths(since_base(time.start));
    out_.text(",\"dur\":");
    out_.thousandths(time.end > time.start ? time.end.ticks - time.start.ticks : 0);
    out_.text(",\"args\":{");
}

GPUPROF_INLINE void trace_event_writer::end_interval() {
    out_.text("}}");
    end_event();
}

GPUPROF_INLINE void trace_event_writer::flow(char phase, std::uint32_t correlation, std::optional<std::uint64_t> node,
                                             place_in_file at, std::uint64_t time) {
    begin("{\"ph\":\"");
    out_.character(phase);
    out_.text(phase == 'f' ? std::string_view{"\",\"bp\":\"e\",\"id\":\""} : std::string_view{"\",\"id\":\""});
    std::uint64_t const folded = node ? *node ^ *node >> 32 : 0;
    out_.hexadecimal(node ? std::uint64_t{correlation} << 32 | (folded & 0xffffffffu) : correlation);
    out_.text("\",\"name\":\"starts\",\"cat\":\"flow\"");
    place(at);
    out_.text(",\"ts\":");
    out_.thousandths(time - base_);
    out_.character('}');
    end_event();
}

GPUPROF_INLINE void trace_event_writer::tie_to_call(std::uint32_t correlation) {
    out_.text("\"correlation\":");
    out_.number(correlation);
    std::uint64_t const* const scope = links_.scopes.find(correlation);
    if (scope == nullptr) return;
    if (short_name const* const name = links_.scope_names.find(*scope)) {
        out_.text(",\"scope\":");
        write_json_string(out_, name->view());
    }
    out_.text(",\"scope number\":");
    out_.number(*scope);
}

GPUPROF_INLINE void trace_event_writer::arrow_from_call(std::uint32_t correlation, std::optional<std::uint64_t> node,
                                                        place_in_file at, std::uint64_t time) {
    if (!options_.flows || correlation == 0) return;
    // Each node of a graph gets an arrow of its own, where the call is remembered: chrome://tracing draws one end of a flow.
    call_place const* const call = node ? links_.calls.find(correlation) : nullptr;
    if (call != nullptr) flow('s', correlation, node, {call->process, call->thread}, call->start);
    flow('f', correlation, call != nullptr ? node : std::nullopt, at, time);
}

GPUPROF_INLINE void trace_event_writer::graph_arguments(std::optional<std::uint64_t> node,
                                                        std::optional<std::uint32_t> graph) {
    if (graph) {
        out_.text(",\"graph\":");
        out_.number(*graph);
    }
    if (node) {
        out_.text(",\"graph node\":\"");
        out_.number(*node);
        out_.character('"');
    }
}

namespace detail {

inline void write_dimensions(output& to, activity::dimensions const& of) {
    to.character('[');
    to.number(of.x);
    to.character(',');
    to.number(of.y);
    to.character(',');
    to.number(of.z);
    to.character(']');
}

// Bytes, and how many there were in a nanosecond, which is GB/s.
inline void write_transfer(output& to, bytes size, activity::interval const& time) {
    to.text(",\"bytes\":");
    to.number(size.count());
    auto const duration = time.end > time.start ? time.end.ticks - time.start.ticks : 0;
    if (duration == 0) return;
    to.text(",\"GB/s\":");
    to.real(size.value() / static_cast<double>(duration));
}

inline void write_memory_kinds(output& to, activity::memory_kind from, activity::memory_kind into) {
    to.text(",\"from\":\"");
    to.text(to_text(from));
    to.text("\",\"to\":\"");
    to.text(to_text(into));
    to.character('"');
}

} // namespace detail

// --- records

GPUPROF_INLINE void trace_event_writer::draw(activity::kernel const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    kernel_name const& name = names_.of(of.name);
    begin_interval(name.shown_json, "kernel", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    out_.text(",\"grid\":");
    detail::write_dimensions(out_, of.grid);
    out_.text(",\"block\":");
    detail::write_dimensions(out_, of.block);
    if (of.cluster_x && *of.cluster_x != 0) {
        out_.text(",\"cluster\":[");
        out_.number(*of.cluster_x);
        out_.character(',');
        out_.number(of.cluster_y.value_or(0));
        out_.character(',');
        out_.number(of.cluster_z.value_or(0));
        out_.character(']');
    }
    out_.text(",\"registers per thread\":");
    out_.number(of.registers_per_thread);
    out_.text(",\"static shared memory\":");
    out_.number(of.static_shared_memory.count());
    out_.text(",\"dynamic shared memory\":");
    out_.number(of.dynamic_shared_memory.count());
    if (of.submitted.known() && of.time.start > of.submitted) {
        out_.text(",\"waited on GPU (ns)\":");
        out_.number(of.time.start.ticks - of.submitted.ticks);
    }
    if (of.queued.known() && of.submitted > of.queued) {
        out_.text(",\"waited in queue (ns)\":");
        out_.number(of.submitted.ticks - of.queued.ticks);
    }
    if (!name.mangled_json.empty()) {
        out_.text(",\"mangled\":\"");
        out_.text(name.mangled_json);
        out_.character('"');
    }
    end_interval();
    arrow_from_call(of.correlation, of.graph_node, at, of.time.start.ticks);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memcpy const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    scratch_ = "copy ";
    scratch_ += to_text(of.direction);
    begin_interval(scratch_, "copy", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_transfer(out_, of.size, of.time);
    detail::write_memory_kinds(out_, of.from, of.to);
    out_.text(of.asynchronous() ? ",\"asynchronous\":true" : ",\"asynchronous\":false");
    end_interval();
    arrow_from_call(of.correlation, of.graph_node, at, of.time.start.ticks);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::peer_memcpy const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin_interval("copy peer to peer", "copy", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_transfer(out_, of.size, of.time);
    detail::write_memory_kinds(out_, of.from, of.to);
    out_.text(",\"from device\":");
    out_.number(of.from_device);
    out_.text(",\"to device\":");
    out_.number(of.to_device);
    out_.text(of.asynchronous() ? ",\"asynchronous\":true" : ",\"asynchronous\":false");
    end_interval();
    arrow_from_call(of.correlation, of.graph_node, at, of.time.start.ticks);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::memset const& of) {
    if (!drawable(of.time)) return;
    auto const at = on_device(of.device, track_kind::stream, of.context, of.stream, of.time);
    begin_interval("set memory", "set", at, of.time);
    tie_to_call(of.correlation);
    graph_arguments(of.graph_node, of.graph);
    detail::write_transfer(out_, of.size, of.time);
    out_.text(",\"value\":");
    out_.number(of.value);
    out_.text(",\"memory\":\"");
    out_.text(to_text(of.memory));
    out_.text(of.asynchronous() ? "\",\"asynchronous\":true" : "\",\"asynchronous\":false");
    end_interval();
    arrow_from_call(of.correlation, of.graph_node, at, of.time.start.ticks);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::api_call const& of) {
    if (!drawable(of.time)) return;
    place_in_file const at{of.process, of.thread};
    name_process(of.process);
    std::string_view const domain = of.kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME  ? "runtime"
                                    : of.kind == abi::CUPTI_ACTIVITY_KIND_DRIVER ? "driver"
                                                                                 : "internal";
    std::string_view const name =
        options_.name_of_call != nullptr ? options_.name_of_call(of.kind, of.callback) : std::string_view{};
    begin("{\"ph\":\"X\",\"name\":\"");
    if (name.empty()) {
        out_.text(domain);
        out_.text(" call ");
        out_.number(of.callback);
    } else {
        write_json_characters(out_, name);
    }
    rest_of_interval(domain, at, of.time);
    tie_to_call(of.correlation);
    if (of.status != 0) {
        out_.text(",\"status\":");
        out_.number(of.status);
    }
    end_interval();
    if (!options_.flows || of.correlation == 0 || links_.calls.find(of.correlation) != nullptr) return;
    links_.calls.put(of.correlation) = {at.process, at.thread, of.time.start.ticks};
    flow('s', of.correlation, {}, at, of.time.start.ticks);
}

GPUPROF_INLINE void trace_event_writer::draw(activity::external_correlation const& of) {
    if (of.kind == options_.scope_kind) links_.scopes.put(of.correlation) = of.id;
}

GPUPROF_INLINE void trace_event_writer::draw(traced_scope const& of) {
    links_.scope_names.put(of.number).set(of.name);
    if (!drawable(of.time)) return;
    place_in_file const at{options_.process, of.thread};
    name_process(at.process);
    begin("{\"ph\":\"X\",\"name\":\"");
    write_json_characters(out_, of.name);
    rest_of_interval("scope", at, of.time);
    out_.text("\"scope number\":");
    out_.number(of.number);
    end_interval();
}

GPUPROF_INLINE void trace_event_writer::counter(std::string_view name, activity::timestamp at, double value,
                                                std::optional<std::uint32_t> device) {
    if (!drawable(at)) return;
    if (!std::isfinite(value)) {
        ++losses_.not_finite;
        return;
    }
    if (device) name_device(*device, {});
    else name_process(options_.process);
    begin("{\"ph\":\"C\",\"name\":");
    write_json_string(out_, name);
    out_.text(",\"pid\":");
    out_.number(device ? detail::gpu_process + *device : options_.process);
    out_.text(",\"ts\":");
    out_.thousandths(since_base(at));
    out_.text(",\"args\":{\"value\":");
    out_.real(value);
    out_.text("}}");
    end_event();
}

// --- the end

GPUPROF_INLINE void trace_event_writer::make_ending() {
    ending_ = "\n],\"otherData\":{\"writer\":\"gpuprof\",\"base_ns\":\"";
    ending_ += std::to_string(base_);
    ending_ += "\",\"records_without_time\":";
    ending_ += std::to_string(losses_.without_time);
    ending_ += ",\"records_before_base\":";
    ending_ += std::to_string(losses_.before_base);
    ending_ += ",\"intervals_overlapping\":";
    ending_ += std::to_string(losses_.overlapping);
    ending_ += ",\"counters_not_finite\":";
    ending_ += std::to_string(losses_.not_finite);
    ending_ += ",\"records_not_drawn\":{";
    constexpr std::string_view names[] = {"unknown"
#define GPUPROF_IO_NAME(type) , #type
                                          GPUPROF_ACTIVITY_RECORDS(GPUPROF_IO_NAME)
#undef GPUPROF_IO_NAME
                                              ,
                                          "other"};
    static_assert(sizeof names / sizeof *names == kinds + 1);
    bool first = true;
    for (std::size_t i = 0; i <= kinds; ++i) {
        if (not_drawn_of_[i] == 0) continue;
        ending_ += first ? "\"" : ",\"";
        ending_ += names[i];
        ending_ += "\":";
        ending_ += std::to_string(not_drawn_of_[i]);
        first = false;
    }
    ending_ += "}}}\n";
}

GPUPROF_INLINE result<void> trace_event_writer::flush() {
    if (!finished_) {
        make_ending();
        out_.send(ending_);
    }
    if (out_.failure()) return *out_.failure();
    return {};
}

GPUPROF_INLINE result<void> trace_event_writer::finish() {
    if (!finished_) {
        finished_ = true;
        make_ending();
        out_.text(ending_);
        out_.send({});
    }
    if (out_.failure()) return *out_.failure();
    return {};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_EVENT_INL_HPP
