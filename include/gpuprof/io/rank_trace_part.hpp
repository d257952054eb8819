// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the trace of one rank, event by event, and writes its events as they are in the joint file.
#ifndef GPUPROF_IO_RANK_TRACE_PART_HPP
#define GPUPROF_IO_RANK_TRACE_PART_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/machine/platform/input_file.hpp"
#include "../ranks/collective_join.hpp"
#include "../ranks/rank_clock.hpp"
#include "../text/json_text.hpp"
#include "../text/text_appender.hpp"
#include "trace_tracks.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// A number in a line: where its digits are.
struct line_number {
    std::size_t begin = std::string_view::npos;
    std::size_t end = 0;
    [[nodiscard]] bool is_there() const noexcept { return begin != std::string_view::npos; }
    [[nodiscard]] std::string_view in(std::string_view line) const noexcept { return line.substr(begin, end - begin); }
};

// An event as trace_event_writer writes it: a line, with these members in this order. A quote within a text has a backslash before it,
// so that the keys are found by their quotes.
struct event_line {
    std::string_view text;
    char phase = 0;
    std::string_view name; // as JSON
    line_number id, process, thread, time, duration;

    [[nodiscard]] static std::optional<event_line> of(std::string_view line) noexcept {
        constexpr std::string_view head = "{\"ph\":\"";
        if (line.ends_with(',')) line.remove_suffix(1);
        if (!line.starts_with(head) || line.size() < head.size() + 2 || !line.ends_with('}')) return {};
        event_line made;
        made.text = line;
        made.phase = line[head.size()];
        std::size_t const arguments = std::min(line.find(",\"args\":"), line.size());
        std::string_view const before = line.substr(0, arguments);
        auto const number = [&](std::string_view key, std::size_t from, std::string_view letters) {
            line_number found;
            std::size_t const at = before.find(key, from);
            if (at == before.npos) return found;
            found.begin = at + key.size();
            found.end = std::min(before.find_first_not_of(letters, found.begin), before.size());
            return found;
        };
        constexpr std::string_view digits = "0123456789.";
        made.process = number(",\"pid\":", 0, digits);
        if (!made.process.is_there()) return {};
        made.thread = number(",\"tid\":", made.process.end, digits);
        made.time = number(",\"ts\":", made.process.end, digits);
        made.duration = number(",\"dur\":", made.process.end, digits);
        made.id = number("\"id\":\"0x", 0, "0123456789abcdef");
        constexpr std::string_view key = "\"name\":\"";
        if (std::size_t const at = before.find(key); at != before.npos) {
            std::size_t const begin = at + key.size();
            std::size_t end = begin;
            while (end < before.size() && before[end] != '"') end += before[end] == '\\' ? 2 : 1;
            made.name = before.substr(begin, std::min(end, before.size()) - begin);
        }
        return made;
    }
    [[nodiscard]] std::uint64_t number(line_number const& of, int base = 10) const noexcept {
        std::uint64_t value = 0;
        if (of.is_there()) std::from_chars(text.data() + of.begin, text.data() + of.end, value, base);
        return value;
    }
    // Of microseconds with three decimals.
    [[nodiscard]] std::uint64_t nanoseconds(line_number const& of) const noexcept {
        if (!of.is_there()) return 0;
        std::uint64_t const whole = number(of);
        std::size_t const point = of.in(text).find('.');
        std::uint64_t part = 0;
        if (point != std::string_view::npos)
            std::from_chars(text.data() + of.begin + point + 1, text.data() + of.end, part);
        return whole * 1000 + part;
    }
    [[nodiscard]] bool is_kernel() const noexcept { return text.find("\",\"cat\":\"kernel\",\"pid\":") != text.npos; }
    // The name that an event of phase M gives.
    [[nodiscard]] std::string_view given_name() const noexcept {
        constexpr std::string_view key = ",\"args\":{\"name\":\"", ending = "\"}}";
        std::size_t const at = text.find(key);
        if (at == text.npos || !text.ends_with(ending)) return {};
        return text.substr(at + key.size(), text.size() - ending.size() - at - key.size());
    }
};

// The lines of a file, one after another.
class line_reader {
public:
    explicit line_reader(std::string const& path) : file_{path} {}
    [[nodiscard]] bool is_open() const noexcept { return file_.is_open(); }
    // False at the end. The line is good until the next call. What has no line end is no line: a program died there.
    [[nodiscard]] bool next(std::string_view& line) {
        for (std::size_t searched = at_;;) {
            std::size_t const end = buffer_.find('\n', searched);
            if (end != buffer_.npos) {
                line = std::string_view{buffer_}.substr(at_, end - at_);
                at_ = end + 1;
                return true;
            }
            buffer_.erase(0, at_);
            at_ = 0;
            searched = buffer_.size();
            constexpr std::size_t part = std::size_t{256} * 1024;
            buffer_.resize(searched + part);
            std::size_t const count = file_.read(buffer_.data() + searched, part);
            buffer_.resize(searched + count);
            if (count == 0) return false;
        }
    }

private:
    platform::input_file file_;
    std::string buffer_{};
    std::size_t at_ = 0;
};

