// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranges, which replay and which work go together, known when compiling.
#ifndef GPUPROF_HW_COUNTERS_REPLAY_MODES_HPP
#define GPUPROF_HW_COUNTERS_REPLAY_MODES_HPP

#include <string_view>

#include "../../detail/config.hpp"
#include "range_mode.hpp"

GPUPROF_NAMESPACE_BEGIN

// What one call of the application launches.
enum class launched_work : unsigned char {
    kernel, // one kernel
    graph   // a graph, whose nodes may be many kernels
};

// What one value of a report stands for; nothing: the three do not go together.
enum class measured_as : unsigned char {
    nothing,
    single_kernel, // each kernel, a graph's kernel nodes too, has values of its own
    whole_range    // all that a scope holds has one value; a graph is one piece of it
};

// One row of the table. Texts are empty where the three go together.
struct replay_rule {
    range_mode ranges = range_mode::user_range;
    replay_mode replay = replay_mode::user;
    launched_work work = launched_work::kernel;
    measured_as result = measured_as::nothing;
    std::string_view cause{};  // why not
    std::string_view remedy{}; // what does
};

namespace detail {
inline constexpr std::string_view scopes_need_user_replay =
    "CUPTI replays single kernels only, and a scope may hold several";
inline constexpr std::string_view launches_are_ranges =
    "each launching call is a range by itself, and scopes mean nothing";
inline constexpr std::string_view no_launch_replay_of_scopes = "use range_mode::auto_range, or replay_mode::range";
inline constexpr std::string_view scopes_are_replayed = "scopes say which driver calls are repeated together";
inline constexpr std::string_view no_range_replay_of_launches = "use range_mode::user_range, or replay_mode::launch";
inline constexpr std::string_view no_kernel_replay_of_scopes = "use range_mode::auto_range, or replay_mode::user";
} // namespace detail

// The range profiler's modes: every combination once. Nsight Compute 2023.3 guide, table 2; CUPTI
// 12.0, 2.7.2 and its limits for graphs. The event API differs in one: it replays single kernels
// in scopes, too.
inline constexpr replay_rule replay_rules[]{
    {range_mode::user_range, replay_mode::user, launched_work::kernel, measured_as::whole_range},
    {range_mode::user_range, replay_mode::user, launched_work::graph, measured_as::whole_range},
    {range_mode::user_range, replay_mode::kernel, launched_work::kernel, measured_as::nothing,
     detail::scopes_need_user_replay, detail::no_kernel_replay_of_scopes},
    {range_mode::user_range, replay_mode::kernel, launched_work::graph, measured_as::nothing,
     detail::scopes_need_user_replay, detail::no_kernel_replay_of_scopes},
    {range_mode::auto_range, replay_mode::user, launched_work::kernel, measured_as::single_kernel},
    {range_mode::auto_range, replay_mode::user, launched_work::graph, measured_as::nothing,
     "hardware counts the kernels of a graph one by one only where it replays them itself",
     "use replay_mode::kernel, or range_mode::user_range with a scope around the graph"},
    {range_mode::auto_range, replay_mode::kernel, launched_work::kernel, measured_as::single_kernel},
    {range_mode::auto_range, replay_mode::kernel, launched_work::graph, measured_as::single_kernel},
    {range_mode::user_range, replay_mode::launch, launched_work::kernel, measured_as::nothing,
     detail::launches_are_ranges, detail::no_launch_replay_of_scopes},
    {range_mode::user_range, replay_mode::launch, launched_work::graph, measured_as::nothing,
     detail::launches_are_ranges, detail::no_launch_replay_of_scopes},
    {range_mode::auto_range, replay_mode::launch, launched_work::kernel, measured_as::single_kernel},
    {range_mode::auto_range, replay_mode::launch, launched_work::graph, measured_as::whole_range},
    {range_mode::user_range, replay_mode::range, launched_work::kernel, measured_as::whole_range},
    {range_mode::user_range, replay_mode::range, launched_work::graph, measured_as::whole_range},
    {range_mode::auto_range, replay_mode::range, launched_work::kernel, measured_as::nothing,
     detail::scopes_are_replayed, detail::no_range_replay_of_launches},
    {range_mode::auto_range, replay_mode::range, launched_work::graph, measured_as::nothing,
     detail::scopes_are_replayed, detail::no_range_replay_of_launches},
    {range_mode::user_range, replay_mode::application, launched_work::kernel, measured_as::whole_range},
    {range_mode::user_range, replay_mode::application, launched_work::graph, measured_as::whole_range},
    {range_mode::auto_range, replay_mode::application, launched_work::kernel, measured_as::single_kernel},
    {range_mode::auto_range, replay_mode::application, launched_work::graph, measured_as::nothing,
     "hardware counts the kernels of a graph one by one only where it replays them itself",
     "use replay_mode::kernel, or range_mode::user_range with a scope around the graph"}};

