// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of how a kernel is launched, how it fills the SMs, and how its work is spread over them.
#ifndef GPUPROF_EXPLAIN_LAUNCH_RULES_INL_HPP
#define GPUPROF_EXPLAIN_LAUNCH_RULES_INL_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "../core/counted.hpp"
#include "rule.hpp"
#include "time_model.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

using gpuprof::detail::grouped_number;
using gpuprof::detail::joined;

// "37.5 %"; of a share from 0 to 1.
[[nodiscard]] inline std::string percent_text(double of_share) {
    return joined({grouped_number(std::round(of_share * 1000) / 10), " %"});
}

// What a counter would be after a change: "1,048,576 sectors instead of 8,388,608"
[[nodiscard]] inline std::string instead_of(double after, double before, std::string_view words) {
    return joined({grouped_number(std::round(after)), " ", words, " instead of ", grouped_number(std::round(before))});
}

// How the blocks of a launch fill the GPU.
struct launch_shape {
    double blocks = 0;   // of the grid
    double threads = 0;  // of a block
    double resident = 0; // blocks that an SM can hold
    double waves = 0;    // blocks over those that all SMs hold at a time
    double multiprocessors = 0;

    [[nodiscard]] double warps_of_block() const { return std::ceil(threads / 32); }
    [[nodiscard]] double resident_warps() const { return resident * warps_of_block(); }

    // Nothing if the range is not one kernel's: the metrics of launches are missing.
    [[nodiscard]] static std::optional<launch_shape> of(evidence& values) {
        auto const blocks = values.find("launch__grid_size");
        auto const threads = values.find("launch__block_size");
        auto const waves = values.find("launch__waves_per_multiprocessor");
        auto const multiprocessors = values.find("device__attribute_multiprocessor_count");
        if (!blocks || !threads || !waves || !multiprocessors || *waves <= 0 || *multiprocessors <= 0) return {};
        return launch_shape{*blocks, *threads, std::max(1.0, std::round(*blocks / (*waves * *multiprocessors))), *waves,
                            *multiprocessors};
    }
};

inline constexpr std::string_view launch_metrics[]{"launch__grid_size",
                                                   "launch__block_size",
                                                   "launch__waves_per_multiprocessor",
                                                   "device__attribute_multiprocessor_count",
                                                   "launch__occupancy_limit_blocks",
                                                   "launch__occupancy_limit_registers",
                                                   "launch__occupancy_limit_shared_mem",
                                                   "launch__occupancy_limit_warps",
                                                   "launch__registers_per_thread",
                                                   "launch__shared_mem_per_block_allocated",
                                                   "smsp__warps_active.avg.peak_sustained",
                                                   "sm__warps_active.avg.per_cycle_active"};

// The least part of the time that is worth a word.
inline constexpr double least_gain = 0.03;

// Of the warps that an SM could hold, those that are there on average: 80 to 87 % in half of the kernels without a flaw whose SMs hold
// many, since blocks end before others begin. (H200, tests/hardware/last_pairs_values.csv.)
inline constexpr double of_full = 0.85;

// Fewer blocks than SMs.
inline void judge_small_grid(examination_of_range& of) {
    auto const shape = launch_shape::of(of.values);
    if (!shape) return static_cast<void>(of.lacks_values());
    if (shape->blocks >= shape->multiprocessors) return;
    finding what;
    what.condition = "blocks of the grid, for each SM";
    what.measured = shape->blocks / shape->multiprocessors;
    what.threshold = 1;
    what.meaning = joined({grouped_number(shape->blocks), shape->blocks == 1 ? " block is" : " blocks are",
                           " too few for ", grouped_number(shape->multiprocessors), " SMs"});
    change spread; // over all SMs, and over all blocks that each of them can hold
    spread.even = true;
    spread.warps = std::max(1.0, of_full * shape->resident);
    of.say(std::move(what), spread);
}

