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
#include "launch_log.hpp"

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

inline void add_graphs_under_user_replay(std::vector<error>& list, std::size_t graphs) {
    replay_rule const& rule = rule_of(range_mode::auto_range, replay_mode::user, launched_work::graph);
    list.push_back({errc::not_collected, 0, joined({"a range a kernel, of ", so_many(graphs, "graph", "graphs")}),
                    rule.cause, rule.remedy});
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_LAUNCH_PROBLEMS_HPP