// The row of three modes. Known when compiling; never fails.
[[nodiscard]] constexpr replay_rule const& rule_of(range_mode ranges, replay_mode replay, launched_work work) noexcept {
    for (replay_rule const& each : replay_rules)
        if (each.ranges == ranges && each.replay == replay && each.work == work) return each;
    return replay_rules[0]; // not reached: all_replay_rules_given()
}

[[nodiscard]] constexpr bool go_together(range_mode ranges, replay_mode replay, launched_work work) noexcept {
    return rule_of(ranges, replay, work).result != measured_as::nothing;
}
// With anything that can be launched.
[[nodiscard]] constexpr bool go_together(range_mode ranges, replay_mode replay) noexcept {
    return go_together(ranges, replay, launched_work::kernel) || go_together(ranges, replay, launched_work::graph);
}

// Whether the range profiler can leave work out within a pass, for gpuprof::paused: by closing ranges
// that are pushed, or by stopping where CUPTI replays. Where ranges are single kernels and the
// application replays, its only stop ends the pass (H200, CUPTI 13.0). The profiling API and the event
// API can in every mode.
[[nodiscard]] constexpr bool range_profiler_pauses(range_mode ranges, replay_mode replay) noexcept {
    return ranges == range_mode::user_range || replay == replay_mode::kernel;
}

// What keeps a single kernel from being replayed by itself. Replay runs a kernel again and waits for it while
// the program stands still: a kernel that needs anything of the program, or of a kernel beside it, hangs.
enum class replay_obstacle : unsigned char {
    none,
    other_gpus,          // it is of a library whose kernels wait for their partners on other GPUs
    memory_of_other_gpu, // an argument points there: a partner may write it meanwhile
    asked_for,           // whoever measures says so
    capture              // a stream of the context is being captured
};

// How a launch is measured where there is an obstacle.
enum class instead_of_replay : unsigned char {
    replay,   // there is none
    one_pass, // a range around it, in one pass: what does not fit it has no value. Nothing waits for the kernel
    nothing   // it runs unmeasured
};
// One row of the table. The cause stands in the report.
struct obstacle_rule {
    replay_obstacle obstacle = replay_obstacle::none;
    instead_of_replay instead = instead_of_replay::replay;
    std::string_view cause{}; // empty where there is none
};
// Each obstacle once, in the order of the enumeration.
inline constexpr obstacle_rule obstacle_rules[]{
    {replay_obstacle::none, instead_of_replay::replay},
    {replay_obstacle::other_gpus, instead_of_replay::one_pass,
     "kernels of NCCL and NVSHMEM wait for other GPUs, and would wait for ever if they were replayed"},
    {replay_obstacle::memory_of_other_gpu, instead_of_replay::one_pass,
     "an argument points into memory of another GPU, whose kernels may wait for this one"},
    {replay_obstacle::asked_for, instead_of_replay::one_pass, "--one-pass names them"},
    {replay_obstacle::capture, instead_of_replay::nothing,
     "a stream was being captured, which counting would have spoilt"}};
// The row of an obstacle. Known when compiling; never fails.
[[nodiscard]] constexpr obstacle_rule const& rule_of(replay_obstacle obstacle) noexcept {
    for (obstacle_rule const& each : obstacle_rules)
        if (each.obstacle == obstacle) return each;
    return obstacle_rules[0]; // not reached: all_obstacles_given()
}

namespace detail {

// One row each, in the order of the enumeration, with a cause unless there is no obstacle.
consteval bool all_obstacles_given() {
    unsigned at = 0;
    for (obstacle_rule const& each : obstacle_rules) {
        if (each.obstacle != static_cast<replay_obstacle>(at++)) return false;
        if (each.cause.empty() != (each.obstacle == replay_obstacle::none)) return false;
        if ((each.instead == instead_of_replay::replay) != (each.obstacle == replay_obstacle::none)) return false;
    }
    return at == static_cast<unsigned>(replay_obstacle::capture) + 1;
}
static_assert(all_obstacles_given());

// Each combination has one row; what is forbidden says why and what to do, and nothing else does.
consteval bool all_replay_rules_given() {
    for (range_mode const ranges : {range_mode::user_range, range_mode::auto_range})
        for (replay_mode const replay : {replay_mode::user, replay_mode::kernel, replay_mode::launch,
                                         replay_mode::range, replay_mode::application})
            for (launched_work const work : {launched_work::kernel, launched_work::graph}) {
                int rows = 0;
                for (replay_rule const& each : replay_rules)
                    rows += each.ranges == ranges && each.replay == replay && each.work == work ? 1 : 0;
                replay_rule const& rule = rule_of(ranges, replay, work);
                bool const is_forbidden = rule.result == measured_as::nothing;
                if (rows != 1 || rule.cause.empty() == is_forbidden || rule.remedy.empty() == is_forbidden)
                    return false;
            }
    return true;
}
static_assert(all_replay_rules_given());

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_REPLAY_MODES_HPP