// Work that ends on some SMs before it does on others. @return how long the mean SM worked, of the busiest one's time
[[nodiscard]] inline double evenness(time_profile const& now) {
    return now.longest > 0 ? std::min(now.active / now.longest, 1.0) : 1;
}

// Blocks that do not fill the last wave.
inline void judge_tail(examination_of_range& of) {
    auto const shape = launch_shape::of(of.values);
    if (!shape) return static_cast<void>(of.lacks_values());
    double const a_wave = shape->multiprocessors;
    // Blocks for each SM, as the busiest one gets them.
    double const most = std::ceil(shape->blocks / a_wave);
    double const filled = shape->blocks / a_wave / most;
    if (shape->blocks < a_wave || filled > 1 - least_gain) return;
    // A model lets all SMs end together. There it follows from the launch how blocks are dealt out, unless all are there at once.
    static_cast<void>(of.values.find_or(busiest_sm_active, 0));
    time_profile dealt = of.now;
    if (of.values.least() != fidelity::exact && shape->waves > 1)
        dealt.active = std::min(dealt.active, dealt.longest * filled);
    double const even = evenness(dealt);
    if (even > 1 - least_gain) return;
    if (filled > even + 0.15) return; // blocks differ: uneven_work tells
    finding what;
    what.condition = "blocks of the grid, of those that would fill each SM alike";
    what.measured = filled;
    what.threshold = 1 - least_gain;
    what.meaning = joined({grouped_number(shape->blocks), " blocks give some SMs ", grouped_number(most),
                           " of them and others ", grouped_number(most - 1), ": the mean SM works for ",
                           percent_text(even), " of the busiest one's time"});
    change spread;
    spread.even = true;
    of.say(std::move(what), spread, dealt);
}

// How full an SM was while it had warps, of what its blocks could fill: from 0 to 1.
[[nodiscard]] inline double fullness(examination_of_range& of, launch_shape const& shape) {
    double const warps = of.values.find_or("sm__warps_active.avg.per_cycle_active", shape.resident_warps());
    double const possible =
        std::min(shape.resident_warps(), shape.blocks / shape.multiprocessors * shape.warps_of_block());
    return possible > 0 ? std::min(1.0, warps / possible) : 1;
}

// Blocks of different length.
inline void judge_uneven_work(examination_of_range& of) {
    auto const shape = launch_shape::of(of.values);
    if (!shape) return static_cast<void>(of.lacks_values());
    double const filled = shape->blocks / shape->multiprocessors / std::ceil(shape->blocks / shape->multiprocessors);
    // The blocks of a launch do not begin at once: a microsecond or two are no matter of their lengths.
    double const late = (of.now.longest - of.now.active) * of.values.find_or("gpu__time_duration.sum", 1e9);
    bool const among_sms = evenness(of.now) <= 0.95 && filled > evenness(of.now) + 0.15 && late > 2000;
    double const full = fullness(of, *shape);
    // Where few warps are left, each pipe has room for more of them, be it half busy on average.
    bool const within_sms = full < 0.6 && shape->waves <= 8 && of.now.saturation() < 0.8 && late > 2000;
    if (shape->blocks < shape->multiprocessors || (!among_sms && !within_sms)) return;
    finding what;
    what.condition = among_sms ? "time that the mean SM worked, of the busiest one's"
                               : "warps that an SM had, of those that its blocks could fill it with";
    what.measured = among_sms ? evenness(of.now) : full;
    what.threshold = among_sms ? 0.95 : 0.6;
    what.meaning = among_sms ? joined({"the mean SM works for ", percent_text(evenness(of.now)),
                                       " of the time of the busiest one, and the grid's size does not explain it"})
                             : joined({"while SMs worked, they had ", percent_text(full),
                                       " of the warps that the blocks could fill them with: most blocks had ended"});
    change spread;
    spread.even = true;
    if (within_sms) spread.warps = of_full / full;
    of.say(std::move(what), spread);
}

