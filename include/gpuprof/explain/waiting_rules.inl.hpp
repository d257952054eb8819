// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of what warps wait for. Nsight Compute guide, chapter 4, "Warp stall reasons".
#ifndef GPUPROF_EXPLAIN_WAITING_RULES_INL_HPP
#define GPUPROF_EXPLAIN_WAITING_RULES_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "time_model.inl.hpp"
#include "arithmetic_rules.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

// A reason that is worth a word by itself, and how much of it and of a unit's work a change leaves.
struct wait_row {
    std::string_view reason;
    std::string_view words; // "for other warps at a barrier"
    double remains;
    gpu_unit unit = gpu_unit::issue;
    double of_unit = 1;
    double of_branches = 1; // of the waits for branches and the code behind them
    double threshold = 0.2; // from which share of their time on it is worth a word
};

inline void judge_wait(examination_of_range& of, wait_row const& row, double threshold = 0.2,
                       change const& besides = {}, double least_remains = 0) {
    if (!of.now.knows_stalls) return of.cannot("it is not known what warps waited for");
    double const share = of.now.stalled[stall_index(row.reason)];
    static_cast<void>(of.values.find(joined({stalled, row.reason, ".sum"})));
    static_cast<void>(of.values.find(resident_warps));
    if (share < threshold) return;
    finding what;
    what.condition = "time that warps wait, of the time that they are there";
    what.measured = share;
    what.threshold = threshold;
    what.meaning = joined({"warps wait ", row.words, " for ", percent_text(share), " of their time"});
    change less = besides;
    less.scale(row.reason, row.remains).scale(row.unit, row.of_unit);
    if (row.of_branches < 1) less.scale("branch_resolving", row.of_branches).scale("no_instruction", row.of_branches);
    change least = less;
    if (least_remains > 0) { // of all that the change takes
        for (double& each : least.stalled) each = std::max(each, least_remains);
        least.instructions = std::max(least.instructions, (1 + less.instructions) / 2);
    }
    of.say(std::move(what), less, least, less);
}
template <wait_row const& Row>
void judge_wait_of(examination_of_range& of) {
    judge_wait(of, Row, Row.threshold);
}

inline constexpr wait_row at_barrier{"barrier", "for other warps of their block, at a barrier", 0.2};
// Fences are requests to L2, too. A texture unit does what plain loads do at less than half the rate.
inline constexpr wait_row at_fence{"membar", "for a memory fence", 0.05, gpu_unit::l2, 0.5, 1, 0.1};
inline constexpr wait_row for_textures{"tex_throttle", "for room in the queue of texture instructions", 0.3,
                                       gpu_unit::l1, 0.4};
inline constexpr wait_row asleep{"sleeping", "because they sleep", 0, gpu_unit::issue, 1, 1, 0.1};
inline constexpr wait_row for_code{"no_instruction", "for instructions to be fetched", 0.2};
inline constexpr wait_row for_memory{"long_scoreboard", "for data from L2 or memory", 0.25};
// Independent values share the turns of a loop.
inline constexpr wait_row for_result{"wait", "for the result of the instruction before", 0.15, gpu_unit::issue, 1,
                                     0.15};

// The instructions that remain where a loop has this share of its turns, each of which does as much more: a turn has a branch, for
// which a warp waits for three cycles (H100 and H200), and instructions that count and compare.
[[nodiscard]] inline double with_turns(time_profile const& now, double remain) {
    double const waits = std::max(0.0, now.stalled[stall_index("branch_resolving")]);
    double const branches = now.selected > 0 ? waits / 3 / now.selected : 0; // of all instructions
    return std::max(0.5, 1 - (1 - remain) * 3 * branches);
}

