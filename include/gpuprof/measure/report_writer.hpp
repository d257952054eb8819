// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what scopes did and what the hardware read to a report. Layer: measure.
#ifndef GPUPROF_MEASURE_REPORT_WRITER_HPP
#define GPUPROF_MEASURE_REPORT_WRITER_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <optional>    // a value or none
#include <string>      // names, texts
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // rows

#include "../detail/builtin.hpp"
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
    bool out_of_memory; // while a scope opened or closed
};

// Values that the hardware was to give and did not. A quotient's is no problem: 0 may have divided it.
template <class Log>
void add_missing_values(collected<Log> const& from, std::vector<error>& list) {
    if (from.failure || from.out_of_memory) return; // they say why
    for (std::size_t column = 0; column < from.metrics.size(); ++column) {
        if (is_quotient(from.metrics[column])) continue;
        std::size_t missing = 0;
        for (hw::range_values const& row : from.values)
            if (column >= row.values.size() || row.values[column] != row.values[column]) ++missing; // NaN
        if (missing != 0)
            list.emplace_back(
                errc::not_collected, 0,
                joined({from.metrics[column].name, ": ", std::to_string(missing), " of ",
                        std::to_string(from.values.size()), missing == 1 ? " values is" : " values are", " missing"}),
                "the hardware marked them as lost: a counter overflowed",
                "measure shorter ranges, or fewer metrics at once");
    }
}

// Everything that keeps a report from being complete, the gravest first.
template <class Log>
[[nodiscard]] std::vector<error> problems_of(collected<Log> const& from) {
    std::vector<error> list;
    auto const add = [&list](errc code, std::string_view what, std::string_view cause, std::string_view remedy) {
        list.emplace_back(code, 0, what, cause, remedy);
    };
    // So many of something, if there are any: in the words for one, or for several.
    auto const count = [&add](errc code, std::size_t number, std::string_view single, std::string_view several,
                              std::string_view cause, std::string_view remedy) {
        if (number != 0)
            add(code, joined({std::to_string(number), " ", number == 1 ? single : several}), cause, remedy);
    };
    auto const& lost = from.log.lost();
    if (from.failure && !from.failure->what.empty()) list.push_back(*from.failure); // without memory it has no text
    if (from.out_of_memory)
        add(errc::not_collected, "there was no memory while a scope opened or closed",
            "ranges from there on were not collected", "");
    if (from.ranges == range_mode::auto_range && from.values.size() > from.max_ranges)
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
    count(errc::invalid_argument, lost.altered_names, "scope name was cut", "scope names were cut",
          "a name has at most 255 bytes and no NUL", "use shorter names");
    if (from.nested_loop)
        add(errc::invalid_state, "a loop over passes() began before the profiler's last one ended",
            "it is inside that one, or that one was left without its destructor (longjmp); it ran once, unmeasured",
            "use two profilers; call abandon() where a loop is gone");
    add_missing_values(from, list);
    return list;
}

// The range tree in depth-first order, children in the order they first opened. Not by recursion: how deep scopes nest is
// the application's choice, the size of its stacks too.
template <class Log>
void write_tree(Log const& log, std::vector<report::range>& ranges, std::vector<std::size_t>& range_of_node) {
    auto const& nodes = log.nodes();
    for (std::uint32_t at = log.first_root(); at != Log::none;) {
        auto const& here = nodes[at];
        range_of_node[at] = ranges.size();
        ranges.push_back({std::string{log.name(here)},
                          here.parent == Log::none ? report::range::top : range_of_node[here.parent],
                          0,
                          {}});

        if (here.first_child != Log::none) {
            at = here.first_child;
            continue;
        }
        while (at != Log::none && nodes[at].next_sibling == Log::none) at = nodes[at].parent;
        if (at != Log::none) at = nodes[at].next_sibling;
    }
}

// 0 sectors a request are no value: a request has at least one of what is counted for it, so that there was no request, and
// CUPTI gives 0 for 0/0. Of other quotients, a hit rate for one, 0 may be the value.
[[nodiscard]] inline bool is_per_request(metric_info const& of) noexcept {
    for (unit::factor const& each : of.value_unit.factors)
        if (each.of == dimension::request && each.exponent < 0) return of.kind == metric_kind::ratio;
    return false;
}

template <class Log>
[[nodiscard]] report write_report(collected<Log> const& from, completeness state) {
    state.problems = problems_of(from);
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
    std::size_t const width = from.metrics.size();
    for (std::size_t column = 0; column < width; ++column)
        if (is_per_request(from.metrics[column]))
            for (std::size_t at = column; at < made.values.size(); at += width)
                if (made.values[at] == 0) made.values[at] = quiet_nan;

    if (from.ranges == range_mode::auto_range) {
        for (std::size_t i = 0; i < from.values.size() && i < from.max_ranges; ++i)
            made.ranges.push_back({"kernel " + std::to_string(i), report::range::top, 1, {i}});
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
    std::size_t without_row = 0;
    for (std::size_t id = 0; id < row_of.size(); ++id) {
        std::uint32_t const node = from.merged ? static_cast<std::uint32_t>(id) : log.instances()[id];
        if (row_of[id] == none) {
            // A range without a row: a row of its own that says so.
            ++without_row;
            row_of[id] = made.values.size() / width;
            made.values.insert(made.values.end(), width, quiet_nan);
        }
        made.ranges[range_of_node[node]].rows.push_back(row_of[id]);
    }
    if (without_row != 0 && made.completeness.complete())
        made.completeness.problems.emplace_back(
            errc::not_collected, 0,
            joined({"there are no values of ", std::to_string(without_row), without_row == 1 ? " range" : " ranges"}),
            "the hardware did not return them", "");
    return report{std::move(made)};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPORT_WRITER_HPP
