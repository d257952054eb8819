// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of recording.hpp.
#ifndef GPUPROF_RECORDING_RECORDING_INL_HPP
#define GPUPROF_RECORDING_RECORDING_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/json_text.hpp"
#include "../text/printable.hpp"
#include "../hw/machine/platform/directory_lock.hpp"
#include "../hw/machine/platform/environment.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../measure/profiler_options.hpp"
#include "../measure/report.hpp"
#include "open.hpp"
#include "output_lines.hpp"
#include "playback.hpp"
#include "recorded_data.hpp"
#include "recording.hpp"
#include "recording_file.hpp"
#include "test_name.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A recording in progress, for one file.
struct running_recording {
    std::string path;
    hw::recording contents{};
    std::size_t saved = 0;   // collections, traces and outputs in the file
    bool of_program = false; // by GPUPROF_RECORD
    bool pauses = false;     // the variable names another file now
    bool is_locked = false;  // the directory was, by another process, when it was last to be written

    [[nodiscard]] std::size_t size() const noexcept {
        return contents.collections.size() + contents.traces.size() + contents.outputs.size();
    }
    // More seldom the more there is: a program of many collections would write for the square of
    // their number.
    [[nodiscard]] bool is_due() const noexcept { return size() > saved + saved / 8; }
};

// Those of this process. Its lock is held over nothing but memory and files.
struct running_recordings {
    platform::mutex mutex;
    std::vector<running_recording*> all;
    unsigned forks = platform::forks_so_far(); // of the process whose measurements these are

    [[nodiscard]] static running_recordings& instance() {
        static running_recordings& one = *new running_recordings; // NOLINT(bugprone-unhandled-exception-at-new)
        [[maybe_unused]] static bool const safe =
            platform::hold_over_fork([] { one.mutex.acquire(); }, [] { one.mutex.release(); });
        platform::watch_forks();
        return one;
    }

    // The child of a fork goes on with its parent's recordings, but what was measured before the
    // fork is the parent's to write. @pre the lock is held
    void forget_what_a_parent_measured() {
        if (forks == platform::forks_so_far()) return;
        forks = platform::forks_so_far();
        for (running_recording* const each : all) {
            each->contents.collections.clear();
            each->contents.traces.clear();
            each->contents.outputs.clear();
            each->saved = 0;
        }
    }
};

inline recorded_as*& innermost_label() noexcept {
    thread_local constinit recorded_as* label = nullptr;
    return label;
}

[[nodiscard]] bool same_device(hw::recorded_device const& a, hw::recorded_device const& b);
GPUPROF_INLINE bool same_device(hw::recorded_device const& a, hw::recorded_device const& b) {
    return a.name == b.name && a.chip == b.chip && a.capability.generation == b.capability.generation &&
           a.capability.revision == b.capability.revision && a.source == b.source && a.driver == b.driver &&
           a.cupti == b.cupti;
}