// Loads of a warp, if they are a chain: their addresses come from data, and warps wait for each about as long as L2 takes. Of loads
// from addresses that are known, several would be under way, or each block would touch as many sectors. 0: they are none.
[[nodiscard]] inline double loads_of_chain(examination_of_range& of, traffic const& loads) {
    double const blocks = of.values.find_or("launch__grid_size", 0);
    double const warps = blocks * std::ceil(of.values.find_or("launch__block_size", 32) / 32);
    double const waits = of.now.stalled[stall_index("long_scoreboard")];
    if (waits < 0.7 || loads.requests < 8 * warps) return 0; // the few at a kernel's begin
    if (loads.excess() < 0.1 * loads.sectors)
        return 0; // threads of a warp that go ways of their own touch sectors of their own
    // Longer than 450 cycles is a queue, or the host's memory.
    bool const one_by_one = wait_of_load(of, loads) < 450 && loads_under_way(of, loads) < 1.8;
    return one_by_one && loads.is_irregular(blocks) ? loads.requests / warps : 0;
}

// Loads of which each has its address from the one before: a walk through a list, a tree, a graph. No counter tells how much
// shorter the way can be: two at a time are likely, all but one load of each way at most.
inline void judge_dependent_loads(examination_of_range& of) {
    if (!of.now.knows_stalls) return of.cannot("it is not known what warps waited for");
    auto const traffic = global_traffic(of.values, true);
    auto const cycles = of.values.find(resident_warps);
    if (!traffic || !cycles) return static_cast<void>(of.lacks_values());
    double const loads = loads_of_chain(of, *traffic);
    if (loads <= 0) return;
    finding what;
    what.condition = "time that warps wait for data from L2 or memory, of the time that they are there";
    what.measured = of.now.stalled[stall_index("long_scoreboard")];
    what.threshold = 0.7;
    what.meaning = joined({"a warp loads ", about(loads), " times from addresses that come from data, and waits ",
                           about(wait_of_load(of, *traffic)), " cycles each time: it needs what it loads to go on"});
    auto const if_remain = [](double share) { return change{}.scale("long_scoreboard", share); };
    // Before a unit that is busy, warps wait in a queue: two ways at a time make that longer.
    double const likely = of.now.saturation() > 0.6 ? 0.9 : 0.5;
    of.say(std::move(what), if_remain(likely), if_remain(0.9), if_remain(1 / loads));
}

// Loads one after another: latency that nothing hides, neither other loads nor other warps.
inline void judge_memory_latency(examination_of_range& of) {
    if (!of.now.knows_stalls) return of.cannot("it is not known what warps waited for");
    auto const global = global_traffic(of.values, true);
    if (global && loads_of_chain(of, *global) > 0) return; // dependent_loads tells
    double const ahead = global ? loads_under_way(of, *global) : 0;
    if (ahead >= 4) return;
    double const occupancy = of.values.find_or("sm__warps_active.avg.pct_of_peak_sustained_active", 0);
    // Work of an SM that fills half of a unit hides latency; what moves data may be busier and each warp still wait for one load.
    bool const computes = of.now.saturation({gpu_unit::issue, gpu_unit::alu, gpu_unit::fma, gpu_unit::fp64,
                                             gpu_unit::tensor, gpu_unit::xu, gpu_unit::lsu, gpu_unit::shared}) > 0.5;
    if (computes || of.now.saturation() > 0.6 || occupancy > 50 || of.now.stalled[stall_index("long_scoreboard")] < 0.5)
        return;
    auto const shape = launch_shape::of(of.values);
    double const most = 4 * of.values.find_or("smsp__warps_active.avg.peak_sustained", 16);
    bool const few = shape && shape->waves > 1.2 && shape->resident_warps() < 0.6 * most;
    if (few || (shape && shape->blocks >= shape->multiprocessors && fullness(of, *shape) < 0.6))
        return; // there are too few warps, and another rule says why
    // A loop that is unrolled for loads ahead has other latencies under way beside them.
    change unrolled;
    for (std::string_view const reason : {"wait", "short_scoreboard", "branch_resolving"}) unrolled.scale(reason, 0.6);
    wait_row row = for_memory;
    row.remains = waits_with_more_under_way(ahead, row.remains);
    judge_wait(of, row, 0.2, unrolled);
}
// Instructions that each need the result of the one before.
inline void judge_dependencies(examination_of_range& of) {
    if (!of.now.knows_stalls) return of.cannot("it is not known what warps waited for");
    if (of.now.saturation() > 0.6) return;
    change beside; // as no unit is busy, shared memory and functions make wait by their latency, too
    beside.scale("short_scoreboard", for_result.remains);
    beside.instructions = with_turns(of.now, for_result.of_branches);
    judge_wait(of, for_result, 0.4, beside, 0.5); // an expression may come apart into two values only
}

