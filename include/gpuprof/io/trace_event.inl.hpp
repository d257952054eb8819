// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of trace_event.hpp.
#ifndef GPUPROF_IO_TRACE_EVENT_INL_HPP
#define GPUPROF_IO_TRACE_EVENT_INL_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../hw/machine/platform/process.hpp"
#include "../hw/machine/platform/process_number.hpp"
#include "../text/json_text.hpp"
#include "../text/text_appender.hpp"
#include "../hw/machine/platform/thread_name.hpp"
#include "../trace/thread_names.hpp"
#include "trace_event.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

inline constexpr std::uint64_t day = 86'400'000'000'000; // nanoseconds

} // namespace detail

GPUPROF_INLINE trace_event_writer::trace_event_writer(sink to, trace_event_options const& options)
    : options_{options}, out_{to} {
    if (options_.process == 0) options_.process = platform::process_number();
    program_ = platform::program_of("self");
    if (options_.base) base_ = options_.base->ticks;
    has_base_ = options_.base.has_value();
    ending_.reserve(4096);
    out_.text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

GPUPROF_INLINE trace_event_writer::~trace_event_writer() { static_cast<void>(finish()); }

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
    for (std::uint32_t const named : named_processes_)
        if (named == process) return;
    named_processes_[next_named_++ % 16] = process;
    std::string_view const program = process == platform::process_number() ? program_ : std::string_view{};
    begin("{\"ph\":\"M\",\"name\":\"process_name\"");
    place({process, process});
    out_.text(",\"args\":{\"name\":\"");
    if (program.empty()) out_.text("process");
    else gpuprof::detail::write_json_characters(out_, program);
    out_.text("\"}}");
    end_event();
    begin("{\"ph\":\"M\",\"name\":\"process_sort_index\"");
    place({process, process});
    out_.text(",\"args\":{\"sort_index\":0}}");
    end_event();
}

// Writes the name that a thread gave itself, or that the system has for it, unless it is the program's.
GPUPROF_INLINE void trace_event_writer::name_thread(std::uint32_t process, std::uint32_t thread) {
    std::uint32_t const* const known = links_.named_threads.find(thread);
    if (known != nullptr && *known == process) return;
    links_.named_threads.put(thread) = process;
    if (process != platform::process_number()) return;
    char room[gpuprof::detail::named_threads::longest];
    std::string_view name = gpuprof::detail::named_threads::of_process().find(thread, room);
    if (name.empty()) name = platform::thread_name(thread, room);
    if (name.empty() || (name == program_ && thread != process)) return;
    begin("{\"ph\":\"M\",\"name\":\"thread_name\"");
    place({process, thread});
    out_.text(",\"args\":{\"name\":");
    gpuprof::detail::write_json_string(out_, name);
    out_.text("}}");
    end_event();
}