// Blocks that end faster than new ones begin.
inline void judge_tiny_blocks(examination_of_range& of) {
    auto const shape = launch_shape::of(of.values);
    if (!shape) return static_cast<void>(of.lacks_values());
    double const full = fullness(of, *shape);
    if (full > 0.6 || shape->waves <= 8 || of.now.beginning < 0.85 * of.now.active) return;
    finding what;
    what.condition = "warps that an SM had, of those that its blocks could fill it with";
    what.measured = full;
    what.threshold = 0.6;
    what.meaning =
        joined({"SMs had ", percent_text(full), " of the warps that they could hold: ", grouped_number(shape->blocks),
                " blocks of ", grouped_number(shape->threads), " threads end faster than new ones begin"});
    change fuller;
    fuller.warps = 1 / full;
    fuller.blocks = 0.125; // as a loop of eight turns makes of them
    of.say(std::move(what), fuller);
}

// A last warp that is not full.
inline void judge_block_size(examination_of_range& of) {
    auto const shape = launch_shape::of(of.values);
    if (!shape) return static_cast<void>(of.lacks_values());
    double const filled = shape->threads / (shape->warps_of_block() * 32);
    if (filled > 1 - least_gain) return;
    finding what;
    what.condition = "threads of a block, of those that its warps have room for";
    what.measured = filled;
    what.threshold = 1 - least_gain;
    what.meaning = joined({"a block of ", grouped_number(shape->threads), " threads takes ",
                           grouped_number(shape->warps_of_block()), " warps, which have room for ",
                           grouped_number(shape->warps_of_block() * 32)});
    what.what_if = instead_of(shape->blocks * shape->threads / 32, shape->blocks * shape->warps_of_block(), "warps");
    change fuller;
    fuller.instructions = fuller.blocks = filled; // as many threads, in full warps
    for (gpu_unit const unit :
         {gpu_unit::alu, gpu_unit::fma, gpu_unit::fp64, gpu_unit::tensor, gpu_unit::xu, gpu_unit::lsu})
        fuller.scale(unit, filled);
    // As many threads wait in fewer warps. What goes with the instructions is counted by them.
    for (std::string_view const reason : stall_reasons)
        if (!goes_with_instructions(reason)) fuller.scale(reason, filled);
    of.say(std::move(what), fuller);
}

// What can limit the blocks of an SM; the place of its metric in limit_metrics.
enum class occupancy_limit : std::size_t { blocks, registers, shared, warps };
inline constexpr std::array<std::string_view, 4> limit_metrics{
    "launch__occupancy_limit_blocks", "launch__occupancy_limit_registers", "launch__occupancy_limit_shared_mem",
    "launch__occupancy_limit_warps"};

// The least of the limits but one.
[[nodiscard]] inline double least_without(std::array<double, 4> const& limits, occupancy_limit one) {
    double least = 1e9;
    for (std::size_t i = 0; i < limits.size(); ++i)
        if (i != static_cast<std::size_t>(one)) least = std::min(least, limits[i]);
    return least;
}

// Whether warps that could go on wait for others to be issued: then more of them at a time are of no use. That may be while the issue
// slots of the whole time are half used: those of other schedulers, or of the time when there was nothing to do.
[[nodiscard]] inline bool warps_compete(time_profile const& now) {
    return now.knows_stalls && now.stalled[stall_index("not_selected")] > 1.5 * now.selected;
}

