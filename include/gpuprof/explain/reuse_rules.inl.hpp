// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of data that is asked for again: words in a loop, tiles that neighbours share, what L1 lost before.
#ifndef GPUPROF_EXPLAIN_REUSE_RULES_INL_HPP
#define GPUPROF_EXPLAIN_REUSE_RULES_INL_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "memory_rules.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

inline constexpr std::string_view of_tiling_alone[]{
    "smsp__inst_executed_op_global_ld.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"};
inline constexpr auto tiling_metrics = both_lists(global_metrics, of_tiling_alone);

// Values that L2 hands out again and again: more than it can keep comes from DRAM, each of it to several SMs or at several
// times. @return whether that is so
inline bool judge_no_tiling_in_l2(examination_of_range& of) {
    auto const loads = global_traffic(of.values, true);
    auto const misses = of.values.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum");
    auto const from_dram = of.values.find("dram__bytes_read.sum");
    if (!loads || !misses || !from_dram || *from_dram < of.values.find_or("device__attribute_l2_cache_size", 64e6))
        return false;
    double const times = 32 * *misses / *from_dram;
    if (times < 2.5 || loads->excess() > 0.2 * loads->sectors || of.now.saturation({gpu_unit::l2}) < 0.7) return false;
    finding what;
    what.condition = "bytes that L2 delivers, of those that DRAM does";
    what.measured = times;
    what.threshold = 2.5;
    what.meaning = joined({"L2 delivers each byte that it gets from DRAM ", about(times), " times, and is busy for ",
                           percent_text(of.now.busy[static_cast<std::size_t>(gpu_unit::l2)]), " of the time"});
    double const read = of.values.find_or("lts__t_sectors_op_read.sum", *misses);
    double const written = of.values.find_or("lts__t_sectors_op_write.sum", 0);
    double const l2 = (read / times + written) / std::max(1.0, read + written);
    change kept; // in registers or shared memory
    kept.scale(gpu_unit::l1, 1 / times).scale(gpu_unit::l2, l2).scale_memory_waits(of.now.waits_after(1, l2, 1));
    of.say(std::move(what), kept);
    return true;
}

// Data that L1 loses before it is used again: L2 delivers far more than it can hold, and DRAM hardly any, so that the same bytes go
// to the SMs again and again, and warps wait for them. Tiles of a product that several SMs read come often, too, but warps have work
// to do with them. How often is often is a matter of degree; at ten times no copy, stencil or tile of the pairs is.
inline void judge_l1_thrashing(examination_of_range& of) {
    if (!of.now.knows_stalls) return of.cannot("it is not known what warps waited for");
    auto const loads = global_traffic(of.values, true);
    auto const misses = of.values.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum");
    auto const from_dram = of.values.find("dram__bytes_read.sum");
    if (!loads || !misses || !from_dram) return static_cast<void>(of.lacks_values());
    double const kept = of.values.find_or("device__attribute_l2_cache_size", 64e6);
    double const times = 32 * *misses / (kept + *from_dram);
    double const waits = of.now.stalled[stall_index("long_scoreboard")];
    if (times < 10 || waits < 0.5 || loads->sectors > 1.2 * loads->ideal || *misses < 0.3 * loads->sectors) return;
    finding what;
    what.condition = "bytes that L1 gets, of those that L2 can hold and DRAM delivers";
    what.measured = times;
    what.threshold = 10;
    what.meaning = joined({"L1 gets the same data some ", about(times), " times or more, and warps wait for it for ",
                           percent_text(waits), " of their time"});
    what.what_if = instead_of(*misses / times, *misses, "sectors from L2");
    constexpr double latency_of_l1 = 0.13; // 33 cycles, of 260 (H100 and H200, unloaded)
    double const l2 = 1 / times;
    change soon;
    soon.scale(gpu_unit::l2, l2).scale("long_scoreboard", std::max(latency_of_l1, l2));
    change in_registers = soon; // a part that small needs neither loads nor their addresses again
    double const all = of.values.find_or("smsp__inst_executed.sum", 0);
    in_registers.instructions = all > 0 ? std::max(0.2, 1 - 2 * loads->requests / all) : 1;
    in_registers.scale(gpu_unit::lsu, l2).scale(gpu_unit::l1, l2).scale(gpu_unit::alu, in_registers.instructions);
    of.say(std::move(what), soon, soon, in_registers);
}