// A rank's place in the joint file: its process there, and those of its other GPUs.
class rank_processes {
public:
    static constexpr std::uint32_t most_gpus = 64;
    rank_processes(std::size_t rank, std::size_t size) noexcept
        : own_{static_cast<std::uint32_t>(rank) + 1},
          others_{static_cast<std::uint32_t>(size + 1 + rank * most_gpus)} {}

    [[nodiscard]] std::uint32_t own() const noexcept { return own_; }
    // A GPU of the part. True: it has a process of its own, for an earlier GPU has the rank's.
    bool add_gpu(std::uint32_t process) {
        if (std::find(gpus_.begin(), gpus_.end(), process) == gpus_.end()) gpus_.push_back(process);
        return of(process) != own_;
    }
    // The program and the first GPU are one process.
    [[nodiscard]] std::uint32_t of(std::uint64_t process) const noexcept {
        for (std::size_t i = 1; i < gpus_.size() && i < most_gpus; ++i)
            if (gpus_[i] == process) return others_ + static_cast<std::uint32_t>(i);
        return own_;
    }

private:
    std::uint32_t own_, others_;
    std::vector<std::uint32_t> gpus_{};
};

// What was read of a rank's file before it is joined. Moments are of rank 0's clock.
struct part_scan {
    struct kernel {
        std::uint64_t begin = 0, end = 0;
        std::uint64_t stream = 0;              // of the rank, from 0 on
        std::size_t name = 0;                  // names[name]
        std::size_t index = 0;                 // among those of this name and stream
        std::uint32_t process = 0, thread = 0; // in the joint file
    };
    bool is_open = false;
    bool is_whole = false;    // the file ends as it should
    std::uint64_t base = 0;   // of its times, in its clock
    std::string other_data{}; // what it says of itself, as JSON
    std::uint64_t first_event = ranks::detail::trace_summary::no_time;
    std::vector<std::string> names{}; // of collectives, as JSON
    std::vector<kernel> kernels{};    // collectives, in the order of the file
    std::size_t left_out = 0;
};

// The last line of a file has its base, and stands after the events: it is looked for first.
[[nodiscard]] inline bool read_ending(std::string const& path, part_scan& into) {
    line_reader lines{path};
    into.is_open = lines.is_open();
    constexpr std::string_view head = "],\"otherData\":", base = "\"base_ns\":\"";
    for (std::string_view line; lines.next(line);) {
        if (!line.starts_with(head) || !line.ends_with("}}")) continue;
        into.other_data = std::string{line.substr(head.size(), line.size() - head.size() - 1)};
        std::size_t const at = into.other_data.find(base);
        if (at == into.other_data.npos) return false;
        std::from_chars(into.other_data.data() + at + base.size(), into.other_data.data() + into.other_data.size(),
                        into.base);
        return into.is_whole = true;
    }
    return false;
}

[[nodiscard]] inline part_scan scan_part(std::string const& path, ranks::rank_clock const& clock,
                                         std::string_view prefix, std::size_t most, rank_processes processes) {
    part_scan made;
    if (!read_ending(path, made)) return made;
    line_reader lines{path};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> tracks; // process and track of each kernel's stream
    std::vector<std::size_t> track_of;                           // of each kernel
    for (std::string_view line; lines.next(line);) {
        auto const event = event_line::of(line);
        if (!event) continue;
        std::uint64_t const process = event->number(event->process);
        if (event->phase == 'M') {
            if (event->name == "process_name" && event->given_name().starts_with("GPU "))
                static_cast<void>(processes.add_gpu(static_cast<std::uint32_t>(process)));
            continue;
        }
        if (!event->time.is_there()) continue;
        std::uint64_t const local = made.base + event->nanoseconds(event->time);
        std::uint64_t const begin = clock.to_rank_0(local);
        made.first_event = std::min(made.first_event, begin);
        if (prefix.empty() || !event->name.starts_with(prefix) || !event->is_kernel()) continue;
        if (made.kernels.size() == most) {
            ++made.left_out;
            continue;
        }
        std::uint64_t const thread = event->number(event->thread);
        std::pair const track{process, thread < trace_tracks::first_thread
                                           ? thread
                                           : (thread - trace_tracks::first_thread) / trace_track::lanes};
        auto const known = std::find(tracks.begin(), tracks.end(), track);
        track_of.push_back(static_cast<std::size_t>(known - tracks.begin()));
        if (known == tracks.end()) tracks.push_back(track);
        auto const named = std::find(made.names.begin(), made.names.end(), event->name);
        std::size_t const name = static_cast<std::size_t>(named - made.names.begin());
        if (named == made.names.end()) made.names.emplace_back(event->name);
        made.kernels.push_back({begin, clock.to_rank_0(local + event->nanoseconds(event->duration)), 0, name, 0,
                                processes.of(process), static_cast<std::uint32_t>(thread)});
    }
    // Buffers of CUPTI come in any order: streams and kernels are numbered by their time.
    std::vector<std::size_t> order(made.kernels.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return made.kernels[a].begin < made.kernels[b].begin; });
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> stream_of(tracks.size(), none);
    std::vector<std::size_t> count(tracks.size() * made.names.size());
    std::size_t streams = 0;
    for (std::size_t const at : order) {
        std::size_t& stream = stream_of[track_of[at]];
        if (stream == none) stream = streams++;
        made.kernels[at].stream = stream;
        made.kernels[at].index = count[track_of[at] * made.names.size() + made.kernels[at].name]++;
    }
    return made;
}

