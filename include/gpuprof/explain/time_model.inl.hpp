// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of time_model.hpp.
#ifndef GPUPROF_EXPLAIN_TIME_MODEL_INL_HPP
#define GPUPROF_EXPLAIN_TIME_MODEL_INL_HPP

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "../detail/builtin.hpp"
#include "bottleneck.hpp"
#include "time_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
// Whether a unit is one of each SM; else all SMs share it.
[[nodiscard]] constexpr bool is_of_sm(std::size_t unit) noexcept {
    return unit != static_cast<std::size_t>(gpu_unit::l2) && unit != static_cast<std::size_t>(gpu_unit::dram);
}
[[nodiscard]] constexpr limit limit_of(std::size_t unit) noexcept {
    switch (static_cast<gpu_unit>(unit)) {
        case gpu_unit::issue: return limit::issue;
        case gpu_unit::alu:
        case gpu_unit::fma:
        case gpu_unit::fp64:
        case gpu_unit::tensor:
        case gpu_unit::xu:
        case gpu_unit::lsu:
        case gpu_unit::tex: return limit::pipe;
        case gpu_unit::shared: return limit::shared;
        case gpu_unit::l1: return limit::l1;
        case gpu_unit::l2: return limit::l2;
        case gpu_unit::dram: return limit::dram;
    }
    return limit::none;
}
[[nodiscard]] inline double share(double value) noexcept { return value < 0 ? 0 : value > 1 ? 1 : value; }

// Waits of pipes and issue slots, which are as many as the instructions.
[[nodiscard]] constexpr bool goes_with_instructions(std::string_view reason) noexcept {
    return reason == "not_selected" || reason == "wait" || reason == "dispatch_stall" || reason == "math_pipe_throttle";
}

// A bound of the time that a range takes, as a share of what it takes now.
struct bound {
    double time = 0;
    limit what = limit::none;
    void raise(double other, limit by) noexcept {
        if (other > time) {
            time = other;
            what = by;
        }
    }
};
// The time of warps that share a unit, of which each bound alone would take so long. The longer one is it only where the other
// is far away: the nearer a unit is to its peak, the longer the queue before it.
[[nodiscard]] inline double near_a_roof(double path, double unit) noexcept {
    return gpuprof::detail::square_root(
        gpuprof::detail::square_root(path * path * path * path + unit * unit * unit * unit));
}
// Nanoseconds of a launch in which no SM works: 1,700 to 2,400 in half of the kernels. (H200, tests/hardware/last_pairs_values.csv.)
inline constexpr double of_launch = 2000;
// Nanoseconds by which the last SM ends after the mean one: 900 in half of the kernels without a flaw. (H200, the same file.)
inline constexpr double between_sms = 900;
} // namespace detail

GPUPROF_INLINE time_profile time_profile::of(evidence& values) {
    time_profile made;
    double const elapsed = values.find_or(detail::busiest_sm_elapsed, 0);
    if (elapsed > 0) {
        made.active = detail::share(values.find_or(detail::active_cycles, elapsed) / elapsed);
        made.longest = detail::share(values.find_or(detail::busiest_sm_active, elapsed) / elapsed);
        double const blocks = values.find_or("launch__grid_size", 0);
        double const multiprocessors = values.find_or("device__attribute_multiprocessor_count", blocks);
        if (blocks > multiprocessors)
            made.beginning = std::min(made.active, detail::cycles_of_block * blocks / multiprocessors / elapsed);
    }
    for (std::size_t i = 0; i < gpu_units; ++i) {
        made.busy[i] = -1;
        for (std::string_view const base : unit_experiments[i].speed_of_light) {
            if (base.empty()) continue;
            double const peak = values.find_or(gpuprof::detail::joined({base, detail::of_peak}), -100) / 100;
            made.busy[i] = std::max(made.busy[i], std::min(peak, 1.0));
        }
    }
    double const warps = values.find_or(detail::resident_warps, 0);
    double waiting = 0;
    for (std::size_t i = 0; i < stall_reason_count; ++i) {
        double const cycles = values.find_or(gpuprof::detail::joined({detail::stalled, stall_reasons[i], ".sum"}), -1);
        made.stalled[i] = warps > 0 && cycles >= 0 ? detail::share(cycles / warps) : -1;
        if (made.stalled[i] > 0) waiting += made.stalled[i];
    }
    made.knows_stalls = waiting > 0;
    made.nanoseconds = values.find_or("gpu__time_duration.sum", 0);
    made.selected = made.knows_stalls ? detail::share(1 - waiting) : 0;
    return made;
}

GPUPROF_INLINE double time_profile::saturation(std::initializer_list<gpu_unit> units) const {
    double most = 0;
    for (gpu_unit const each : units) {
        std::size_t const at = static_cast<std::size_t>(each);
        most = std::max(most, busy[at] / detail::reachable(at));
    }
    return detail::share(most);
}

