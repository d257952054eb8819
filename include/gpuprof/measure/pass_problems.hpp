// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the times of passes say against their values.
#ifndef GPUPROF_MEASURE_PASS_PROBLEMS_HPP
#define GPUPROF_MEASURE_PASS_PROBLEMS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../metric/info.hpp"
#include "report_contents.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether a pass of its own runs the code with counting instructions put into it.
[[nodiscard]] inline bool counts_by_patching(std::vector<metric_info> const& metrics) noexcept {
    for (metric_info const& each : metrics)
        if (each.source == metric_source::sass) return true;
    return false;
}

// "4.096 us to 1,024 us": what the passes took.
[[nodiscard]] inline std::string text_of(pass_times const& of) {
    auto const microseconds = [](nanoseconds time) {
        return grouped_number(static_cast<double>(static_cast<long long>(time.value())) / 1000);
    };
    return joined({microseconds(of.shortest), " to ", microseconds(of.longest), " us"});
}

// What opening and closing a range takes on a GPU is in its time: 0.7 to 1.5 ms in a pass with counters
// on an H200 (tests/hardware/last_passes.txt). Shorter ranges would compare that.
inline constexpr nanoseconds usual_difference{2'000'000};
inline constexpr nanoseconds worth_comparing{10'000'000};

// The range whose passes are least alike, if they are less alike than `most`; no_range if none is.
[[nodiscard]] inline std::size_t least_alike(report_contents const& of, double most) {
    std::size_t worst = report_contents::no_range;
    for (std::size_t i = 0; i < of.ranges.size(); ++i) {
        pass_times const& times = of.ranges[i].pass_times;
        bool const usual = of.source == device_source::hardware && times.longest - times.shortest < usual_difference;
        if (usual || !(times.spread() > most)) continue; // NaN: not known
        most = times.spread();
        worst = i;
    }
    return worst;
}

GPUPROF_COLD inline void add_unlike_passes(report_contents& to, double most_spread) {
    std::size_t const worst = least_alike(to, most_spread);
    if (worst == report_contents::no_range) return;
    report_range const& range = to.ranges[worst];
    std::string_view cause = "the work depends on what an earlier pass left in memory or caches, or something else "
                             "ran on the GPU";
    std::string_view remedy = "restore memory between passes (profiler_options::memory), flush the caches (caches); "
                              "profiler_options::most_spread says what is alike";
    if (to.completeness.memory_differs) {
        cause = "the code changes its input: what the first and the last pass left in memory differs";
        remedy = "set profiler_options::memory to memory_control::restore";
    } else if (to.clocks && to.clocks->throttled()) {
        cause = "the clocks changed: heat or power kept them low";
        remedy = "hold the clocks by clock_lock";
    }
    to.completeness.problems.push_back(
        {errc::replay_mismatch, 0,
         joined({"passes are not alike: \"", range.name, "\" took ", text_of(range.pass_times), " in ",
                 std::to_string(range.pass_times.passes), " passes"}),
         cause, remedy});
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PASS_PROBLEMS_HPP