// What a rank gives to the joint file.
class part_events {
public:
    struct context {
        std::size_t rank = 0, size = 1;
        std::uint64_t base = 0; // of the joint file
        std::uint64_t group = 0;
        std::string const* place = nullptr;
        ranks::rank_clock const* clock = nullptr;
        ranks::detail::trace_summary const* all = nullptr;
    };
    part_events(std::string const& path, part_scan const& scan, context const& in)
        : lines_{path}, scan_{&scan}, in_{in}, processes_{in.rank, in.size} {
        for (auto const& each : in.all->sequences) {
            first_number_.push_back(numbers_);
            numbers_ += each.list.size();
        }
    }

    [[nodiscard]] std::uint64_t events() const noexcept { return events_; }
    // Appends lines, each with a comma and a line end before it, until it has about `size` bytes. False after the last one.
    [[nodiscard]] bool next(std::string& into, std::size_t size) {
        if (std::exchange(is_first_, false)) name_rank(into);
        std::string_view line;
        while (into.size() < size) {
            if (!scan_->is_whole || !lines_.next(line)) return false;
            if (auto const event = event_line::of(line)) add(*event, into);
        }
        return true;
    }

private:
    void begin(std::string& into) {
        into += ",\n";
        ++events_;
    }
    // An event of phase M about a process.
    void name(std::string& into, std::string_view what, std::uint32_t process, std::string_view key_and_value) {
        using gpuprof::detail::text_appender;
        begin(into);
        text_appender const to{into};
        to.text("{\"ph\":\"M\",\"name\":\"");
        to.text(what);
        to.text("\",\"pid\":");
        to.number(process);
        to.text(",\"tid\":");
        to.number(process);
        to.text(",\"args\":{");
        to.text(key_and_value);
        to.text("}}");
    }
    void name_rank(std::string& into) {
        std::string shown;
        gpuprof::detail::text_appender const to{shown};
        std::string const called = "rank " + std::to_string(in_.rank) + ", " + *in_.place;
        to.text("\"name\":");
        gpuprof::detail::write_json_string(to, called);
        name(into, "process_name", processes_.own(), shown);
        name(into, "process_sort_index", processes_.own(),
             "\"sort_index\":" + std::to_string(in_.rank * rank_processes::most_gpus));
    }
    [[nodiscard]] std::uint64_t moment(std::uint64_t of_part) const noexcept {
        std::uint64_t const at = in_.clock->to_rank_0(scan_->base + of_part);
        return at > in_.base ? at - in_.base : 0;
    }
    static void microseconds(std::string& into, std::uint64_t nanoseconds) {
        gpuprof::detail::text_appender const to{into};
        to.number(nanoseconds / 1000);
        std::string const part = std::to_string(1000 + nanoseconds % 1000);
        into += '.';
        into.append(part, 1, 3);
    }