inline constexpr std::string_view constant_metrics[]{
    "smsp__inst_executed_op_ldc.sum",
    "smsp__inst_executed.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
};

// Threads of a warp that read different constants: one after another.
inline void judge_constants(examination_of_range& of) {
    auto const loads = of.values.find("smsp__inst_executed_op_ldc.sum");
    auto const all = of.values.find("smsp__inst_executed.sum");
    if (!of.now.knows_stalls) return of.cannot("it is not known what warps waited for");
    if (!loads || !all) return static_cast<void>(of.lacks_values());
    auto const waited = [&of](std::string_view reason) { return std::max(0.0, of.now.stalled[stall_index(reason)]); };
    double const waits = waited("imc_miss") + waited("mio_throttle") + waited("short_scoreboard");
    // L1 may be busy with global memory, if most instructions in the queue are of constants all the same.
    double const global = of.values.find_or(constant_metrics[2], 0) + of.values.find_or(constant_metrics[3], 0);
    bool const others = of.now.saturation({gpu_unit::lsu, gpu_unit::xu, gpu_unit::shared}) > 0.2 ||
                        (of.now.saturation({gpu_unit::l1}) > 0.2 && *loads < 3 * global);
    if (*loads < 0.01 * *all || waits < 0.3 || others) return;
    finding what;
    what.condition = "time that warps wait for constants, of the time that they are there";
    what.measured = waits;
    what.threshold = 0.3;
    what.meaning = joined({percent_text(*loads / *all),
                           " of the instructions read constants by an index, and warps wait for them for ",
                           percent_text(waits), " of their time: threads of a warp read different ones"});
    change together;
    for (std::string_view const reason : {"imc_miss", "mio_throttle", "short_scoreboard"}) together.scale(reason, 0.05);
    of.say(std::move(what), together);
}

// Barriers. With one block an SM, nothing runs while its warps wait for the last of them.
inline void judge_barriers(examination_of_range& of) {
    auto const shape = launch_shape::of(of.values);
    bool const alone = shape && std::min(shape->resident, std::ceil(shape->blocks / shape->multiprocessors)) <= 1;
    // Warps that leave a barrier together queue for the same unit. Where they wait for memory, that is what they wait for at
    // barriers, too.
    change apart;
    auto const waited = [&of](std::string_view reason) { return of.now.stalled[stall_index(reason)]; };
    if (waited("long_scoreboard") < waited("barrier"))
        for (std::string_view const reason : {"short_scoreboard", "mio_throttle", "not_selected"})
            apart.scale(reason, 0.6);
    // The warps of a single block are all in the same phase: they wait for memory together, and compete for issue slots together.
    if (alone) apart.scale("not_selected", 0.2);
    // Where few threads work and all others wait for them, the wait ends when those others take their part of the work.
    double const instructions = of.values.find_or("smsp__inst_executed.sum", 0);
    double const threads = of.values.find_or("smsp__thread_inst_executed.sum", 0);
    double const share = threads / 32 / std::max(1.0, instructions);
    if (waited("barrier") > 0.5 && share > 0 && share < 0.5) apart.and_also(full_warps(of, share));
    // On the way up a tree, threads that have nothing to do there run through to the next barrier. Without barriers there are no such
    // turns either.
    double const on = of.values.find_or("smsp__thread_inst_executed_pred_on.sum", threads);
    if (threads > 0 && on < threads_of_effect * threads) apart.and_also(without_idle_threads(of.values, on / threads));
    judge_wait(of, at_barrier, alone ? 0.04 : 0.2, apart);
}

