// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of recording.hpp. Layer: measure.
#ifndef GPUPROF_MEASURE_RECORDING_INL_HPP
#define GPUPROF_MEASURE_RECORDING_INL_HPP

#include <algorithm>   // std::stable_sort
#include <cstddef>     // std::size_t
#include <cstdio>      // what could not be saved as the program ends
#include <cstdlib>     // std::atexit
#include <optional>    // errors
#include <string>      // paths
#include <string_view> // labels
#include <utility>     // std::move
#include <vector>      // collections

#include "../core/json_text.hpp"
#include "../core/printable.hpp"
#include "../hw/machine/platform/directory_lock.hpp"
#include "../hw/machine/platform/environment.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/replay/open.hpp"
#include "../hw/replay/recording_file.hpp"
#include "playback.hpp"
#include "recording.hpp"
#include "recording_port.hpp"
#include "test_name.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What is recorded for one file.
struct recorder {
    std::string path;
    hw::recording what{};
    std::size_t saved = 0;   // collections and traces in the file
    bool of_program = false; // by GPUPROF_RECORD
    bool pauses = false;     // the variable names another file now

    [[nodiscard]] std::size_t size() const noexcept { return what.collections.size() + what.traces.size(); }
    // More seldom the more there is: a program of many collections would write for the square of their number.
    [[nodiscard]] bool is_due() const noexcept { return size() > saved + saved / 8; }
};

// One process's. Its lock is held over nothing but memory and files.
struct recorders {
    platform::mutex mutex;
    std::vector<recorder*> all;

    [[nodiscard]] static recorders& instance() {
        static recorders& one = *new recorders; // NOLINT(bugprone-unhandled-exception-at-new)
        return one;
    }
};

inline recorded_as*& innermost_label() noexcept {
    thread_local constinit recorded_as* label = nullptr;
    return label;
}

GPUPROF_DECLARE [[nodiscard]] bool same_device(hw::recorded_device const& a, hw::recorded_device const& b);
GPUPROF_DEFINE bool same_device(hw::recorded_device const& a, hw::recorded_device const& b) {
    return a.name == b.name && a.chip == b.chip && a.capability.generation == b.capability.generation &&
           a.capability.revision == b.capability.revision && a.source == b.source && a.driver == b.driver &&
           a.cupti == b.cupti;
}

// @pre the lock of recorders is held
GPUPROF_DECLARE [[nodiscard]] result<void> try_save(recorder& from);
GPUPROF_DEFINE result<void> try_save(recorder& from) {
    if (from.size() == 0) {
        error const why{errc::invalid_state, 0,
                        joined({"nothing was recorded for \"", printable_path(from.path), "\""}),
                        "no loop over passes() and no trace has ended since the recording began", "measure first"};
        return why;
    }
    platform::directory_lock const alone{from.path};
    hw::recording all{from.what.device, {}, {}};
    auto const text = platform::read_file(from.path, hw::most_recording_bytes);
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
            return std::ranges::any_of(from.what.collections, is_its) || std::ranges::any_of(from.what.traces, is_its);
        };
        if (same_device(there->device, from.what.device)) {
            all.collections = std::move(there->collections);
            all.traces = std::move(there->traces);
            auto const is_replaced = [&](auto const& each) { return is_recorded_here(each.label); };
            std::erase_if(all.collections, is_replaced);
            std::erase_if(all.traces, is_replaced);
        }
    }
    auto const join = [](auto& to, auto const& more) {
        to.insert(to.end(), more.begin(), more.end());
        std::stable_sort(to.begin(), to.end(), [](auto const& a, auto const& b) { return a.label < b.label; });
    };
    join(all.collections, from.what.collections);
    join(all.traces, from.what.traces);
    std::string const made = hw::to_text(all);
    if (made.size() > hw::most_recording_bytes || !platform::write_file(from.path, made)) {
        error const why{errc::io, 0, joined({"the recording \"", printable_path(from.path), "\" cannot be written"}),
                        made.size() > hw::most_recording_bytes ? "it has more than 64 MiB"
                                                               : "its directory is not there or may not be written",
                        "record less, or to another file"};
        return why;
    }
    from.saved = from.size();
    return {};
}