    void add(event_line const& event, std::string& into) {
        std::uint64_t const process = event.number(event.process);
        if (event.phase == 'M' && event.name.starts_with("process_")) {
            if (event.name != "process_name" || !event.given_name().starts_with("GPU ") ||
                !processes_.add_gpu(static_cast<std::uint32_t>(process)))
                return;
            std::uint32_t const own = processes_.of(process);
            name(into, "process_name", own,
                 "\"name\":\"rank " + std::to_string(in_.rank) + ", " + std::string{event.given_name()} + "\"");
            name(into, "process_sort_index", own,
                 "\"sort_index\":" + std::to_string(in_.rank * rank_processes::most_gpus + 1));
            return;
        }
        begin(into);
        std::size_t written = 0; // of the line
        auto const replace = [&](line_number const& number, auto write) {
            if (!number.is_there()) return;
            into.append(event.text, written, number.begin - written);
            write();
            written = number.end;
        };
        std::uint64_t const of_part = event.nanoseconds(event.time), start = moment(of_part);
        gpuprof::detail::text_appender const to{into};
        replace(event.id, [&] { hexadecimal(into, event.number(event.id, 16) ^ std::uint64_t{in_.rank} << 48); });
        replace(event.process, [&] { to.number(processes_.of(process)); });
        replace(event.time, [&] { microseconds(into, start); });
        std::uint64_t const length =
            event.duration.is_there() ? moment(of_part + event.nanoseconds(event.duration)) - start : 0;
        replace(event.duration, [&] { microseconds(into, length); });
        bool const is_joined = kernel_ < scan_->kernels.size() && event.is_kernel() &&
                               event.name == scan_->names[scan_->kernels[kernel_].name];
        if (!is_joined) {
            into.append(event.text, written);
            return;
        }
        into.append(event.text, written, event.text.size() - 2 - written);
        add_collective(scan_->kernels[kernel_++], length, into);
    }

    // The end of a collective's kernel, its wait as a slice within it, and the arrow from the rank that it waited for.
    void add_collective(part_scan::kernel const& kernel, std::uint64_t length, std::string& into) {
        gpuprof::detail::text_appender const to{into};
        std::size_t sequence = 0;
        auto const& all = in_.all->sequences;
        while (sequence < all.size() && (all[sequence].group != in_.group || all[sequence].stream != kernel.stream ||
                                         all[sequence].name != scan_->names[kernel.name]))
            ++sequence;
        if (sequence == all.size() || kernel.index >= all[sequence].list.size()) {
            into += "}}";
            return;
        }
        ranks::detail::joined_collective const& joint = all[sequence].list[kernel.index];
        std::uint64_t const number = first_number_[sequence] + kernel.index;
        std::uint64_t const wait = std::min(joint.last_begin - std::min(joint.last_begin, kernel.begin), length);
        to.text(",\"collective\":");
        to.number(number);
        to.text(",\"ranks\":");
        to.number(joint.ranks);
        to.text(",\"last rank\":");
        to.number(joint.last_rank);
        to.text(",\"wait (ns)\":");
        to.number(wait);
        to.text(",\"work (ns)\":");
        to.number(length - wait);
        to.text("}}");
        if (wait == 0 || joint.last_rank == in_.rank) return;
        std::uint64_t const start = kernel.begin - in_.base;
        begin(into);
        to.text("{\"ph\":\"X\",\"name\":\"wait for rank ");
        to.number(joint.last_rank);
        to.text("\",\"cat\":\"wait\"");
        place(into, kernel.process, kernel.thread, start);
        to.text(",\"dur\":");
        microseconds(into, wait);
        to.text(",\"args\":{\"collective\":");
        to.number(number);
        to.text("}}");
        if (wait == length) return; // it ended before the last one began: nobody released it
        std::uint64_t const id = std::uint64_t{1} << 63 | number << 16 | (in_.rank & 0xffff);
        std::uint64_t const released = joint.last_begin - in_.base;
        arrow('s', id, joint.last_process, joint.last_thread, released, into);
        // Within the slice: an arrow ends after it begins.
        arrow('f', id, kernel.process, kernel.thread, std::min(released + 1, start + length), into);
    }
    void arrow(char phase, std::uint64_t id, std::uint32_t process, std::uint32_t thread, std::uint64_t at,
               std::string& into) {
        begin(into);
        into += "{\"ph\":\"";
        into += phase;
        into += phase == 'f' ? "\",\"bp\":\"e\",\"id\":\"0x" : "\",\"id\":\"0x";
        hexadecimal(into, id);
        into += "\",\"name\":\"releases\",\"cat\":\"collective\"";
        place(into, process, thread, at);
        into += '}';
    }
    static void hexadecimal(std::string& into, std::uint64_t value) {
        char digits[16];
        into.append(digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr);
    }
    static void place(std::string& into, std::uint32_t process, std::uint32_t thread, std::uint64_t at) {
        gpuprof::detail::text_appender const to{into};
        to.text(",\"pid\":");
        to.number(process);
        to.text(",\"tid\":");
        to.number(thread);
        to.text(",\"ts\":");
        microseconds(into, at);
    }

    line_reader lines_;
    part_scan const* scan_;
    context in_;
    rank_processes processes_;
    std::vector<std::uint64_t> first_number_{}; // of the collectives of each sequence
    std::uint64_t numbers_ = 0;
    std::size_t kernel_ = 0;
    bool is_first_ = true;
    std::uint64_t events_ = 0;
};

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_RANK_TRACE_PART_HPP