inline constexpr std::string_view of_latency_alone[]{"sm__warps_active.avg.pct_of_peak_sustained_active",
                                                     "sm__warps_active.avg.per_cycle_active",
                                                     "smsp__warps_active.avg.peak_sustained",
                                                     "launch__block_size",
                                                     "launch__waves_per_multiprocessor",
                                                     "smsp__thread_inst_executed.sum",
                                                     "smsp__thread_inst_executed_pred_on.sum"};
inline constexpr auto latency_metrics = both_lists(of_latency_alone, global_metrics);

inline constexpr std::string_view of_chains_alone[]{"launch__block_size"};
inline constexpr auto chain_metrics = both_lists(of_chains_alone, global_metrics);

// What bounds the kernel: no flaw, but where every change has to begin.
inline void judge_bound(examination_of_range& of) {
    std::size_t const busiest = of.now.busiest();
    if (of.now.busy[busiest] < 0) return of.cannot("it is not known how busy any unit was");
    limit const bound = of.now.bound();
    finding what;
    what.kind = finding_kind::information;
    what.condition = "use of the busiest unit, of its peak";
    what.measured = of.now.busy[busiest];
    what.threshold = 0.75 * reachable(busiest);
    what.gain.then = bound;
    what.meaning = joined({"the busiest unit, ", unit_experiments[busiest].name, ", is at ",
                           percent_text(of.now.busy[busiest]), " of its peak"});
    switch (bound) {
        case limit::dram:
            what.advice = "Move fewer bytes: fuse kernels, keep data that is used again in shared memory or in L2, use "
                          "narrower types.";
            break;
        case limit::l1:
        case limit::l2:
        case limit::shared:
            what.advice = "Ask that unit for less: keep values in registers, and let threads share what they load.";
            break;
        case limit::issue:
        case limit::pipe: what.advice = "Execute fewer instructions, or such of another pipe."; break;
        case limit::distribution: what.advice = "Give all SMs work for the whole time."; break;
        case limit::latency:
            what.advice = "No unit is busy: have more loads and independent instructions under way, or more warps.";
            break;
        case limit::none: break;
    }
    of.say(std::move(what), {});
}

inline constexpr std::span<std::string_view const> no_more{}; // metrics
inline constexpr rule waiting_rules[]{
    {"bound", "What bounds the kernel", "speed_of_light", "Begin with the unit that is busiest.", no_more,
     &judge_bound},
    {"waiting_at_barriers", "Warps wait at barriers", "warp_states",
     "Use fewer barriers, smaller blocks, or give the warps of a block equal work before each of them; __syncwarp is "
     "enough among the threads of a warp.",
     latency_metrics, &judge_barriers},
    {"waiting_for_fences", "Warps wait for memory fences", "warp_states",
     "Use fewer fences: once after the last store, and only as wide as is needed (__threadfence_block).", no_more,
     &judge_wait_of<at_fence>},
    {"sleeping", "Warps sleep", "warp_states", "Sleep for a shorter time, or do not wait for others in a loop.",
     no_more, &judge_wait_of<asleep>},
    {"instruction_cache", "Code does not fit the instruction cache", "warp_states",
     "Unroll less, and let warps of an SM run the same code.", no_more, &judge_wait_of<for_code>},
    {"constant_cache", "Constants that a warp reads one by one", "warp_states",
     "Let all threads of a warp read the same constant, or keep the table in shared or global memory.",
     constant_metrics, &judge_constants},
    {"texture_queue", "Too many texture instructions", "warp_states",
     "Fetch less often, or load what needs no filtering by plain loads.", no_more, &judge_wait_of<for_textures>},
    {"dependent_loads", "Each load waits for its address from the load before", "memory_workload",
     "Shorten the way (flatten lists and trees, store what is visited together side by side), or let a thread follow "
     "several ways at a time.",
     chain_metrics, &judge_dependent_loads},
    {"memory_latency", "Warps wait for memory that is not busy", "warp_states",
     "Have more loads in flight: unroll loops, load before the data is needed, or use more warps.", latency_metrics,
     &judge_memory_latency},
    {"dependent_instructions", "Each instruction waits for the one before", "warp_states",
     "Work on several independent values in a thread, or use more warps.", no_more, &judge_dependencies},
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_WAITING_RULES_INL_HPP