GPUPROF_INLINE double time_profile::waits_after(double l1, double l2, double dram) const {
    double most = 0, remains = 1;
    auto const look = [&](gpu_unit unit, double rest) {
        double const busy_now = saturation({unit});
        if (busy_now <= most) return;
        most = busy_now;
        remains = rest;
    };
    look(gpu_unit::l1, l1);
    look(gpu_unit::l2, l2);
    look(gpu_unit::dram, dram);
    // How much of the latency is a queue: more than the unit's share once it is half busy.
    double const queue = detail::share(most < 0.5 ? most : 0.5 + 1.25 * (most - 0.5));
    return 1 - queue * (1 - std::min(remains, 1.0));
}

GPUPROF_INLINE std::size_t time_profile::busiest() const {
    std::size_t most = 0;
    for (std::size_t i = 1; i < gpu_units; ++i)
        if (busy[i] / detail::reachable(i) > busy[most] / detail::reachable(most)) most = i;
    return most;
}

GPUPROF_INLINE limit time_profile::bound() const {
    std::size_t const unit = busiest();
    if (busy[unit] / detail::reachable(unit) > 0.75) return detail::limit_of(unit); // less is no bound
    return active < 0.75 ? limit::distribution : limit::latency;
}

GPUPROF_INLINE gain estimate(time_profile const& now, change const& by) {
    // No SM works: the launch, which nothing changes. What is longer is of the kernel, such as stores under way or a lower clock.
    double const idle =
        now.nanoseconds > 0 ? std::min(1 - now.longest, detail::of_launch / now.nanoseconds) : 1 - now.longest;
    double const longest = 1 - idle;
    double const active = now.longest > 0 ? now.active * longest / now.longest : now.active;
    // The busiest SM works. However even the work is, SMs begin and end at times of their own.
    double const apart = now.nanoseconds > 0 ? detail::between_sms / now.nanoseconds : 0;
    double const working = by.even ? std::min(longest, active + apart) : longest;
    double const crowding = active > 0 ? working / active : 1;
    detail::bound units;
    double untouched = 0, untouched_now = 0; // how busy the busiest unit is of those whose work mostly stays
    limit of_untouched = limit::latency;
    for (std::size_t i = 0; i < gpu_units; ++i) {
        if (now.busy[i] < 0) continue;
        auto const used = [&](double crowded) {
            return std::min(1.0, now.busy[i] / detail::reachable(i) * (detail::is_of_sm(i) ? crowded : 1));
        };
        double remains = used(crowding) * by.busy[i];
        if (static_cast<gpu_unit>(i) == gpu_unit::issue) remains *= by.instructions;
        units.raise(remains, detail::limit_of(i));
        if (by.busy[i] < 0.9 || remains < untouched) continue;
        untouched = remains;
        of_untouched = detail::limit_of(i);
        untouched_now = used(active > 0 ? longest / active : 1);
    }
    units.raise(now.beginning * by.blocks, limit::distribution);
    if (by.blocks >= 1 && now.beginning > untouched) {
        untouched = untouched_now = now.beginning;
        of_untouched = limit::distribution;
    }
    // What a warp does, one thing after another. Waits for pipes and issue slots go with the instructions.
    double path = by.instructions; // where it is not known for what they wait
    if (now.knows_stalls) {
        double before = now.selected, after = now.selected * by.instructions;
        constexpr std::size_t barrier = stall_index("barrier");
        for (std::size_t i = 0; i < stall_reason_count; ++i) {
            if (now.stalled[i] <= 0 || i == barrier) continue;
            std::string_view const reason = stall_reasons[i];
            before += now.stalled[i];
            after += now.stalled[i] * by.stalled[i] * (detail::goes_with_instructions(reason) ? by.instructions : 1);
        }
        if (before > 0) path = after / before;
        // At a barrier, warps wait for what other warps do: that shrinks as the rest does.
        double const barriers = std::max(0.0, now.stalled[barrier]);
        if (before > 0) path = (after + barriers * by.stalled[barrier] * path) / (before + barriers);
    }
    path /= by.warps;
    path = working * std::min(path, 1.0);
    // What the time is today contains today's queue.
    double const queued = longest * detail::near_a_roof(path, untouched) / detail::near_a_roof(longest, untouched_now);
    detail::bound likely;
    likely.raise(idle + queued, path < untouched ? of_untouched : limit::latency);
    likely.raise(idle + units.time, units.what);
    gain made;
    made.likely = detail::share(1 - likely.time);
    // A kernel of a few microseconds is mostly its launch, whatever the counters of its units say.
    if (now.nanoseconds > 0 && now.nanoseconds < 10000) made.likely *= now.nanoseconds / 10000;
    made.then = likely.what;
    // Of the pairs of tests/hardware/pairs, nine in ten gain no less and no more than this.
    // A small gain is off by a part of itself, a large one by a part of what it leaves.
    double const rest = 1 - made.likely;
    made.least = std::max(0.0, std::max(0.6 * made.likely, 1 - 1.6 * rest) - 0.02);
    made.most = made.likely + rest * (0.1 + 0.8 * made.likely);
    return made;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_TIME_MODEL_INL_HPP
