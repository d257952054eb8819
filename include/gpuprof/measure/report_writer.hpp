// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what scopes did and what the hardware read to a report.
#ifndef GPUPROF_MEASURE_REPORT_WRITER_HPP
#define GPUPROF_MEASURE_REPORT_WRITER_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/compute_capability_text.hpp"
#include "../detail/builtin.hpp"
#include "../hw/counters/counter_hardware.hpp"
#include "../hw/machine/recorder.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "call_replay.hpp"
#include "disturbances.hpp"
#include "launch_log.hpp"
#include "launch_problems.hpp"
#include "memory_comparison.hpp"
#include "metric_columns.hpp"
#include "pass_clock.hpp"
#include "pass_problems.hpp"
#include "profiler_options.hpp"
#include "range_log.hpp"
#include "report.hpp"
#include "row_writer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What a collection knows when it ends.
struct collected {
    device const& gpu;
    std::string_view hardware;
    std::vector<metric_info> const& metrics;
    metric_columns const& columns;
    range_log const& log;
    launch_log const& launches;
    std::vector<hw::range_values> const& values; // of columns.counters
    profiler_options const& options;
    std::size_t max_ranges;
    std::optional<error> const& failure;
    bool nested_loop;
    bool out_of_memory; // while a scope opened or closed
    memory_comparison const& memory;
    detail::shared<hw::counter_data> counters{}; // that `values` are from, where they are kept
    std::optional<clock_state> clocks{};
    pass_clock const* times = nullptr; // null: passes were not timed
};

// Values that the hardware was to give and did not.
[[nodiscard]] inline error lost_values(std::string_view metric, std::size_t missing, std::size_t of) {
    return {errc::not_collected, 0,
            joined({metric, ": ", std::to_string(missing), " of ", std::to_string(of),
                    missing == 1 ? " values is" : " values are", " missing"}),
            "the hardware marked them as lost: a counter overflowed",
            "measure shorter ranges, or fewer metrics at once"};
}

// A quotient's is no problem: 0 may have divided it.
inline void add_missing_values(collected const& from, std::vector<error>& list) {
    if (from.failure || from.out_of_memory || repeats_calls(from.options.replay)) return; // they, or problems, say why
    for (std::size_t column = 0; column < from.metrics.size(); ++column) {
        if (from.columns.columns[column].from != metric_column::origin::counter || is_quotient(from.metrics[column]))
            continue;
        std::size_t const counter = from.columns.columns[column].first;
        std::size_t missing = 0;
        for (hw::range_values const& row : from.values)
            if (counter >= row.values.size() || row.values[counter] != row.values[counter]) ++missing; // NaN
        if (missing != 0) list.push_back(lost_values(from.metrics[column].name, missing, from.values.size()));
    }
}