// @pre the lock of running_recordings is held
[[nodiscard]] result<void> try_save(running_recording& from);
GPUPROF_INLINE result<void> try_save(running_recording& from) {
    if (from.size() == 0) {
        error const why{errc::invalid_state, 0,
                        joined({"nothing was recorded for \"", printable_path(from.path), "\""}),
                        "no loop over passes(), trace or sampler has ended since the recording began", "measure first"};
        return why;
    }
    constexpr unsigned longest_wait_ms = 5000; // once, not for each measurement
    platform::directory_lock const alone{from.path, from.is_locked ? 0 : longest_wait_ms};
    from.is_locked = alone.late();
    if (from.is_locked) {
        error const why{errc::busy, 0, joined({"the recording \"", printable_path(from.path), "\" is not written"}),
                        "another process holds the lock of its directory", "record to a directory of one's own"};
        return why;
    }
    hw::recording all{from.contents.device, {}, {}, {}};
    auto const text = platform::read_file(from.path, hw::most_recording_bytes);
    if (!text && platform::is_there(from.path)) {
        error const why{errc::io, 0, joined({"\"", printable_path(from.path), "\" is not overwritten"}),
                        "it is there and is no file of at most 64 MiB that this user may read",
                        "remove it, or record to another file"};
        return why;
    }
    if (text && !text->empty()) {
        auto there = hw::try_parse_recording(*text);
        if (!there) {
            error why = there.error();
            why.what = joined({"\"", printable_path(from.path), "\" is not overwritten: ", why.what});
            why.remedy = "remove the file, or record to another one";
            return why;
        }
        auto const is_recorded_here = [&from](std::string const& label) {
            auto const is_its = [&label](auto const& each) { return each.label == label; };
            return std::ranges::any_of(from.contents.collections, is_its) ||
                   std::ranges::any_of(from.contents.traces, is_its) ||
                   std::ranges::any_of(from.contents.outputs, is_its);
        };
        if (same_device(there->device, from.contents.device)) {
            all.collections = std::move(there->collections);
            all.traces = std::move(there->traces);
            all.outputs = std::move(there->outputs);
            auto const is_replaced = [&](auto const& each) { return is_recorded_here(each.label); };
            std::erase_if(all.collections, is_replaced);
            std::erase_if(all.traces, is_replaced);
            std::erase_if(all.outputs, is_replaced);
        }
    }
    auto const join = [](auto& to, auto const& more) {
        to.insert(to.end(), more.begin(), more.end());
        std::stable_sort(to.begin(), to.end(), [](auto const& a, auto const& b) { return a.label < b.label; });
    };
    join(all.collections, from.contents.collections);
    join(all.traces, from.contents.traces);
    join(all.outputs, from.contents.outputs);
    std::string const whole = hw::to_text(all);
    if (whole.size() > hw::most_recording_bytes || !platform::write_file(from.path, whole)) {
        error const why{errc::io, 0, joined({"the recording \"", printable_path(from.path), "\" cannot be written"}),
                        whole.size() > hw::most_recording_bytes ? "it has more than 64 MiB"
                                                                : "its directory is not there or may not be written",
                        "record less, or to another file"};
        return why;
    }
    from.saved = from.size();
    return {};
}

// As the program ends, nobody else can be told.
void save_at_end();
GPUPROF_INLINE void save_at_end() {
    running_recordings& every = running_recordings::instance();
    platform::lock const held{every.mutex};
    every.forget_what_a_parent_measured();
    for (running_recording* const each : every.all)
        if (each->of_program && each->saved != each->size())
            if (auto saved = try_save(*each); !saved)
                std::fprintf(stderr, "gpuprof: %s\n", saved.error().message().c_str());
}

// Begins the recording for the file that GPUPROF_RECORD names now, at its first use. @pre the lock
// of running_recordings is held
void follow_environment(running_recordings& every);
GPUPROF_INLINE void follow_environment(running_recordings& every) {
    std::string path = platform::trusted_variable("GPUPROF_RECORD");
    bool first = true, known = path.empty();
    for (running_recording* const each : every.all) {
        if (!each->of_program) continue;
        each->pauses = each->path != path;
        known = known || !each->pauses;
        first = false;
    }
    if (known) return;
    every.all.push_back(new running_recording{std::move(path), {}, 0, true});
    if (first) static_cast<void>(std::atexit([] { save_at_end(); }));
}

// As a file keeps it.
[[nodiscard]] error of_text(error const& why);
GPUPROF_INLINE error of_text(error const& why) {
    return {why.code, why.status, valid_utf8(why.what), valid_utf8(why.cause), valid_utf8(why.remedy)};
}