// As the program ends, nobody else can be told.
GPUPROF_DECLARE void save_at_end();
GPUPROF_DEFINE void save_at_end() {
    recorders& every = recorders::instance();
    platform::lock const held{every.mutex};
    for (recorder* const each : every.all)
        if (each->of_program && each->saved != each->size())
            if (auto saved = try_save(*each); !saved)
                std::fprintf(stderr, "gpuprof: %s\n", saved.error().message().c_str());
}

// The recorder of the file that GPUPROF_RECORD names now, made at its first use. @pre the lock of recorders is held
GPUPROF_DECLARE void follow_environment(recorders& every);
GPUPROF_DEFINE void follow_environment(recorders& every) {
    std::string path = platform::trusted_variable("GPUPROF_RECORD");
    bool first = true, known = path.empty();
    for (recorder* const each : every.all) {
        if (!each->of_program) continue;
        each->pauses = each->path != path;
        known = known || !each->pauses;
        first = false;
    }
    if (known) return;
    every.all.push_back(new recorder{std::move(path), {}, 0, true});
    if (first) static_cast<void>(std::atexit([] { save_at_end(); }));
}

// As a file keeps it.
GPUPROF_DECLARE [[nodiscard]] error of_text(error const& why);
GPUPROF_DEFINE error of_text(error const& why) {
    return {why.code, why.status, valid_utf8(why.what), valid_utf8(why.cause), valid_utf8(why.remedy)};
}

GPUPROF_DECLARE [[nodiscard]] hw::recorded_collection collection_of(profiler_options const& options,
                                                                    report_contents const& made);