// Everything that keeps a report from being complete, the gravest first.
[[nodiscard]] inline std::vector<error> problems_of(collected const& from) {
    std::vector<error> list;
    auto const add = [&list](errc code, std::string_view what, std::string_view cause, std::string_view remedy) {
        list.push_back({code, 0, what, cause, remedy});
    };
    // So many of something, if there are any: in the words for one, or for several.
    auto const count = [&add](errc code, std::size_t number, std::string_view single, std::string_view several,
                              std::string_view cause, std::string_view remedy) {
        if (number != 0) add(code, so_many(number, single, several), cause, remedy);
    };
    auto const& lost = from.log.lost();
    if (from.failure && !from.failure->what.empty())
        list.push_back(error{*from.failure}); // without memory it has no text
    if (from.out_of_memory)
        add(errc::not_collected, "there was no memory while a scope opened or closed",
            "ranges from there on were not collected", "");
    if (from.options.ranges == range_mode::auto_range && from.values.size() > from.max_ranges)
        add(errc::too_many_ranges, joined({"more than ", std::to_string(from.max_ranges), " kernels were launched"}),
            "there is room for as many", "set profiler_options::max_ranges to the number of kernels");
    count(errc::replay_mismatch, lost.differing, "replay pass differs from the first",
          "replay passes differ from the first", lost.first_difference,
          "open the same scopes in the same order in every pass");
    count(errc::too_many_ranges, lost.over_budget, "range was over the room", "ranges were over the room",
          joined({"profiler_options::max_ranges is ", std::to_string(from.max_ranges)}),
          "raise it, or set it to 0 for a survey");
    count(errc::too_many_ranges, lost.too_deep, "range was below the declared nesting",
          "ranges were below the declared nesting", "",
          "raise profiler_options::nesting_levels, or set max_ranges to 0 for a survey");
    count(errc::invalid_state, lost.left_open, "scope was open when a pass ended", "scopes were open when a pass ended",
          "what is open there is closed there", "let scopes end inside the body of the loop");
    count(errc::invalid_state, lost.out_of_order, "scope was still open when one around it closed",
          "scopes were still open when one around them closed", "inner scopes are closed with the outer one",
          "close scopes in the reverse order of opening");
    count(errc::invalid_state, lost.left_paused, "pause was not over when a pass ended",
          "pauses were not over when a pass ended", "they end there", "let each end in the pass that it begins in");
    count(errc::invalid_argument, lost.altered_names, "scope name was cut", "scope names were cut",
          "a name has at most 255 bytes and no NUL", "use shorter names");
    if (from.nested_loop)
        add(errc::invalid_state, "a loop over passes() began before the profiler's last one ended",
            "it is inside that one, or that one was left without its destructor (longjmp); it ran once, unmeasured",
            "use two profilers; call abandon() where a loop is gone");
    add_missing_values(from, list);
    return list;
}

// How many numbers the hardware was given for ranges.
[[nodiscard]] inline std::size_t ids_of(collected const& from) {
    return from.options.merge_repeated ? from.log.nodes().size() : from.log.instances().size();
}

// The name of a range that the hardware knows as `id`.
[[nodiscard]] inline std::uint32_t node_of(collected const& from, std::size_t id) {
    return from.options.merge_repeated ? static_cast<std::uint32_t>(id) : from.log.instances()[id];
}

// Ranges, one a kernel. Without counters those that are known of.
[[nodiscard]] inline std::size_t counted_kernels(collected const& from) {
    if (!from.columns.counters.empty()) return from.values.size();
    std::size_t known = 0;
    for (std::size_t const each : from.launches.sequence()) known += each != launch_log::any_number ? 1 : 0;
    return known;
}

// What was launched, against what was measured. Nothing where launches were not heard, or no pass
// ran to its end.
inline void add_launch_problems(collected const& from, completeness& state) {
    std::vector<error>& list = state.problems;
    bool const heard = !state.unwatched;
    launch_log const& launches = from.launches;
    bool const scopes = from.options.ranges == range_mode::user_range;
    std::size_t const ids = ids_of(from);
    auto const where = [&](std::size_t id) -> std::string {
        if (!scopes) return "in the loop over passes()";
        if (id >= ids) return "outside of every range";
        return "in " + from.log.path(node_of(from, id));
    };
    if (!heard) return;
    if (launches.first_refusal()) add_refused_launches(list, launches, where(launches.first_refusal()->range));
    if (launches.differing() != 0) add_differing_work(list, launches, where(launches.first_difference().range));
    if (from.memory.found()) {
        auto const& found = *from.memory.found();
        error differs = differing_memory(found, from.options.memory, where(scopes ? found.range : 0));
        if (from.memory.where_cheap()) state.memory_differs = std::move(differs);
        else list.push_back(std::move(differs));
    }
    if (!launches.ranges().empty() && launches.ranges()[0].graphs != 0 && !scopes &&
        !go_together(from.options.ranges, from.options.replay, launched_work::graph))
        add_graphs_under_user_replay(list, launches.ranges()[0].graphs);
    else if (!scopes && !from.failure && from.options.replay != replay_mode::launch &&
             from.gpu.machine().recorded == nullptr)
        add_nameless_kernels(list, launches, counted_kernels(from), from.max_ranges);
    if (launches.out_of_memory())
        list.push_back({errc::not_collected, 0, "there was no memory for a launch", "launch__ metrics may be missing"});
    if (from.options.empty_ranges || from.failure || from.gpu.machine().recorded != nullptr) return;
    std::size_t empty = 0, first = 0;
    for (std::size_t id = launches.ranges().size(); id-- > 0;) {
        auto const& range = launches.ranges()[id];
        if ((scopes && id >= ids) || range.kernels + range.graphs + range.refused != 0) continue;
        ++empty;
        first = id;
    }
    if (empty != 0) add_empty_ranges(list, launches, from.gpu.source(), empty, where(first));
}