[[nodiscard]] hw::recorded_collection collection_of(profiler_options const& options, report_contents const& contents);
GPUPROF_INLINE hw::recorded_collection collection_of(profiler_options const& options, report_contents const& contents) {
    hw::recorded_collection to;
    to.label = valid_utf8(recorded_as::current());
    to.hardware = valid_utf8(contents.hardware);
    to.kernels = options.ranges == range_mode::auto_range;
    completeness const& state = contents.completeness;
    to.passes_needed = state.passes_needed;
    to.replay_passes = state.replay_passes;
    to.other_threads = state.other_threads;
    to.cache_flushes = state.cache_flushes;
    for (error const& each : state.problems) to.problems.push_back(of_text(each));
    if (state.unwatched) to.unwatched = of_text(*state.unwatched);
    std::vector<std::size_t> column; // a metric that is asked for twice is recorded once
    for (std::size_t i = 0; i < contents.metrics.size(); ++i) {
        bool known = false;
        for (auto const& each : to.metrics) known = known || each.first == contents.metrics[i].name;
        if (known) continue;
        column.push_back(i);
        to.metrics.emplace_back(contents.metrics[i].name,
                                i < contents.fidelities.size() ? contents.fidelities[i] : fidelity::exact);
    }
    std::size_t const width = contents.metrics.size();
    for (std::size_t at = 0; at < contents.ranges.size(); ++at) {
        report_range const& range = contents.ranges[at];
        hw::recorded_range& recorded = to.ranges.emplace_back();
        recorded.path = names_of(contents, at);
        recorded.count = range.count;
        recorded.launches = launches_of(range);
        for (std::size_t const metric : column) {
            auto& list = recorded.values.emplace_back();
            for (std::size_t const row : range.rows) list.push_back(contents.values[row * width + metric]);
        }
        for (report_note const& each : contents.notes)
            for (std::size_t metric = 0; metric < column.size(); ++metric) {
                if (column[metric] != each.metric) continue;
                std::size_t repetition = 0;
                while (repetition < range.rows.size() && range.rows[repetition] != each.row) ++repetition;
                if (each.row == report_note::every_row) repetition = hw::recorded_note::every_repetition;
                else if (repetition == range.rows.size()) continue;
                auto& note = recorded.notes.emplace_back();
                note.metric = metric;
                note.repetition = repetition;
                note.value.number = each.value.number;
                note.value.text = valid_utf8(each.value.text);
                for (auto const& instance : each.value.instances)
                    note.value.instances.push_back(
                        {valid_utf8(instance.key), instance.number, valid_utf8(instance.text)});
                if (each.missing) note.missing = of_text(*each.missing);
            }
    }
    return to;
}

// @pre the lock of running_recordings is held
[[nodiscard]] result<void> try_join(running_recording& to, device const& gpu);
GPUPROF_INLINE result<void> try_join(running_recording& to, device const& gpu) {
    if (to.size() == 0) to.contents.device = hw::describe_device(gpu);
    hw::recorded_device const& known = to.contents.device;
    if (known.name != valid_utf8(gpu.name()) || known.chip != valid_utf8(gpu.chip()) || known.source != gpu.source()) {
        error const why{
            errc::invalid_state, 0,
            joined({"what was measured on ", gpu.name(), " is not recorded in \"", printable_path(to.path), "\""}),
            joined({"a recording has one device, and this one is of ", known.name}),
            "record each device in a program of its own"};
        return why;
    }
    return {};
}

// Adds what was made to each recording in progress. @return why some did not take it
template <class Item, class Describe>
[[nodiscard]] std::vector<error> add_to_all(device const& gpu, std::vector<Item> hw::recording::*list,
                                            Describe describe) {
    running_recordings& every = running_recordings::instance();
    platform::lock const held{every.mutex};
    every.forget_what_a_parent_measured();
    follow_environment(every);
    std::optional<Item> item;
    std::vector<error> lost;
    for (running_recording* const each : every.all) {
        if (each->pauses) continue;
        if (!item) item.emplace(describe());
        auto joined = try_join(*each, gpu);
        if (joined) {
            (each->contents.*list).push_back(*item);
            if (each->of_program && each->is_due()) joined = try_save(*each);
        }
        if (!joined) lost.push_back(std::move(joined).error());
    }
    return lost;
}

// A replay is not recorded again; nothing if that was not asked for.
[[nodiscard]] result<void> refuse_to_record_again();
GPUPROF_INLINE result<void> refuse_to_record_again() {
    if (platform::trusted_variable("GPUPROF_RECORD").empty()) return {};
    error const why{errc::invalid_state, 0, "GPUPROF_RECORD is set, and nothing is recorded",
                    "values of a recording are not recorded again", "measure on a device, or do not set the variable"};
    return why;
}

GPUPROF_INLINE result<device> file_recorder::try_open(std::string_view path) const {
    return hw::try_open_recording(path);
}

GPUPROF_INLINE void file_recorder::finish_collection(device const& gpu, profiler_options const& options,
                                                     report_contents& contents) const {
    std::vector<error>& problems = contents.completeness.problems;
    if (gpu.machine().recorded != nullptr) {
        bool const kernels = options.ranges == range_mode::auto_range;
        playback{*gpu.machine().recorded, recorded_as::current(), kernels, contents}.play();
        if (auto refused = refuse_to_record_again(); !refused) problems.push_back(std::move(refused).error());
        return;
    }
    auto const collection = [&] { return collection_of(options, contents); };
    for (error& lost : add_to_all(gpu, &hw::recording::collections, collection)) problems.push_back(std::move(lost));
}

