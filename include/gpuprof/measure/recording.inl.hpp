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
    std::size_t saved = 0;   // collections in the file
    bool of_program = false; // by GPUPROF_RECORD
    bool pauses = false;     // the variable names another file now

    // More seldom the more there is: a program of many collections would write for the square of their number.
    [[nodiscard]] bool is_due() const noexcept { return what.collections.size() > saved + saved / 8; }
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
    if (from.what.collections.empty()) {
        error const why{errc::invalid_state, 0,
                        joined({"nothing was recorded for \"", printable_path(from.path), "\""}),
                        "no loop over passes() has ended since the recording began", "measure first"};
        return why;
    }
    platform::directory_lock const alone{from.path};
    hw::recording all{from.what.device, {}};
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
            for (hw::recorded_collection const& each : from.what.collections)
                if (each.label == label) return true;
            return false;
        };
        if (same_device(there->device, from.what.device))
            for (hw::recorded_collection& each : there->collections)
                if (!is_recorded_here(each.label)) all.collections.push_back(std::move(each));
    }
    all.collections.insert(all.collections.end(), from.what.collections.begin(), from.what.collections.end());
    std::stable_sort(all.collections.begin(), all.collections.end(),
                     [](auto const& a, auto const& b) { return a.label < b.label; });
    std::string const made = hw::to_text(all);
    if (made.size() > hw::most_recording_bytes || !platform::write_file(from.path, made)) {
        error const why{errc::io, 0, joined({"the recording \"", printable_path(from.path), "\" cannot be written"}),
                        made.size() > hw::most_recording_bytes ? "it has more than 64 MiB"
                                                               : "its directory is not there or may not be written",
                        "record less, or to another file"};
        return why;
    }
    from.saved = from.what.collections.size();
    return {};
}

// As the program ends, nobody else can be told.
GPUPROF_DECLARE void save_at_end();
GPUPROF_DEFINE void save_at_end() {
    recorders& every = recorders::instance();
    platform::lock const held{every.mutex};
    for (recorder* const each : every.all)
        if (each->of_program && each->saved != each->what.collections.size())
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
    auto const of_text = [](error const& why) {
        return error{why.code, why.status, valid_utf8(why.what), valid_utf8(why.cause), valid_utf8(why.remedy)};
    };
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
GPUPROF_DECLARE [[nodiscard]] result<void> try_add(recorder& to, device const& gpu,
                                                   hw::recorded_collection const& made);
GPUPROF_DEFINE result<void> try_add(recorder& to, device const& gpu, hw::recorded_collection const& made) {
    if (to.what.collections.empty()) to.what.device = hw::describe_device(gpu);
    hw::recorded_device const& known = to.what.device;
    if (known.name != valid_utf8(gpu.name()) || known.chip != valid_utf8(gpu.chip()) || known.source != gpu.source()) {
        error const why{
            errc::invalid_state, 0,
            joined({"what was measured on ", gpu.name(), " is not recorded in \"", printable_path(to.path), "\""}),
            joined({"a recording has one device, and this one is of ", known.name}),
            "record each device in a program of its own"};
        return why;
    }
    to.what.collections.push_back(made);
    if (to.of_program && to.is_due()) return try_save(to);
    return {};
}

GPUPROF_DEFINE void record_collection(device const& gpu, profiler_options const& options, report_contents& made) {
    recorders& every = recorders::instance();
    std::vector<error>& problems = made.completeness.problems;
    if (gpu.machine().recorded != nullptr) {
        playback{*gpu.machine().recorded, recorded_as::current(), options.ranges == range_mode::auto_range, made}
            .play();
        if (!platform::trusted_variable("GPUPROF_RECORD").empty())
            problems.emplace_back(errc::invalid_state, 0, "GPUPROF_RECORD is set, and nothing is recorded",
                                  "values of a recording are not recorded again",
                                  "measure on a device, or do not set the variable");
        return;
    }
    platform::lock const held{every.mutex};
    follow_environment(every);
    std::optional<hw::recorded_collection> collection;
    std::vector<error> lost;
    for (recorder* const each : every.all) {
        if (each->pauses) continue;
        if (!collection) collection.emplace(collection_of(options, made));
        if (auto added = try_add(*each, gpu, *collection); !added) lost.push_back(added.error());
    }
    problems.insert(problems.end(), lost.begin(), lost.end());
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
    if (recorder_->saved != recorder_->what.collections.size()) static_cast<void>(try_save());
    delete recorder_;
}
GPUPROF_INLINE result<void> recording::try_save() {
    platform::lock const held{detail::recorders::instance().mutex};
    return detail::try_save(*recorder_);
}
GPUPROF_INLINE std::size_t recording::collections() const {
    platform::lock const held{detail::recorders::instance().mutex};
    return recorder_->what.collections.size();
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
