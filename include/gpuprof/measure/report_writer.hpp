// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what scopes did and what the hardware read to a report. Layer: measure.
#ifndef GPUPROF_MEASURE_REPORT_WRITER_HPP
#define GPUPROF_MEASURE_REPORT_WRITER_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <limits>      // NaN
#include <optional>    // a value or none
#include <string>      // paths, texts
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // rows

#include "../hw/counter_hardware.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Log: a range_log.
template <class Log>
struct collected {
    device const& gpu;
    std::string_view hardware;
    std::vector<metric_info> const& metrics;
    Log const& log;
    std::vector<hw::range_values> const& values;
    range_mode ranges;
    std::size_t max_ranges;
    bool merged;
    std::optional<error> const& failure;
    bool nested_loop;
    bool out_of_memory;
};

// Everything that keeps a report from being complete, the gravest first.
template <class Log>
[[nodiscard]] std::vector<error> problems_of(collected<Log> const& from, std::size_t other_threads) {
    std::vector<error> list;
    auto const add = [&list](errc code, std::string_view what, std::string_view cause, std::string_view remedy) {
        list.emplace_back(code, 0, what, cause, remedy);
    };
    // So many of something, if there are any.
    auto const count = [&add](errc code, std::size_t number, std::string_view what, std::string_view cause,
                              std::string_view remedy) {
        if (number != 0) add(code, joined({std::to_string(number), " ", what}), cause, remedy);
    };
    auto const& lost = from.log.lost();
    if (from.failure) list.push_back(*from.failure);
    if (from.ranges == range_mode::auto_range && from.values.size() > from.max_ranges)
        add(errc::too_many_ranges, joined({"more than ", std::to_string(from.max_ranges), " kernels were launched"}),
            "the session has room for as many", "raise profiler_options::max_ranges");
    count(errc::replay_mismatch, lost.differing, "replay passes differ from the first", lost.first_difference,
          "open the same scopes in the same order in every pass");
    count(errc::too_many_ranges, lost.over_budget, "ranges were over the room",
          joined({"profiler_options::max_ranges is ", std::to_string(from.max_ranges)}),
          "raise it, or set it to 0 for a survey");
    count(errc::too_many_ranges, lost.too_deep, "ranges were below the declared nesting", "",
          "raise profiler_options::nesting_levels, or set max_ranges to 0 for a survey");
    count(errc::invalid_state, lost.left_open, "scopes were open when a pass ended", "they were closed there",
          "let scopes end inside the body of the loop");
    count(errc::invalid_state, lost.out_of_order, "scopes were still open when one around them closed",
          "they were closed with it", "close scopes in the reverse order of opening");
    count(errc::invalid_argument, lost.altered_names, "scope names were cut", "a name has at most 255 bytes and no NUL",
          "use shorter names");
    count(errc::not_collected, other_threads, "scopes were opened on other threads than the pass's",
          "ranges of the hardware belong to one thread", "open scopes on the thread that runs the loop over passes()");
    if (from.nested_loop)
        add(errc::invalid_state, "a loop over passes() inside another of the same profiler", "it ran once, unmeasured",
            "use two profilers");
    if (from.out_of_memory) add(errc::not_collected, "there was no memory for a range", "", "");
    return list;
}

// The range tree in depth-first order, children in the order they first opened. Not by recursion: how deep scopes nest is
// the application's choice, the size of its stacks too.
template <class Log>
void write_tree(Log const& log, std::vector<report::range>& ranges, std::vector<std::size_t>& range_of_node) {
    auto const& nodes = log.nodes();
    for (std::uint32_t at = log.first_root(); at != Log::none;) {
        auto const& here = nodes[at];
        std::string path = here.parent == Log::none ? "" : ranges[range_of_node[here.parent]].path + '/';
        std::size_t const name_at = path.size();
        path += log.name(here);
        range_of_node[at] = ranges.size();
        ranges.push_back({std::move(path), name_at, here.depth, 0, {}});

        if (here.first_child != Log::none) {
            at = here.first_child;
            continue;
        }
        while (at != Log::none && nodes[at].next_sibling == Log::none) at = nodes[at].parent;
        if (at != Log::none) at = nodes[at].next_sibling;
    }
}

template <class Log>
[[nodiscard]] report write_report(collected<Log> const& from, completeness state) {
    std::vector<error> const others = std::move(state.problems); // that whoever collected found
    state.problems = problems_of(from, state.other_threads);
    state.problems.insert(state.problems.end(), others.begin(), others.end());
    report::contents made{std::string{from.gpu.name()},
                          from.gpu.chip(),
                          from.gpu.source(),
                          std::string{from.hardware},
                          from.metrics,
                          {},
                          {},
                          std::move(state)};
    for (hw::range_values const& each : from.values)
        made.values.insert(made.values.end(), each.values.begin(), each.values.end());

    if (from.ranges == range_mode::auto_range) {
        for (std::size_t i = 0; i < from.values.size() && i < from.max_ranges; ++i)
            made.ranges.push_back({"kernel " + std::to_string(i), 0, 1, 1, {i}});
        return report{std::move(made)};
    }

    Log const& log = from.log;
    std::vector<std::size_t> range_of_node(log.nodes().size());
    write_tree(log, made.ranges, range_of_node);
    for (std::uint32_t const node : log.instances()) ++made.ranges[range_of_node[node]].count;

    // Rows by the number that was pushed: the range's place in the pass, or its name's node where names are merged.
    std::size_t const none = from.values.size();
    std::vector<std::size_t> row_of(from.merged ? log.nodes().size() : log.instances().size(), none);
    for (std::size_t row = 0; row < from.values.size(); ++row)
        if (from.values[row].id < row_of.size()) row_of[from.values[row].id] = row;
    for (std::size_t id = 0; id < row_of.size(); ++id) {
        std::uint32_t const node = from.merged ? static_cast<std::uint32_t>(id) : log.instances()[id];
        if (row_of[id] == none) {
            // A range without a row: a row of its own that says so.
            row_of[id] = made.values.size() / from.metrics.size();
            made.values.insert(made.values.end(), from.metrics.size(), std::numeric_limits<double>::quiet_NaN());
        }
        made.ranges[range_of_node[node]].rows.push_back(row_of[id]);
    }
    return report{std::move(made)};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPORT_WRITER_HPP