// Values that L1 hands out again and again.
inline void judge_no_tiling(examination_of_range& of) {
    auto const loads = of.values.find("smsp__inst_executed_op_global_ld.sum");
    auto const all = of.values.find("smsp__inst_executed.sum");
    auto const sectors = of.values.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    auto const hits = of.values.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum");
    if (!loads || !all || !sectors || !hits) return static_cast<void>(of.lacks_values());
    if (*sectors <= 0 || *all <= 0) return;
    double const share = *loads / *all, hit = *hits / *sectors;
    auto const traffic = global_traffic(of.values, true);
    // Multiply-adds, and the additions before them, such as differences of which the squares are added up. Additions alone are
    // sums over windows, if more comes to an SM than its L1 can hold; else over a table that stays there.
    double const fused = of.values.find_or("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0);
    bool const windows = !fits_l1(of.values, *sectors - *hits);
    double const added = std::min(windows ? 32 * *all : fused,
                                  of.values.find_or("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0));
    double const doubles = of.values.find_or("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0);
    double const arithmetic = (fused + added + doubles) / (32 * *all);
    if (judge_no_tiling_in_l2(of)) return;
    if (arithmetic < 0.1 || (traffic && traffic->excess() > 0.3 * traffic->sectors)) return;
    // A fifth of all, or of fewer one for each operation: they are what the others are there for.
    bool const many = share >= 0.2 || (share >= 0.1 && arithmetic <= 1.2 * share);
    // What the loads cost: turns of a unit, or time in which warps wait for what L1 has.
    bool const costly = of.now.saturation({gpu_unit::lsu, gpu_unit::l1, gpu_unit::issue}) > 0.5 ||
                        of.now.stalled[stall_index("long_scoreboard")] > 0.4;
    if (!many || hit < 0.8 || !costly) return;
    finding what;
    what.condition = "loads of global memory, of all instructions, where L1 has the data";
    what.measured = share;
    what.threshold = 0.2;
    what.meaning = joined({percent_text(share), " of the instructions load from global memory, and L1 has ",
                           percent_text(hit), " of the sectors already: the same values are loaded again and again"});
    // What stays is the arithmetic, half of the loads, from shared memory or for the next tile, and a little for loops.
    change tiled;
    tiled.instructions = std::clamp(arithmetic + 0.5 * share + 0.05, 0.2, 1.0);
    tiled.scale(gpu_unit::lsu, 0.25).scale(gpu_unit::l1, 0.25).scale_memory_waits(0.5);
    tiled.scale(gpu_unit::fma, tiled.instructions).scale(gpu_unit::alu, tiled.instructions);
    change in_shared = tiled; // a load of shared memory for each that there was, several values wide at best
    in_shared.instructions = std::clamp(arithmetic + share + 0.05, 0.2, 1.0);
    in_shared.busy[static_cast<std::size_t>(gpu_unit::lsu)] = 0.6;
    of.say(std::move(what), tiled, in_shared, tiled);
}

// Stores to addresses that were stored to before: more than DRAM took and L2 could have kept of them must have been
// overwritten. @return whether that is so
inline bool judge_redundant_stores(examination_of_range& of) {
    auto const stores = global_traffic(of.values, false);
    auto const written = of.values.find("dram__bytes_write.sum");
    if (!stores || !written) return false;
    double const stored =
        32 * std::min(stores->sectors, stores->ideal); // bytes; those that are not coalesced are another rule's
    double const kept = of.values.find_or("device__attribute_l2_cache_size", 64e6);
    if (stored <= *written + kept) return false;
    double const remains = *written / stored;
    finding what;
    what.condition = "bytes of DRAM that are written, of those that threads store";
    what.measured = remains;
    what.threshold = 1 - kept / stored;
    what.meaning = joined({"threads store ", about(stored), " bytes and DRAM gets ", about(*written),
                           ": the rest is more than L2 can keep, so that addresses are stored to again and again"});
    double const read = of.values.find_or("lts__t_sectors_op_read.sum", 0);
    double const by_stores = of.values.find_or("lts__t_sectors_op_write.sum", stores->sectors);
    // As many loads that L1 has the data of read what was stored: they go away with the stores.
    auto const loads = global_traffic(of.values, true);
    double const misses = of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 1e18);
    bool const also_loads = loads && loads->requests > 0.5 * stores->requests && misses < 0.2 * loads->sectors;
    auto const if_remain = [&](double share) {
        double const l2 = 1 - (1 - share) * by_stores / std::max(1.0, read + by_stores);
        change made;
        made.scale(gpu_unit::l2, l2);
        if (also_loads) return made.scale(gpu_unit::l1, share).scale_memory_waits(share);
        return made.scale_memory_waits(of.now.waits_after(1, l2, 1));
    };
    // What DRAM gets contains what kernels before left in L2. A loop that stores has some turns.
    change const once = if_remain(std::min(remains, 0.125));
    of.say(std::move(what), once, if_remain(remains), once);
    return true;
}

// Loads by which all threads of a warp get the same word, which L1 has: more often than all warps of an SM could load each word of a
// sector once, so that each of them does so again and again. @return whether that is so
inline bool judge_redundant_loads_in_l1(examination_of_range& of, traffic const& loads, double bytes, double misses,
                                        double instructions) {
    // A request of one word has 4 bytes, one of a word for each thread 128, and one sector or four of them.
    double const same = std::clamp((128 * loads.requests - bytes) / 124, 0.0, loads.requests);
    double const own_sectors = loads.sectors - same;
    double const lg = of.now.stalled[stall_index("lg_throttle")];
    if (same <= 0 || same < 0.2 * instructions || own_sectors < 0.9 * (loads.requests - same) * 4 ||
        misses < 0.9 * own_sectors)
        return false; // words of few threads, or of which L1 has some: which of the loads miss is not known
    constexpr double warps_of_sm = 64, words_of_sector = 8;
    if (same < 2 * warps_of_sm * words_of_sector * std::max(0.0, misses - own_sectors)) return false;
    if (lg < 0.1 && of.now.saturation({gpu_unit::lsu, gpu_unit::issue}) < 0.5) return false;
    finding what;
    what.condition = "loads by which all threads of a warp get the same word, of all instructions";
    what.measured = same / instructions;
    what.threshold = 0.2;
    what.meaning =
        joined({percent_text(what.measured), " of the instructions load a word that is the same for all threads, and "
                                             "that L1 has from the time before"});
    what.what_if = instead_of(loads.requests - same, loads.requests, "requests for global memory");
    double const rest = 1 - same / loads.requests;
    change kept;
    kept.instructions = 1 - same / instructions;
    kept.scale(gpu_unit::lsu, rest)
        .scale(gpu_unit::l1, 1 - same / of.values.find_or("l1tex__t_sectors_pipe_lsu.sum", same));
    kept.scale("lg_throttle", rest); // what the other loads wait for stays
    of.say(std::move(what), kept);
    return true;
}

// Loads by which all threads of a warp get the same word, from beyond L1, in a loop.
inline void judge_redundant_loads(examination_of_range& of) {
    auto const loads = global_traffic(of.values, true);
    auto const bytes = of.values.find("smsp__sass_data_bytes_mem_global_op_ld.sum");
    auto const misses = of.values.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum");
    auto const all = of.values.find("smsp__inst_executed.sum");
    if (!loads || !bytes || !misses || !all) return static_cast<void>(of.lacks_values());
    if (judge_redundant_stores(of) || judge_redundant_loads_in_l1(of, *loads, *bytes, *misses, *all)) return;
    double const waits = std::max(0.0, of.now.stalled[stall_index("long_scoreboard")]) +
                         std::max(0.0, of.now.stalled[stall_index("lg_throttle")]);
    if (loads->requests < 0.02 * *all || *bytes > 16 * loads->requests || *misses < 0.5 * loads->sectors || waits < 0.3)
        return;
    if (loads->sectors > 1.5 * loads->requests) return; // words of few threads, not one of all
    finding what;
    what.condition = "bytes that a warp gets by one load";
    what.measured = *bytes / loads->requests;
    what.threshold = 16;
    what.meaning =
        joined({"a load brings a warp ", about(what.measured), " bytes, the same for its threads, L1 has them in ",
                percent_text(1 - *misses / std::max(1.0, loads->sectors)),
                " of the cases, and warps wait for them for ", percent_text(waits), " of their time"});
    change once;
    once.even = true;
    once.scale_memory_waits(0.02).scale(gpu_unit::l1, 0.05).scale(gpu_unit::l2, 0.05).scale(gpu_unit::lsu, 0.05);
    of.say(std::move(what), once);
}

inline constexpr rule reuse_rules[]{
    {"redundant_loads", "The same word is loaded or stored again and again", "memory_workload",
     "Load it once before the loop, keep it in a register, store it once behind; volatile and possible aliases (no "
     "__restrict__) keep a compiler from doing so.",
     global_metrics, &judge_redundant_loads},
    {"l1_thrashing", "L1 loses data before it is used again", "memory_workload",
     "Work on a part that fits into L1 or shared memory until nobody needs it, then on the next: exchange loops, or "
     "cut "
     "them into blocks.",
     global_metrics, &judge_l1_thrashing},
    {"no_tiling", "The same values are loaded again and again", "memory_workload",
     "Keep a tile in registers or in shared memory, so that each thread computes several results from what it loads.",
     tiling_metrics, &judge_no_tiling},
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_REUSE_RULES_INL_HPP
