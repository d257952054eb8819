// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the values of a recording into the report of a program that ran without a GPU.
#ifndef GPUPROF_RECORDING_PLAYBACK_HPP
#define GPUPROF_RECORDING_PLAYBACK_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/json_text.hpp"
#include "../text/printable.hpp"
#include "../detail/builtin.hpp"
#include "recorded_data.hpp"
#include "replay_session.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Names of a range and those around it, outermost first, as a recording has them.
[[nodiscard]] inline std::vector<std::string> names_of(report_contents const& of, std::size_t range) {
    std::vector<std::string> names;
    for (std::size_t at = range; at < of.ranges.size(); at = of.ranges[at].parent)
        names.insert(names.begin(), valid_utf8(of.ranges[at].name));
    return names;
}
[[nodiscard]] inline hw::recorded_launches launches_of(report_range const& range) {
    range_launches const& all = range.launches;
    return {all.heard, all.kernels, all.graphs, all.refused, all.alike, valid_utf8(all.kernel)};
}

// Whether a program launched what was recorded. A recorded device refuses nothing: what was refused then is a launch now.
[[nodiscard]] inline bool is_work_of(hw::recorded_launches const& was, hw::recorded_launches const& now) {
    if (!was.heard || was == now) return true;
    return was.refused != 0 && was.graphs == now.graphs && was.kernels + was.refused == now.kernels + now.refused;
}
[[nodiscard]] inline std::string words_of(hw::recorded_launches const& of) {
    if (of.kernels + of.graphs + of.refused == 0) return "no kernel";
    std::string text = joined({std::to_string(of.kernels), of.kernels == 1 ? " kernel" : " kernels"});
    if (!of.kernel.empty()) text += joined({of.kernels == 1 ? ", " : ", the first ", printable_path(of.kernel)});
    if (!of.alike) text += ", and others";
    if (of.graphs != 0) text += joined({", ", std::to_string(of.graphs), " graphs"});
    if (of.refused != 0) text += joined({", ", std::to_string(of.refused), " refused"});
    return text;
}
// "trace of "label"".
[[nodiscard]] inline std::string words_of_outputs(std::string_view what, std::string_view label) {
    return joined({what, label.empty() ? "" : " of \"", printable_path(label), label.empty() ? "" : "\""});
}

// What a replay was asked for and the recording lacks: once for all ranges that lack it.
struct recording_gap {
    errc code = errc::not_collected;
    std::string what; // with the name of the first range
    std::string cause;
    std::string remedy;
    std::string kind; // gaps of one kind are told together
    std::size_t others = 0;
};

// One collection on a recorded device. A range is found by label and path; where a recording has it
// several times, the program's n-th visit gets the n-th. If the program launched kernels on the
// recorded device, they are compared with those that were recorded; a program that cannot launch
// there (a library, the runtime of CUDA) is believed to do what it did.
class playback {
public:
    playback(hw::replay_session& from, std::string const& label, bool kernels, report_contents& contents)
        : from_{from}, label_{valid_utf8(label)}, kernels_{kernels}, contents_{contents} {
        for (report_range const& each : contents.ranges)
            launched_ = launched_ || each.launches.kernels + each.launches.graphs + each.launches.refused != 0;
    }

    void play() {
        contents_.recording = from_.file;
        contents_.completeness.unwatched.reset();
        contents_.completeness.passes_needed = contents_.completeness.replay_passes = 0;
        contents_.hardware = "recording";
        contents_.fidelities.assign(contents_.metrics.size(), fidelity::exact);
        if (kernels_ && !launched_) take_kernels();
        for (std::size_t range = 0; range < contents_.ranges.size(); ++range) play(range);
        for (recording_gap& each : gaps_) {
            if (each.others != 0) each.what += joined({", and ", std::to_string(each.others), " more like it"});
            contents_.completeness.problems.emplace_back(each.code, 0, each.what, each.cause, each.remedy);
        }
    }

    static constexpr char const* again = "record it anew on a GPU: GPUPROF_RECORD=file, GPUPROF_DEVICE=cuda:0";

private:
    // A range of the recording, with the collection that it is of.
    struct take {
        hw::recorded_collection const* collection;
        hw::recorded_range const* range;
        std::size_t metric = 0;
    };