// The range tree in depth-first order, children in the order they first opened. Not by recursion:
// how deep scopes nest is the application's choice, the size of its stacks too.
inline void write_tree(range_log const& log, std::vector<report::range>& ranges,
                       std::vector<std::size_t>& range_of_node) {
    auto const& nodes = log.nodes();
    for (std::uint32_t at = log.first_root(); at != range_log::none;) {
        auto const& here = nodes[at];
        range_of_node[at] = ranges.size();
        ranges.push_back({std::string{log.name(here)},
                          here.parent == range_log::none ? report::range::top : range_of_node[here.parent],
                          0,
                          {}});

        if (here.first_child != range_log::none) {
            at = here.first_child;
            continue;
        }
        while (at != range_log::none && nodes[at].next_sibling == range_log::none) at = nodes[at].parent;
        if (at != range_log::none) at = nodes[at].next_sibling;
    }
}

// Adds what one repetition of a range launched. @param heard null: launches were not heard
inline void add_launches(report::range& range, launch_log const& log, launch_log::range_launches const* heard) {
    range_launches& all = range.launches;
    if (heard == nullptr) return;
    bool const first = !std::exchange(all.heard, true) || all.kernels == 0;
    all.graphs += heard->graphs;
    all.refused += heard->refused;
    if (heard->kernels == 0) return;
    all.kernels += heard->kernels;
    std::string kernel;
    if (heard->first < log.kept().size()) {
        hw::kernel_launch launch = log.kept()[heard->first];
        launch.kernel = platform::demangled(launch.kernel);
        kernel = launch_text(launch);
    }
    all.alike = all.alike && heard->alike && (first || kernel == all.kernel);
    if (first) all.kernel = std::move(kernel);
}

// How the values of a column come about: a quotient's are no better than the worse of its counters.
[[nodiscard]] inline fidelity fidelity_of(hw::machine const& machine, std::string_view chip, metric_columns const& all,
                                          metric_column const& column) {
    auto const ask = machine.fidelity_of;
    bool const quotient = column.from == metric_column::origin::quotient;
    if (ask == nullptr || (column.from != metric_column::origin::counter && !quotient)) return fidelity::exact;
    fidelity const how = ask(chip, all.counters[column.first]);
    if (!quotient) return how;
    fidelity const divisor = ask(chip, all.counters[column.second]);
    return divisor > how ? divisor : how;
}

// The kept launch of each of `counted` ranges, one a kernel, or launch_log::none where it is not
// known. Where graphs have other kernels on the device than they have nodes, or the nodes are not
// known, kernels before the first graph are counted from the first range, those after the last graph
// from the last one, unless ranges are missing at the end.
[[nodiscard]] inline std::vector<std::size_t> launches_of_ranges(collected const& from, std::size_t counted) {
    launch_log const& log = from.launches;
    std::vector<std::size_t> const& sequence = log.sequence();
    std::vector<std::size_t> of(counted, launch_log::none);
    if (log.ranges().empty()) return of;
    bool const has_graphs = log.ranges()[0].graphs != 0;
    bool is_certain = true;
    for (std::size_t const each : sequence) is_certain = is_certain && each != launch_log::any_number;
    bool const is_cut = counted >= from.max_ranges && sequence.size() > counted;
    if (is_certain && (sequence.size() == counted || is_cut || (!has_graphs && sequence.size() > counted))) {
        for (std::size_t i = 0; i < counted; ++i)
            if (sequence[i] < log.kept().size()) of[i] = sequence[i];
        return of;
    }
    if (!has_graphs) return of; // more ranges than launches that are remembered
    for (std::size_t i = 0; i < counted && i < log.before_graphs(); ++i) of[i] = sequence[i];
    std::size_t const after = sequence.size() - log.until_graphs();
    bool const is_whole = counted < from.max_ranges && counted >= after && log.kernels_are_kept();
    for (std::size_t i = 0; is_whole && i < after; ++i) of[counted - after + i] = sequence[log.until_graphs() + i];
    return of;
}