GPUPROF_INLINE result<void> file_recorder::finish_trace(device const& gpu, hw::recorded_trace& trace) const {
    trace.label = valid_utf8(recorded_as::current());
    if (gpu.machine().recorded != nullptr) {
        play_trace(*gpu.machine().recorded, trace);
        return refuse_to_record_again();
    }
    std::vector<error> const lost = add_to_all(gpu, &hw::recording::traces, [&] {
        hw::recorded_trace text = trace;
        for (traced_calls& calls : text.found) calls.name = valid_utf8(calls.name), calls.what = valid_utf8(calls.what);
        if (text.missing) text.missing = of_text(*text.missing);
        return text;
    });
    if (!lost.empty()) return lost.front();
    return {};
}

// Nobody else can be told: the tracer or sampler has ended.
void add_outputs(device const& gpu, hw::recorded_outputs outputs);
GPUPROF_INLINE void add_outputs(device const& gpu, hw::recorded_outputs outputs) {
    for (error const& lost : add_to_all(gpu, &hw::recording::outputs, [&] { return std::move(outputs); }))
        std::fprintf(stderr, "gpuprof: %s\n", lost.message().c_str());
}

GPUPROF_INLINE result<owned<hw::output_line>> file_recorder::try_begin_outputs(device const& gpu,
                                                                               hw::output_request request) const {
    std::string label = valid_utf8(recorded_as::current());
    if (gpu.machine().recorded != nullptr) {
        if (auto refused = refuse_to_record_again(); !refused) return std::move(refused).error();
        return hw::replay::try_play_outputs(*gpu.machine().recorded, label, request);
    }
    {
        running_recordings& every = running_recordings::instance();
        platform::lock const held{every.mutex};
        every.forget_what_a_parent_measured();
        follow_environment(every);
        if (std::ranges::all_of(every.all, &running_recording::pauses)) return owned<hw::output_line>{};
    }
    auto shared = gpu.try_share();
    if (!shared) return std::move(shared).error();
    hw::recorded_outputs outputs{std::move(label), std::move(request.what), std::move(request.asked), {}};
    return owned<hw::output_line>{
        new hw::replay::kept_line{*std::move(shared), std::move(outputs), request.compares_launches, &add_outputs}};
}

GPUPROF_INLINE bool file_recorder::has_metric(device const& recorded, std::string_view metric) const {
    if (recorded.machine().recorded == nullptr) return false;
    std::string const label = valid_utf8(recorded_as::current());
    for (hw::recorded_collection const& each : recorded.machine().recorded->contents.collections)
        if (each.label == label)
            for (auto const& [name, how] : each.metrics)
                if (name == metric) return true;
    return false;
}

GPUPROF_INLINE void rewind_recording(device const& gpu) {
    if (gpu.machine().recorded != nullptr) gpu.machine().recorded->rewind();
}

} // namespace detail

GPUPROF_INLINE recording::recording(std::string path) : running_{new detail::running_recording{std::move(path)}} {
    detail::running_recordings& every = detail::running_recordings::instance();
    platform::lock const held{every.mutex};
    every.all.push_back(running_);
}
GPUPROF_INLINE recording::~recording() {
    {
        detail::running_recordings& every = detail::running_recordings::instance();
        platform::lock const held{every.mutex};
        every.forget_what_a_parent_measured();
        std::erase(every.all, running_);
    }
    if (running_->saved != running_->size()) static_cast<void>(try_save());
    delete running_;
}
GPUPROF_INLINE result<void> recording::try_save() {
    platform::lock const held{detail::running_recordings::instance().mutex};
    detail::running_recordings::instance().forget_what_a_parent_measured();
    return detail::try_save(*running_);
}
GPUPROF_INLINE std::size_t recording::collections() const {
    platform::lock const held{detail::running_recordings::instance().mutex};
    return running_->size();
}

GPUPROF_INLINE recorded_as::recorded_as(std::string_view label)
    : label_{label}, outer_{std::exchange(detail::innermost_label(), this)} {}
GPUPROF_INLINE recorded_as::~recorded_as() { detail::innermost_label() = outer_; }
GPUPROF_INLINE std::string recorded_as::current() {
    if (recorded_as const* const label = detail::innermost_label(); label != nullptr) return label->label_;
    return detail::test_at_hand != nullptr ? detail::test_at_hand() : std::string{};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_RECORDING_INL_HPP