GPUPROF_INLINE void trace_event_writer::name_device(std::uint32_t device, std::string_view name) {
    std::uint64_t const bit = device < 64 ? std::uint64_t{1} << device : 0;
    if (name.empty() && (bit == 0 || (named_devices_ & bit) != 0)) return;
    bool const first = (named_devices_ & bit) == 0;
    named_devices_ |= bit;
    std::uint32_t const process = gpu_process(device);
    begin("{\"ph\":\"M\",\"name\":\"process_name\"");
    place({process, process});
    out_.text(",\"args\":{\"name\":\"GPU ");
    out_.number(device);
    if (!name.empty()) out_.text(": ");
    gpuprof::detail::write_json_characters(out_, name);
    out_.text("\"}}");
    end_event();
    if (!first) return;
    begin("{\"ph\":\"M\",\"name\":\"process_sort_index\"");
    place({process, process});
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
            case track_kind::stream: { // short: viewers cut names after some 20 characters
                out_.text("stream ");
                out_.number(track.stream);
                std::uint32_t const device = track.process - gpu_process(0);
                if (device < 64 && first_context_[device] == 0) first_context_[device] = track.context;
                if (device < 64 && first_context_[device] == track.context) break;
                out_.text(" of context ");
                out_.number(track.context);
                break;
            }
            case track_kind::synchronization:
                out_.text("waits of context ");
                out_.number(track.context);
                break;
            case track_kind::overhead:
                out_.text("overhead");
                if (track.context == 0) break;
                out_.text(" of thread ");
                out_.number(track.context);
                break;
            case track_kind::unified_memory: out_.text("unified memory"); break;
            case track_kind::compilation: out_.text("compilation"); break;
            case track_kind::others: out_.text("other streams"); break;
        }
        out_.text(track.note);
        if (track.named > 0) {
            out_.text(" +");
            out_.number(unsigned{track.named});
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

GPUPROF_INLINE trace_event_writer::place_in_file trace_event_writer::on_thread(std::uint32_t process,
                                                                               std::uint32_t thread) {
    name_process(process);
    name_thread(process, thread);
    return {process, thread};
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
    return on_track(gpu_process(device), kind, context, stream, time);
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

// Writes the part of an event after its name.
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

GPUPROF_INLINE void trace_event_writer::flow(char phase, std::uint64_t id, place_in_file at, std::uint64_t time) {
    begin("{\"ph\":\"");
    out_.character(phase);
    out_.text(phase == 'f' ? std::string_view{"\",\"bp\":\"e\",\"id\":\""} : std::string_view{"\",\"id\":\""});
    out_.hexadecimal(id);
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
    std::uint64_t const* const known = scope_.batch == nullptr ? links_.scopes.find(correlation) : nullptr;
    std::uint64_t const scope = known != nullptr ? *known : scope_.number;
    if (scope == 0) return;
    short_name const* name = links_.scope_names.find(scope);
    if (name == nullptr && scope_.batch != nullptr) {
        short_name& path = links_.scope_names.put(scope);
        path.set(scope_.path(scope_.batch, scope));
        name = &path;
    }
    if (name != nullptr) {
        out_.text(",\"scope\":");
        gpuprof::detail::write_json_string(out_, name->view());
    }
    out_.text(",\"scope number\":");
    out_.number(scope);
}

// Draws an arrow of its own to each piece of work of a call: chrome://tracing draws one end of a flow.
GPUPROF_INLINE void trace_event_writer::arrow(std::uint32_t correlation, call_place& from, arrow_end const& to) {
    std::uint64_t const id = std::uint64_t{from.arrows++} << 32 | correlation;
    flow('s', id, {from.process, from.thread}, from.start);
    flow('f', id, {to.process, to.thread}, to.time);
}

// Draws the arrow now if the call has come, else when it comes.
GPUPROF_INLINE void trace_event_writer::arrow_from_call(std::uint32_t correlation, place_in_file at,
                                                        activity::interval const& time) {
    if (!options_.flows || correlation == 0) return;
    // A nanosecond inside the slice: Perfetto wants an arrow to begin before it ends, and a call
    // can begin with its kernel.
    std::uint64_t const inside = time.end.ticks > time.start.ticks + 1 ? 1 : 0;
    arrow_end const end{at.process, at.thread, time.start.ticks + inside};
    if (call_place* const call = links_.calls.find(correlation)) arrow(correlation, *call, end);
    else links_.ends.add(correlation, end);
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

// Writes a point of a curve; viewers show its name followed by the key.
GPUPROF_INLINE void trace_event_writer::value(std::string_view name, std::string_view key, std::uint32_t process,
                                              activity::timestamp at, double is) {
    begin("{\"ph\":\"C\",\"name\":");
    gpuprof::detail::write_json_string(out_, name);
    place({process, process});
    out_.text(",\"ts\":");
    out_.thousandths(since_base(at));
    out_.text(",\"args\":{\"");
    out_.text(key);
    out_.text("\":");
    out_.real(is);
    out_.text("}}");
    end_event();
}

GPUPROF_INLINE void trace_event_writer::counter(std::string_view name, activity::timestamp at, double is,
                                                std::optional<std::uint32_t> device) {
    if (!drawable(at)) return;
    if (!std::isfinite(is)) {
        ++losses_.not_finite;
        return;
    }
    if (device) name_device(*device, {});
    else name_process(options_.process);
    value(name, "value", device ? gpu_process(*device) : options_.process, at, is);
}

GPUPROF_INLINE void trace_event_writer::instant(std::string_view name, std::string_view category, place_in_file at,
                                                activity::timestamp time) {
    begin("{\"ph\":\"i\",\"s\":\"t\",\"name\":");
    gpuprof::detail::write_json_string(out_, name);
    out_.text(",\"cat\":\"");
    out_.text(category);
    out_.character('"');
    place(at);
    out_.text(",\"ts\":");
    out_.thousandths(since_base(time));
    out_.text(",\"args\":{");
}

// Begins or ends an interval that may overlap any other of its process.
GPUPROF_INLINE void trace_event_writer::async(char phase, std::string_view name, std::string_view category,
                                              std::uint32_t process, std::uint64_t id, activity::timestamp at) {
    begin("{\"ph\":\"");
    out_.character(phase);
    out_.text("\",\"id\":\"");
    out_.hexadecimal(id);
    out_.text("\",\"name\":"); // also at the end: Perfetto has a track for each name
    gpuprof::detail::write_json_string(out_, name);
    out_.text(",\"cat\":\"");
    out_.text(category);
    out_.character('"');
    place({process, process});
    out_.text(",\"ts\":");
    out_.thousandths(since_base(at));
    out_.text(",\"args\":{");
}

// --- the end

GPUPROF_INLINE void trace_event_writer::make_ending() {
    gpuprof::detail::text_appender const to{ending_}; // std::to_string would allocate for the base
    ending_ = "\n],\"otherData\":{\"writer\":\"gpuprof\",\"base_ns\":\"";
    to.number(base_);
    ending_ += "\",\"records_without_time\":";
    to.number(losses_.without_time);
    ending_ += ",\"records_before_base\":";
    to.number(losses_.before_base);
    ending_ += ",\"intervals_overlapping\":";
    to.number(losses_.overlapping);
    ending_ += ",\"ranges_unpaired\":";
    to.number(losses_.unpaired);
    ending_ += ",\"counters_not_finite\":";
    to.number(losses_.not_finite);
    ending_ += ",\"records_lost_before\":";
    to.number(losses_.lost_before);
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
        to.number(not_drawn_of_[i]);
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
        for (std::size_t i = 0; i < links_.ranges.size(); ++i) draw_open(links_.ranges[i]);
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