// The row that was added last has the values of that range of the kept counters.
inline void add_counter_range(collected const& from, report_contents& contents, std::size_t range) {
    if (from.counters.get() == nullptr) return;
    contents.counter_ranges.push_back(range < from.values.size() ? range : report_contents::no_range);
}

// A range per kernel: launches of one kernel are repetitions of the range that bears its name.
// Where names are not known (launches were not heard, or came by a graph whose kernels run in no
// certain order), each launch is a range of its own.
inline void write_kernels(collected const& from, report::contents& contents, row_writer& rows) {
    auto const& kept = from.launches.kept();
    std::size_t const counted = counted_kernels(from);
    std::vector<std::size_t> const launches = launches_of_ranges(from, counted);
    for (std::size_t i = 0; i < counted && i < from.max_ranges; ++i) {
        std::string name = "kernel " + std::to_string(i);
        launch_log::range_launches alone;
        std::size_t const launch = contents.completeness.unwatched ? launch_log::none : launches[i];
        bool const named = launch != launch_log::none;
        if (named) {
            alone.kernels = 1;
            alone.first = launch;
            if (!kept[launch].kernel.empty()) name = platform::demangled(kept[launch].kernel);
        }
        std::size_t const row = rows.add(i < from.values.size() ? &from.values[i] : nullptr, named ? &alone : nullptr);
        add_counter_range(from, contents, i);
        std::size_t range = 0;
        while (range < contents.ranges.size() && contents.ranges[range].name != name) ++range;
        if (range == contents.ranges.size()) contents.ranges.push_back({std::move(name), report::range::top, 0, {}});
        ++contents.ranges[range].count;
        add_launches(contents.ranges[range], from.launches, named ? &alone : nullptr);
        contents.ranges[range].rows.push_back(row);
    }
}

// How long passes took over the ranges. Patched code is as fast as other code on the embedded GPU.
inline void add_pass_times(collected const& from, report_contents& contents) {
    if (from.times == nullptr) return;
    bool const patched = from.gpu.source() == device_source::hardware && counts_by_patching(from.metrics);
    bool const scopes = from.options.ranges == range_mode::user_range;
    std::uint32_t root = from.log.first_root(); // in the order of ranges, parents before children
    for (report_range& range : contents.ranges)
        if (range.parent != report_range::top) {
            range.pass_times = contents.ranges[range.parent].pass_times;
        } else if (!scopes) {
            range.pass_times = from.times->whole(patched);
        } else {
            range.pass_times = from.times->node(root, patched);
            root = from.log.nodes()[root].next_sibling;
        }
    for (report_range& range : contents.ranges)
        if (from.gpu.source() == device_source::hardware && range.pass_times.longest < worth_comparing)
            range.pass_times = {};
    add_unlike_passes(contents, from.options.most_spread);
}

// A range per launching call: what one kernel's launches were, or one graph's, are repetitions of the range that bears its name.
inline void write_launches(collected const& from, report::contents& contents, row_writer& rows) {
    auto const& heard = from.launches.ranges();
    std::vector<hw::range_values const*> values_of(heard.size(), nullptr);
    for (hw::range_values const& each : from.values)
        if (each.id < heard.size()) values_of[each.id] = &each;
    for (std::size_t id = 0; id < heard.size(); ++id) {
        launch_log::range_launches const& launched = heard[id];
        if (launched.kernels + launched.graphs == 0) continue; // it was refused
        std::string name = "a kernel";
        if (launched.first < from.launches.kept().size())
            name = platform::demangled(from.launches.kept()[launched.first].kernel);
        if (!launched.of_graphs.empty()) name = "graph " + std::to_string(launched.of_graphs.front().graph);
        std::size_t range = 0;
        while (range < contents.ranges.size() && contents.ranges[range].name != name) ++range;
        if (range == contents.ranges.size()) contents.ranges.push_back({std::move(name), report::range::top, 0, {}});
        ++contents.ranges[range].count;
        contents.ranges[range].rows.push_back(rows.add(values_of[id], &launched));
        add_launches(contents.ranges[range], from.launches, &launched);
    }
}