GPUPROF_DEFINE hw::recorded_collection collection_of(profiler_options const& options, report_contents const& made) {
    hw::recorded_collection to;
    to.label = valid_utf8(recorded_as::current());
    to.hardware = valid_utf8(made.hardware);
    to.kernels = options.ranges == range_mode::auto_range;
    completeness const& state = made.completeness;
    to.passes_needed = state.passes_needed;
    to.replay_passes = state.replay_passes;
    to.other_threads = state.other_threads;
    to.cache_flushes = state.cache_flushes;
    for (error const& each : state.problems) to.problems.push_back(of_text(each));
    if (state.unwatched) to.unwatched = of_text(*state.unwatched);
    std::vector<std::size_t> column; // a metric that is asked for twice is recorded once
    for (std::size_t i = 0; i < made.metrics.size(); ++i) {
        bool known = false;
        for (auto const& each : to.metrics) known = known || each.first == made.metrics[i].name;
        if (known) continue;
        column.push_back(i);
        to.metrics.emplace_back(made.metrics[i].name,
                                i < made.fidelities.size() ? made.fidelities[i] : fidelity::exact);
    }
    std::size_t const width = made.metrics.size();
    for (std::size_t at = 0; at < made.ranges.size(); ++at) {
        report_range const& range = made.ranges[at];
        hw::recorded_range& into = to.ranges.emplace_back();
        into.path = names_of(made, at);
        into.count = range.count;
        into.launches = launches_of(range);
        for (std::size_t const metric : column) {
            auto& list = into.values.emplace_back();
            for (std::size_t const row : range.rows) list.push_back(made.values[row * width + metric]);
        }
        for (report_note const& each : made.notes)
            for (std::size_t metric = 0; metric < column.size(); ++metric) {
                if (column[metric] != each.metric) continue;
                std::size_t repetition = 0;
                while (repetition < range.rows.size() && range.rows[repetition] != each.row) ++repetition;
                if (each.row == report_note::every_row) repetition = hw::recorded_note::every_repetition;
                else if (repetition == range.rows.size()) continue;
                auto& note = into.notes.emplace_back();
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

// @pre the lock of recorders is held
GPUPROF_DECLARE [[nodiscard]] result<void> try_join(recorder& to, device const& gpu);
GPUPROF_DEFINE result<void> try_join(recorder& to, device const& gpu) {
    if (to.size() == 0) to.what.device = hw::describe_device(gpu);
    hw::recorded_device const& known = to.what.device;
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

// Adds what was made to each recorder. @return why some did not take it
template <class Made, class Make>
[[nodiscard]] std::vector<error> add_to_all(device const& gpu, std::vector<Made> hw::recording::*list, Make make) {
    recorders& every = recorders::instance();
    platform::lock const held{every.mutex};
    follow_environment(every);
    std::optional<Made> made;
    std::vector<error> lost;
    for (recorder* const each : every.all) {
        if (each->pauses) continue;
        if (!made) made.emplace(make());
        auto joined = try_join(*each, gpu);
        if (joined) {
            (each->what.*list).push_back(*made);
            if (each->of_program && each->is_due()) joined = try_save(*each);
        }
        if (!joined) lost.push_back(std::move(joined).error());
    }
    return lost;
}

// A replay is not recorded again; nothing if that was not asked for.
GPUPROF_DECLARE [[nodiscard]] result<void> refuse_to_record_again();
GPUPROF_DEFINE result<void> refuse_to_record_again() {
    if (platform::trusted_variable("GPUPROF_RECORD").empty()) return {};
    error const why{errc::invalid_state, 0, "GPUPROF_RECORD is set, and nothing is recorded",
                    "values of a recording are not recorded again", "measure on a device, or do not set the variable"};
    return why;
}

GPUPROF_DEFINE void record_collection(device const& gpu, profiler_options const& options, report_contents& made) {
    std::vector<error>& problems = made.completeness.problems;
    if (gpu.machine().recorded != nullptr) {
        playback{*gpu.machine().recorded, recorded_as::current(), options.ranges == range_mode::auto_range, made}
            .play();
        if (auto refused = refuse_to_record_again(); !refused) problems.push_back(std::move(refused).error());
        return;
    }
    for (error& each : add_to_all(gpu, &hw::recording::collections, [&] { return collection_of(options, made); }))
        problems.push_back(std::move(each));
}

GPUPROF_DEFINE result<void> record_trace(device const& gpu, hw::recorded_trace& made) {
    made.label = valid_utf8(recorded_as::current());
    if (gpu.machine().recorded != nullptr) {
        play_trace(*gpu.machine().recorded, made);
        return refuse_to_record_again();
    }
    std::vector<error> const lost = add_to_all(gpu, &hw::recording::traces, [&] {
        hw::recorded_trace text = made;
        for (traced_calls& each : text.found) each.name = valid_utf8(each.name), each.what = valid_utf8(each.what);
        if (text.missing) text.missing = of_text(*text.missing);
        return text;
    });
    if (!lost.empty()) return lost.front();
    return {};
}

GPUPROF_DEFINE void rewind_recording(device const& gpu) {
    if (gpu.machine().recorded != nullptr) gpu.machine().recorded->rewind();
}

} // namespace detail

GPUPROF_INLINE recording::recording(std::string path) : recorder_{new detail::recorder{std::move(path)}} {
    detail::recorders& every = detail::recorders::instance();
    platform::lock const held{every.mutex};
    every.all.push_back(recorder_);
}
GPUPROF_INLINE recording::~recording() {
    {
        detail::recorders& every = detail::recorders::instance();
        platform::lock const held{every.mutex};
        std::erase(every.all, recorder_);
    }
    if (recorder_->saved != recorder_->size()) static_cast<void>(try_save());
    delete recorder_;
}
GPUPROF_INLINE result<void> recording::try_save() {
    platform::lock const held{detail::recorders::instance().mutex};
    return detail::try_save(*recorder_);
}
GPUPROF_INLINE std::size_t recording::collections() const {
    platform::lock const held{detail::recorders::instance().mutex};
    return recorder_->size();
}

GPUPROF_INLINE recorded_as::recorded_as(std::string_view label)
    : label_{label}, outer_{std::exchange(detail::innermost_label(), this)} {}
GPUPROF_INLINE recorded_as::~recorded_as() { detail::innermost_label() = outer_; }
GPUPROF_INLINE std::string recorded_as::current() {
    if (recorded_as const* const label = detail::innermost_label(); label != nullptr) return label->label_;
    return detail::test_at_hand != nullptr ? detail::test_at_hand() : std::string{};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_RECORDING_INL_HPP
