// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the launches of a collection say against its values.
#ifndef GPUPROF_MEASURE_LAUNCH_PROBLEMS_HPP
#define GPUPROF_MEASURE_LAUNCH_PROBLEMS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../hw/counters/replay_modes.hpp"
#include "../hw/machine/status.hpp"
#include "../hw/memory/memory_control.hpp"
#include "launch_log.hpp"
#include "memory_comparison.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] GPUPROF_COLD inline std::string so_many(std::size_t number, std::string_view one, std::string_view many) {
    return joined({std::to_string(number), " ", number == 1 ? one : many});
}

// A launch that the driver refused ran nothing, and its range has no counts of it.
inline void add_refused_launches(std::vector<error>& list, launch_log const& log, std::string_view where) {
    auto const& first = *log.first_refusal();
    hw::advice const usual = hw::advise(first.launch.status);
    std::string_view const cause = !first.diagnosis.empty() ? std::string_view{first.diagnosis} : usual.cause;
    list.push_back({errc::launch_failed, static_cast<int>(first.launch.status),
                    joined({so_many(log.refused(), "launch was refused", "launches were refused"), ", the first ",
                            where, ": ", launch_text(first.launch), ": ", abi::name(first.launch.status), " (",
                            std::to_string(static_cast<int>(first.launch.status)), ")"}),
                    cause, "check the status of the launch; the values are those of what did run"});
}

// @param where "in range \"a/b\"", @param ranges how many ranges are without a kernel
inline void add_empty_ranges(std::vector<error>& list, launch_log const& log, device_source source, std::size_t ranges,
                             std::string_view where) {
    std::string cause;
    if (log.outside() != 0)
        cause = joined({so_many(log.outside(), "kernel was", "kernels were"), " launched outside of every range"});
    else if (source == device_source::embedded)
        cause =
            "the embedded GPU runs what is launched through its own driver calls, device::driver(), in the device's "
            "context";
    else cause = "nothing was launched there in the context of the device";
    list.push_back({errc::not_collected, 0,
                    joined({"no kernel ran ", where,
                            ranges > 1 ? joined({", and in ", so_many(ranges - 1, "other range", "other ranges")})
                                       : std::string{}}),
                    cause,
                    "launch inside the scope; if a range is meant to have no kernel, set "
                    "profiler_options::empty_ranges"});
}

inline void add_differing_work(std::vector<error>& list, launch_log const& log, std::string_view where) {
    auto const& first = log.first_difference();
    std::string how = first.then == first.now
                          ? joined({so_many(first.then, "launch", "launches"),
                                    " in both, but of other kernels or with other configurations"})
                          : joined({so_many(first.then, "launch", "launches"), " in the first pass, ",
                                    std::to_string(first.now), " in pass ", std::to_string(first.pass)});
    list.push_back({errc::replay_mismatch, 0,
                    joined({"replay passes launched different work, first ", where, ": ", how}),
                    "each pass measures a part of the counters, and the code must do the same in all of them",
                    "reset what the code changes at the beginning of the loop's body"});
}

[[nodiscard]] inline error differing_memory(memory_comparison::difference const& found, memory_control memory,
                                            std::string_view where) {
    bool const restored = memory == memory_control::restore;
    return {errc::replay_mismatch, 0,
            joined({"the first and the last replay pass left different memory behind: ", std::to_string(found.chunks),
                    " of ", so_many(found.of, "chunk", "chunks"), " of ", std::to_string(hw::hashed_chunk),
                    " bytes, the first at offset ", std::to_string(found.offset), " of an allocation of ",
                    std::to_string(found.allocation.bytes), " bytes, reached ", where}),
            restored ? "the code does not compute the same from the same memory: threads race, sums of floating-point "
                       "numbers are in no certain order, or the host gives it something new each time"
                     : "the code changes its input, and counters of different passes are of different data",
            restored ? "make it deterministic, or take the values as of one run each"
                     : "set profiler_options::memory to memory_control::restore"};
}

inline void add_graphs_under_user_replay(std::vector<error>& list, std::size_t graphs) {
    replay_rule const& rule = rule_of(range_mode::auto_range, replay_mode::user, launched_work::graph);
    list.push_back({errc::not_collected, 0, joined({"a range a kernel, of ", so_many(graphs, "graph", "graphs")}),
                    rule.cause, rule.remedy});
}

// Kernels of graphs that stand in the report as "kernel 3", with a range each.
// @param counted how many kernels were counted, @param room for how many there was
// CUPTI counts the kernels of a graph with several of them only if it was instantiated while counters
// were measured, and does not say so (13.0 on an H100).
inline void add_nameless_kernels(std::vector<error>& list, launch_log const& log, std::size_t counted,
                                 std::size_t room) {
    if (log.ranges().empty() || log.ranges()[0].graphs == 0) return;
    std::size_t unknown = 0, unordered = 0;
    for (std::size_t const each : log.sequence()) {
        unknown += each == launch_log::any_number ? 1 : 0;
        unordered += each == launch_log::no_name ? 1 : 0;
    }
    if (unknown != 0) {
        std::string_view why = "there is room for 65536 names";
        for (launch_log::launched_graph const& each : log.graphs())
            if (!each.known()) why = each.unknown();
        list.push_back(
            {errc::not_collected, 0,
             joined({"kernels without names, of ", so_many(unknown, "launch of a graph", "launches of graphs")}), why,
             "instantiate the graph in the loop over passes(); a chain of kernels has names"});
    } else if (counted < room && counted < log.sequence().size()) {
        list.push_back(
            {errc::not_collected, 0,
             joined({std::to_string(log.sequence().size()), " kernels were launched by calls and nodes of graphs, ",
                     std::to_string(counted), " were counted; they have no names"}),
             "a GPU counts the kernels of a graph of several only if it was instantiated while counters "
             "were measured",
             "instantiate the graph in the loop over passes(), or measure it as a whole: "
             "range_mode::user_range with a scope around it"});
    } else if (counted < room && counted > log.sequence().size()) {
        list.push_back(
            {errc::not_collected, 0,
             joined({"kernels without names: ", std::to_string(log.sequence().size()),
                     " were launched by calls and nodes of graphs, ", std::to_string(counted), " were counted"}),
             "the driver may run copies and fills of a graph as kernels", ""});
    } else if (unordered != 0) {
        list.push_back({errc::not_collected, 0,
                        so_many(unordered, "kernel of a graph without a name", "kernels of graphs without names"),
                        "branches of a graph run in no certain order, and CUPTI counts kernels without naming them",
                        "make the branches depend on each other, or measure the graph as a whole: "
                        "range_mode::user_range with a scope around it"});
    }
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_LAUNCH_PROBLEMS_HPP