// Too few warps because of one of the limits. Speaks only where more warps could help: no unit is near what it can do. Warps that
// wait for memory fill what L2 and DRAM have left, be it little.
inline void judge_occupancy_limit(examination_of_range& of, occupancy_limit limit, std::string_view words,
                                  std::string_view used, std::string_view unit) {
    auto const shape = launch_shape::of(of.values);
    auto const most = of.values.find("smsp__warps_active.avg.peak_sustained");
    if (!shape || !most) return static_cast<void>(of.lacks_values());
    std::array<double, 4> limits{};
    for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = of.values.find_or(limit_metrics[i], 1e9);
    // A driver may not tell how it splits L1 and shared memory; then what no other limit explains is that one.
    double& shared = limits[static_cast<std::size_t>(occupancy_limit::shared)];
    if (shared > 1e8 && least_without(limits, occupancy_limit::shared) > shape->resident) shared = shape->resident;
    double const room_for = *most * 4;
    double const theoretical = shape->resident_warps() / room_for;
    if (theoretical > 0.6 || limits[static_cast<std::size_t>(limit)] > shape->resident) return;
    double const more = std::min({least_without(limits, limit) / shape->resident, 1 / theoretical, shape->waves});
    bool const for_memory = of.now.stalled[stall_index("long_scoreboard")] > 0.5;
    if (more < 1.2 || of.now.saturation() > (for_memory ? 0.9 : 0.7) || warps_compete(of.now)) return;
    finding what;
    what.condition = "warps that an SM can hold, of those that it has room for";
    what.measured = theoretical;
    what.threshold = 0.6;
    what.meaning = joined({"an SM holds ", grouped_number(shape->resident_warps()), " of ", grouped_number(room_for),
                           " warps, because of ", words, " (", grouped_number(of.values.find_or(used, 0)), unit,
                           "); without that limit it would hold ", percent_text(more), " of them"});
    what.what_if =
        instead_of(std::min(room_for, more * shape->resident_warps()), shape->resident_warps(), "warps an SM");
    change fuller;
    // An SM that few blocks do not fill, since some end before others begin, is filled less by many.
    fuller.warps = std::max(1.0, more * fullness(of, *shape));
    if (limit == occupancy_limit::blocks) fuller.blocks = 1 / more;
    of.say(std::move(what), fuller);
}
inline void judge_registers(examination_of_range& of) {
    judge_occupancy_limit(of, occupancy_limit::registers, "its registers", "launch__registers_per_thread", " a thread");
}
inline void judge_shared_memory_size(examination_of_range& of) {
    judge_occupancy_limit(of, occupancy_limit::shared, "its shared memory", "launch__shared_mem_per_block_allocated",
                          " bytes a block");
}
inline void judge_small_blocks(examination_of_range& of) {
    judge_occupancy_limit(of, occupancy_limit::blocks, "its small blocks", "launch__block_size", " threads");
}

inline constexpr rule launch_rules[]{
    {"small_grid", "Grid smaller than the GPU", "launch_statistics",
     "Launch at least one block for each SM: give each block less work, or run other kernels beside this one.",
     launch_metrics, &judge_small_grid},
    {"tail_effect", "Last blocks leave SMs idle", "workload_distribution",
     "Choose a grid that is a multiple of the number of SMs, or many small blocks instead of few long ones.",
     launch_metrics, &judge_tail},
    {"uneven_work", "Blocks of different length", "workload_distribution",
     "Divide long blocks, start them first, or let blocks fetch their work from a common counter.", launch_metrics,
     &judge_uneven_work},
    {"tiny_blocks", "Blocks end faster than new ones begin", "occupancy",
     "Give each block more work: more elements a thread, or a loop over the grid.", launch_metrics, &judge_tiny_blocks},
    {"partial_warps", "Block size is no multiple of a warp", "launch_statistics",
     "Make the number of threads of a block a multiple of 32.", launch_metrics, &judge_block_size},
    {"occupancy_limited_by_registers", "Few warps because of registers", "occupancy",
     "Let the compiler use fewer registers (__launch_bounds__, -maxrregcount), or give each thread less to keep; see "
     "that nothing is spilled.",
     launch_metrics, &judge_registers},
    {"occupancy_limited_by_shared_memory", "Few warps because of shared memory", "occupancy",
     "Use less shared memory a block, more threads a block, or a larger carve-out for shared memory.", launch_metrics,
     &judge_shared_memory_size},
    {"occupancy_limited_by_block_size", "Few warps because of small blocks", "occupancy",
     "Use larger blocks: an SM holds only so many, however small they are.", launch_metrics, &judge_small_blocks},
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_LAUNCH_RULES_INL_HPP
