// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a kernel would take if some of its work went away: what units do, for what warps wait, and how work is spread.
#ifndef GPUPROF_EXPLAIN_TIME_MODEL_HPP
#define GPUPROF_EXPLAIN_TIME_MODEL_HPP

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "../detail/config.hpp"
#include "evidence.hpp"
#include "finding.hpp"
#include "unit_experiments.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// How many reasons warps stall for.
inline constexpr std::size_t stall_reason_count = std::size(stall_reasons);

// The place of a reason in stall_reasons. @pre it is one of them
[[nodiscard]] constexpr std::size_t stall_index(std::string_view reason) noexcept {
    std::size_t at = 0;
    while (at + 1 < stall_reason_count && stall_reasons[at] != reason) ++at;
    return at;
}

namespace detail {
// How near its peak a unit comes in kernels that do nothing else, while SMs work: copies reach 92 % of what DRAM could do, what stays
// in L2 95 % and more of its throughput, arithmetic 97 % and more of a pipe. (H100 and H200, tests/hardware/last_pairs_values.csv.)
[[nodiscard]] constexpr double reachable(std::size_t unit) noexcept {
    switch (static_cast<gpu_unit>(unit)) {
        case gpu_unit::dram: return 0.92;
        case gpu_unit::l2: return 0.95;
        default: return 0.97;
    }
}
} // namespace detail

namespace detail {
// Cycles between two blocks that an SM begins, where blocks of one to eight warps end at once: 138 to 162 were measured, 154 and
// more in most kernels. (H100 and H200, tests/hardware/last_pairs_values.csv.)
inline constexpr double cycles_of_block = 150;
} // namespace detail

// Where a range's time went. Shares are of the range's time, from 0 to 1.
struct time_profile {
    // Of each unit, in the order of gpu_unit: the share of its peak, over all time and all SMs. Below 0: not known.
    std::array<double, gpu_units> busy{};
    // Of each reason: the cycles of warps that stalled for it, of all cycles of warps. Below 0: not known.
    std::array<double, stall_reason_count> stalled{};
    double selected = 0;  // of all cycles of warps: those in which they issued
    double active = 1;    // of the time: the mean SM had warps
    double longest = 1;   // of the time: the busiest SM had warps
    double beginning = 0; // of the time: what the blocks of an SM take to begin one after another
    bool knows_stalls = false;
    double nanoseconds = 0; // 0: not known

    // How near the busiest of these units is to what can be reached: from 0 to 1.
    [[nodiscard]] double saturation(std::initializer_list<gpu_unit> units) const;
    // Of all units.
    [[nodiscard]] double saturation() const {
        return saturation({gpu_unit::issue, gpu_unit::alu, gpu_unit::fma, gpu_unit::fp64, gpu_unit::tensor,
                           gpu_unit::xu, gpu_unit::lsu, gpu_unit::tex, gpu_unit::shared, gpu_unit::l1, gpu_unit::l2,
                           gpu_unit::dram});
    }
    // What remains of waits for memory if only these shares of the traffic of each level do. Waits in the queue before the
    // busiest level shrink with its traffic; the latency of idle units stays.
    [[nodiscard]] double waits_after(double l1, double l2, double dram) const;
    // The place of the unit that is nearest to what can be reached. Its `busy` is below 0 if nothing is known of any.
    [[nodiscard]] std::size_t busiest() const;
    // That unit, if it is busy for three quarters of what can be reached, or else latency or distribution.
    [[nodiscard]] limit bound() const;

    // What the range has of it. Metrics: those of try_bottleneck_metrics.
    [[nodiscard]] static time_profile of(evidence& values);
};

// What remains after a change, each as a share of what there was: 1 is all, 0 nothing. Above 1: there is more.
struct change {
    std::array<double, gpu_units> busy{};
    std::array<double, stall_reason_count> stalled{};
    double instructions = 1; // that each warp executes
    double warps = 1;        // that are resident at a time, 2: twice as many
    double blocks = 1;       // that begin
    bool even = false;       // the work is spread evenly over all SMs

    constexpr change() noexcept {
        busy.fill(1);
        stalled.fill(1);
    }
    constexpr change& scale(gpu_unit unit, double remains) noexcept {
        busy[static_cast<std::size_t>(unit)] *= remains;
        return *this;
    }
    constexpr change& scale(std::string_view stall, double remains) noexcept {
        stalled[stall_index(stall)] *= remains;
        return *this;
    }
    // The waits for global memory, and for the queues of instructions before it.
    constexpr change& scale_memory_waits(double remains) noexcept {
        return scale("long_scoreboard", remains)
            .scale("lg_throttle", remains)
            .scale("drain", remains)
            .scale("mio_throttle", remains)
            .scale("short_scoreboard", remains);
    }
    // Both changes together: of what one leaves, the other leaves its share.
    constexpr change& and_also(change const& other) noexcept {
        for (std::size_t i = 0; i < gpu_units; ++i) busy[i] *= other.busy[i];
        for (std::size_t i = 0; i < stall_reason_count; ++i) stalled[i] *= other.stalled[i];
        instructions *= other.instructions;
        warps *= other.warps;
        blocks *= other.blocks;
        even = even || other.even;
        return *this;
    }
};

// How much shorter the range gets by a change. A range takes as long as its busiest unit works, or as its warps need one
// after another, or as its busiest SM needs: the longest of them, and a little longer where two are near each other.
// - likely: units work and warps wait as they do now, but for what the change takes away.
// - least and most: how far off that was for pairs of kernels of which a bad one was mended (docs/explain.md).
[[nodiscard]] gain estimate(time_profile const& now, change const& by);

#if !GPUPROF_ENABLED
inline double time_profile::saturation(std::initializer_list<gpu_unit>) const { return 0; }
inline double time_profile::waits_after(double, double, double) const { return 1; }
inline std::size_t time_profile::busiest() const { return 0; }
inline limit time_profile::bound() const { return limit::none; }
inline time_profile time_profile::of(evidence&) { return {}; }
inline gain estimate(time_profile const&, change const&) { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "time_model.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_TIME_MODEL_HPP