    [[nodiscard]] std::string name_of_file() const {
        return joined({"the recording \"", printable_path(from_.file), "\""});
    }
    [[nodiscard]] std::string name_of_range(std::size_t range) const {
        std::string path;
        for (std::string const& each : names_of(contents_, range)) path += (path.empty() ? "" : "/") + each;
        return joined({"range \"", printable_path(path), "\"",
                       label_.empty() ? "" : joined({" of \"", printable_path(label_), "\""})});
    }
    void miss(std::string kind, errc code, std::string what, std::string cause, std::string remedy) {
        for (recording_gap& each : gaps_)
            if (each.kind == kind) {
                ++each.others;
                return;
            }
        gaps_.push_back({code, std::move(what), std::move(cause), std::move(remedy), std::move(kind)});
    }

    // Every kernel is a range, and none can be launched: the whole of a recorded collection, in the
    // order of the program.
    void take_kernels() {
        std::size_t const visit = from_.next_visit(label_ + "\nkernels");
        std::size_t seen = 0;
        for (hw::recorded_collection const& each : from_.contents.collections) {
            if (!each.kernels || each.label != label_ || seen++ != visit) continue;
            for (hw::recorded_range const& range : each.ranges) {
                report_range kernel{range.path.back(), report_range::top, range.count, {}};
                std::size_t const width = contents_.metrics.size();
                std::size_t const rows = range.values.empty() ? 0 : range.values.front().size();
                for (std::size_t i = 0; i < rows; ++i) {
                    kernel.rows.push_back(width == 0 ? 0 : contents_.values.size() / width);
                    contents_.values.resize(contents_.values.size() + width, quiet_nan);
                }
                contents_.ranges.push_back(std::move(kernel));
            }
            return;
        }
        miss("kernels", errc::not_collected,
             joined({name_of_file(), " has no kernels as ranges",
                     seen == 0 ? std::string{} : joined({" for a loop number ", std::to_string(visit + 1)})}),
             label_.empty() ? std::string{} : joined({"it was asked for those of \"", printable_path(label_), "\""}),
             again);
    }

    void play(std::size_t at) {
        hw::recorded_launches const now = launches_of(contents_.ranges[at]);
        contents_.ranges[at].launches = {}; // until they are found
        std::vector<std::string> const names = names_of(contents_, at);
        std::vector<take> all;
        for (hw::recorded_collection const& each : from_.contents.collections) {
            if (each.label != label_ || each.kernels != kernels_) continue;
            for (hw::recorded_range const& range : each.ranges)
                if (range.path == names) all.push_back({&each, &range});
        }
        if (all.empty()) {
            miss("range", errc::not_collected, joined({name_of_file(), " has no ", name_of_range(at)}),
                 "it was recorded by a program that did not open it", again);
            return;
        }
        if (launched_) {
            std::vector<take> alike;
            for (take const& each : all)
                if (is_work_of(each.range->launches, now)) alike.push_back(each);
            if (alike.empty()) {
                miss("work", errc::replay_mismatch,
                     joined({name_of_range(at), " launched ", words_of(now), ", where ", name_of_file(), " has ",
                             words_of(all.front().range->launches)}),
                     "the program has changed since it was recorded", again);
                return;
            }
            all = std::move(alike);
        }
        std::string key = label_;
        for (std::string const& each : names) (key += '\n') += each;
        if (launched_) (key += '\n') += words_of(now);
        bool first = true;
        for (std::size_t metric = 0; metric < contents_.metrics.size(); ++metric) {
            take const* const found = find(all, at, metric, key);
            if (found == nullptr) continue;
            if (std::exchange(first, false)) use_launches(at, *found);
            use(*found);
            use_values(at, metric, *found);
        }
    }
    // The recorded range that has the metric, for this visit.
    [[nodiscard]] take const* find(std::vector<take>& all, std::size_t at, std::size_t metric, std::string const& key) {
        std::string const& name = contents_.metrics[metric].name;
        std::size_t const visit = from_.next_visit(joined({key, "\n", name}));
        std::size_t seen = 0;
        for (take& each : all) {
            auto const& known = each.collection->metrics;
            std::size_t column = 0;
            while (column < known.size() && known[column].first != name) ++column;
            if (column == known.size() || seen++ != visit) continue;
            each.metric = column;
            std::size_t const rows = each.range->values[column].size();
            if (rows == contents_.ranges[at].rows.size() && each.range->count == contents_.ranges[at].count)
                return &each;
            miss("repetitions", errc::replay_mismatch,
                 joined({name_of_range(at), " ran ", times(contents_.ranges[at].count), ", and ",
                         times(each.range->count), " in ", name_of_file()}),
                 contents_.ranges[at].count == each.range->count ? "one of them merged the repetitions" : "", again);
            return nullptr;
        }
        if (seen == 0)
            miss("metric " + name, errc::not_collected,
                 joined({name, " of ", name_of_range(at), " is not in ", name_of_file()}), "it was not measured there",
                 again);
        else
            miss("visit", errc::not_collected,
                 joined({name, " of ", name_of_range(at), " is in ", name_of_file(), " ", times(seen),
                         ", and was asked for once more"}),
                 "the program measures the range more often than it did when it was recorded", again);
        return nullptr;
    }
    [[nodiscard]] static std::string times(std::size_t number) {
        return number == 1 ? std::string{"once"} : joined({std::to_string(number), " times"});
    }