// Records the contents, or puts recorded values into them. A recording that was asked for and is
// not made is a problem.
inline void finish_contents(collected const& from, report_contents& contents) {
    if (!from.columns.counters.empty()) add_disturbances(from.gpu, contents);
    if (hw::program_recorder != nullptr) hw::program_recorder->finish_collection(from.gpu, from.options, contents);
    else if (auto without = hw::try_go_without_recorder(); !without)
        contents.completeness.problems.push_back(std::move(without).error());
}

[[nodiscard]] inline report write_report(collected const& from, completeness state) {
    std::vector<error> const others = std::move(state.problems); // that whoever collected found
    state.problems = problems_of(from);
    add_launch_problems(from, state);
    state.problems.insert(state.problems.end(), others.begin(), others.end());
    report::contents contents{std::string{from.gpu.name()},
                              from.gpu.chip(),
                              from.gpu.source(),
                              std::string{from.hardware},
                              from.metrics,
                              {},
                              {},
                              {},
                              std::move(state)};
    std::string const& named = from.gpu.chip();
    std::string const chip = named.empty() ? capability_text(from.gpu.capability()) : named;
    for (metric_column const& column : from.columns.columns)
        contents.fidelities.push_back(fidelity_of(from.gpu.machine(), chip, from.columns, column));
    contents.counters = from.counters;
    contents.clocks = from.clocks;
    row_writer rows{from.gpu, from.metrics, from.columns, from.launches, contents};
    if (from.options.ranges == range_mode::auto_range) {
        if (from.options.replay == replay_mode::launch) write_launches(from, contents, rows);
        else write_kernels(from, contents, rows);
        add_pass_times(from, contents);
        finish_contents(from, contents);
        return report{std::move(contents)};
    }

    range_log const& log = from.log;
    std::vector<std::size_t> range_of_node(log.nodes().size());
    write_tree(log, contents.ranges, range_of_node);
    for (std::uint32_t const node : log.instances()) ++contents.ranges[range_of_node[node]].count;

    // Rows by the number that was pushed: the range's place in the pass, or its name's node where
    // names are merged.
    std::size_t const ids = ids_of(from);
    std::vector<hw::range_values const*> values_of(ids, nullptr);
    for (hw::range_values const& each : from.values)
        if (each.id < ids) values_of[each.id] = &each;
    std::size_t without_row = 0;
    for (std::size_t id = 0; id < ids; ++id) {
        if (values_of[id] == nullptr) ++without_row;
        auto const& heard = from.launches.ranges();
        bool const known = !contents.completeness.unwatched && id < heard.size();
        auto const* const launched = known ? &heard[id] : nullptr;
        report::range& range = contents.ranges[range_of_node[node_of(from, id)]];
        range.rows.push_back(rows.add(values_of[id], launched));
        add_counter_range(from, contents,
                          values_of[id] != nullptr ? static_cast<std::size_t>(values_of[id] - from.values.data())
                                                   : from.values.size());
        add_launches(range, from.launches, launched);
    }
    if (without_row != 0 && !from.columns.counters.empty() && contents.completeness.complete())
        contents.completeness.problems.push_back(
            {errc::not_collected, 0, joined({"there are no values of ", so_many(without_row, "range", "ranges")}),
             "the hardware did not return them", ""});
    add_pass_times(from, contents);
    finish_contents(from, contents);
    return report{std::move(contents)};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPORT_WRITER_HPP