    // What is said of a whole collection.
    void use(take const& from) {
        hw::recorded_collection const& of = *from.collection;
        for (hw::recorded_collection const* const each : used_)
            if (each == &of) return;
        completeness& state = contents_.completeness;
        if (used_.empty()) contents_.hardware = of.hardware;
        used_.push_back(&of);
        auto const raise = [](std::size_t& to, std::size_t value) { to = value > to ? value : to; };
        raise(state.passes_needed, of.passes_needed);
        raise(state.replay_passes, of.replay_passes);
        raise(state.cache_flushes, of.cache_flushes);
        raise(state.other_threads, of.other_threads);
        state.problems.insert(state.problems.end(), of.problems.begin(), of.problems.end());
        if (of.unwatched && !state.unwatched) state.unwatched = of.unwatched;
    }
    void use_launches(std::size_t at, take const& from) {
        hw::recorded_launches const& was = from.range->launches;
        contents_.ranges[at].launches = {was.heard, was.kernels, was.graphs, was.refused, was.alike, was.kernel};
    }
    void use_values(std::size_t at, std::size_t metric, take const& from) {
        std::size_t const width = contents_.metrics.size();
        std::vector<std::size_t> const& rows = contents_.ranges[at].rows;
        std::vector<double> const& values = from.range->values[from.metric];
        for (std::size_t i = 0; i < rows.size(); ++i) contents_.values[rows[i] * width + metric] = values[i];
        fidelity const how = from.collection->metrics[from.metric].second;
        if (how > contents_.fidelities[metric]) contents_.fidelities[metric] = how;
        for (hw::recorded_note const& each : from.range->notes) {
            if (each.metric != from.metric) continue;
            if (each.repetition != hw::recorded_note::every_repetition) {
                contents_.notes.push_back({metric, rows[each.repetition], each.value, each.missing});
                continue;
            }
            for (std::size_t const row : rows) contents_.notes.push_back({metric, row, each.value, each.missing});
        }
    }

    hw::replay_session& from_;
    std::string label_;
    bool kernels_;
    report_contents& contents_;
    bool launched_ = false;
    std::vector<recording_gap> gaps_;
    std::vector<hw::recorded_collection const*> used_;
};

// The recorded trace for this visit of its label; what the recording lacks is its reason for having
// none.
inline void play_trace(hw::replay_session& from, hw::recorded_trace& trace) {
    std::size_t const visit = from.next_visit(trace.label + "\ntrace");
    std::size_t seen = 0;
    for (hw::recorded_trace const& each : from.contents.traces)
        if (each.label == trace.label && seen++ == visit) {
            trace = each;
            return;
        }
    std::string const of = trace.label.empty() ? "" : joined({" of \"", printable_path(trace.label), "\""});
    trace.missing.emplace(
        errc::not_collected, 0,
        joined({"the recording \"", printable_path(from.file), "\" has no ", seen == 0 ? "" : "more ", "trace", of}),
        seen == 0 ? "it was recorded by a program that did not trace there"
                  : "the program traces more often than it did when it was recorded",
        playback::again);
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_PLAYBACK_HPP
