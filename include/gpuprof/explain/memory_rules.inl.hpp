// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of memory: global, shared and local, atomics, and where misses go.
#ifndef GPUPROF_EXPLAIN_MEMORY_RULES_INL_HPP
#define GPUPROF_EXPLAIN_MEMORY_RULES_INL_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "time_model.inl.hpp"
#include "launch_rules.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

// With three significant digits, for sentences: "31.9", "1,240".
[[nodiscard]] inline std::string about(double value) {
    if (value == 0 || value != value) return grouped_number(value);
    double const scale = std::pow(10.0, 2 - std::floor(std::log10(std::fabs(value))));
    return grouped_number(scale < 1 ? std::round(value) : std::round(value * scale) / scale);
}

// A list of metrics after another.
template <std::size_t First, std::size_t Second>
[[nodiscard]] constexpr std::array<std::string_view, First + Second>
both_lists(std::string_view const (&first)[First], std::string_view const (&second)[Second]) {
    std::array<std::string_view, First + Second> both;
    std::copy(second, second + Second, std::copy(first, first + First, both.begin()));
    return both;
}

// Of rules that read much the same: threads of a warp, and global memory, which the first read, too.
inline constexpr std::string_view of_lanes_alone[]{"smsp__thread_inst_executed.sum",
                                                   "smsp__thread_inst_executed_pred_on.sum",
                                                   "smsp__sass_branch_targets_threads_divergent.sum",
                                                   "launch__block_size",
                                                   "smsp__inst_executed_op_shared_ld.sum",
                                                   "smsp__inst_executed_op_shared_st.sum",
                                                   "smsp__sass_data_bytes_mem_shared_op_ld.sum",
                                                   "smsp__sass_data_bytes_mem_shared_op_st.sum",
                                                   "smsp__inst_executed_op_shared_atom.sum",
                                                   "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"};
inline constexpr std::string_view global_metrics[]{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                                   "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                                   "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
                                                   "lts__t_sectors_srcunit_tex.sum",
                                                   "l1tex__t_sectors_pipe_lsu.sum",
                                                   "smsp__sass_data_bytes_mem_global_op_ld.sum",
                                                   "smsp__sass_data_bytes_mem_global_op_st.sum",
                                                   "smsp__inst_executed.sum",
                                                   "lts__t_sectors_op_read.sum",
                                                   "lts__t_sectors_op_write.sum",
                                                   "dram__bytes_read.sum",
                                                   "dram__bytes_write.sum",
                                                   "launch__grid_size",
                                                   "device__attribute_l2_cache_size",
                                                   "device__attribute_multiprocessor_count"};
inline constexpr auto lane_metrics = both_lists(of_lanes_alone, global_metrics);

// Whether an L1 of each SM can hold as many sectors as came to all of them: 256 KiB on H100 and H200.
[[nodiscard]] inline bool fits_l1(evidence& values, double sectors) {
    return 32 * sectors <= 256 * 1024 * values.find_or("device__attribute_multiprocessor_count", 132);
}

// Whether a count is the same for all blocks, as it is where addresses follow from the places of threads. Counters have their noise: a
// few of all. 0 blocks: not known.
[[nodiscard]] inline bool alike_in_blocks(double count, double blocks) noexcept {
    double const each = blocks > 0 ? count / blocks : 0;
    return std::fabs(each - std::round(each)) <=
           std::max({2e-4, 3e-6 * each, blocks > 0 ? std::min(0.01, 4 / blocks) : 0});
}

// The traffic of global loads, or of stores: what was moved, and what its bytes fill.
struct traffic {
    double sectors = 0;
    double requests = 0;
    double ideal = 0; // sectors, if all bytes of each request lay side by side
    double excess() const { return sectors > ideal ? sectors - ideal : 0; }

    // Whether the sectors of a request differ from block to block or from turn to turn, which those of a layout do not: the
    // addresses come from data, such as indices of other elements.
    [[nodiscard]] bool is_irregular(double blocks) const noexcept {
        if (requests <= 0) return false;
        auto const near_multiple = [&](double of) {
            double const each = sectors / requests * of;
            return std::fabs(each - std::round(each)) < 0.002 * of;
        };
        if (alike_in_blocks(requests, blocks)) return !alike_in_blocks(sectors, blocks);
        return !near_multiple(3) && !near_multiple(4); // blocks do different work, so that their sums say nothing
    }
};
[[nodiscard]] inline std::optional<traffic> global_traffic(evidence& values, bool loads) {
    auto const sectors = values.find(loads ? "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
                                           : "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
    auto const requests = values.find(loads ? "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
                                            : "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
    auto const bytes = values.find(loads ? "smsp__sass_data_bytes_mem_global_op_ld.sum"
                                         : "smsp__sass_data_bytes_mem_global_op_st.sum");
    if (!sectors || !requests || !bytes) return {};
    return traffic{*sectors, *requests, std::max(*bytes / 32, *requests)};
}

// Cycles that warps wait for data, for each load from global memory.
[[nodiscard]] inline double wait_of_load(examination_of_range& of, traffic const& loads) {
    return of.now.stalled[stall_index("long_scoreboard")] * of.values.find_or(resident_warps, 0) /
           std::max(1.0, loads.requests);
}
// How many loads from global memory a warp has under way at a time: how long the loads would keep it if each of them waited for the
// one before, over how long it waits. 0: not known.
[[nodiscard]] inline double loads_under_way(examination_of_range& of, traffic const& loads) {
    constexpr double of_l1 = 33, of_l2 = 270, of_dram = 700; // cycles of an idle unit (H100 and H200)
    double const waits = wait_of_load(of, loads);
    if (!of.now.knows_stalls || waits <= 0) return 0;
    double const misses =
        of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", loads.sectors);
    double const missed = share(misses / std::max(1.0, loads.sectors));
    double const from_dram = share(of.values.find_or("dram__bytes_read.sum", 0) / 32 / std::max(1.0, misses));
    double const beyond = of_l2 + (of_dram - of_l2) * from_dram;
    return (of_l1 + (beyond - of_l1) * missed) / waits;
}
// What remains of the waits for them where a change has more under way and would leave this share of waits for single loads. Two at a
// time are as good as one: half of the loads then wait. Of four and more nobody gained by still more.
[[nodiscard]] constexpr double waits_with_more_under_way(double now, double remains) noexcept {
    return now <= 2 ? remains : remains + (1 - remains) * std::min(1.0, (now - 2) / 2);
}

// What is left if the bytes of each request for global memory lie side by side: of its loads, of its stores, or of both.
[[nodiscard]] inline change side_by_side(examination_of_range& of, traffic const& loads, traffic const& stores,
                                         bool also_loads, bool also_stores) {
    double const all = of.values.find_or("l1tex__t_sectors_pipe_lsu.sum", 1);
    double const lookups = 1 - ((also_stores ? stores.excess() : 0) + (also_loads ? loads.excess() : 0)) /
                                   all; // what remains of them in L1
    // Beyond L1: of a sector that missed there, the ideal is one miss for each sector that bytes fill.
    double const misses =
        of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", loads.sectors);
    double const loads_after = misses > 0 && also_loads ? std::min(1.0, loads.ideal / misses) : 1;
    // Stores of a thread that follow each other, such as those of members of a structure, are merged on their way to L2.
    double const passed_on = std::clamp(
        of.values.find_or("lts__t_sectors_srcunit_tex.sum", misses + stores.sectors) - misses, 0.0, stores.sectors);
    double const stores_after =
        also_stores && stores.sectors > 0 ? std::min(1.0, stores.ideal / std::max(passed_on, 1.0)) : 1;
    // L2 looks up a request for one sector as long as one for several. Where each thread has a sector of its own, a sector costs half as
    // much again as where they lie side by side. (H200, tests/hardware/last_pairs_values.csv.)
    auto const scattered = [](traffic const& of_kind, double beyond_l1) {
        return beyond_l1 > 24 * of_kind.requests && of_kind.ideal < 0.3 * beyond_l1;
    };
    double const of_loads = also_loads && scattered(loads, loads.sectors) ? 1.5 : 1;
    double const of_stores = also_stores && scattered(stores, passed_on) ? 1.5 : 1;
    auto const mixed = [&](double read, double written) {
        double const now = read * of_loads + written * of_stores;
        return now > 0 ? (read * loads_after + written * stores_after) / now : 1;
    };
    double const l2 = mixed(of.values.find_or("lts__t_sectors_op_read.sum", misses),
                            of.values.find_or("lts__t_sectors_op_write.sum", stores.sectors));
    // Sectors that are written in part are read first.
    double const read = of.values.find_or("dram__bytes_read.sum", 0),
                 written = of.values.find_or("dram__bytes_write.sum", 0);
    double const filled = stores_after < 0.9 ? std::max(0.0, read - misses * 32) : 0;
    double const still_read = (read - filled) * loads_after;
    double const by_stores = std::min(written, passed_on * 32);
    double const by_stores_after = std::min(by_stores, also_stores ? stores.ideal * 32 : by_stores);
    // The rest is what kernels before left in L2: what comes in drives it out.
    double const brought = read + by_stores;
    double const driven_out = brought > 0 ? (written - by_stores) * (still_read + by_stores_after) / brought : 0;
    double const still_written = by_stores_after + driven_out;
    double const dram = read + written > 0 ? (still_read + still_written) / (read + written) : 1;
    change together;
    together.scale(gpu_unit::l1, lookups).scale(gpu_unit::l2, l2).scale(gpu_unit::dram, dram);
    double const waits = of.now.waits_after(lookups, l2, dram);
    together.scale("long_scoreboard", waits);
    // In the queues before L1 nobody waits for an answer: they shrink as what L1 looks up does. Where warps that end wait for their
    // stores, those fill the queue of all instructions that leave the schedulers.
    together.scale("lg_throttle", lookups).scale("drain", lookups);
    if (also_stores && of.now.stalled[stall_index("drain")] > 0.05)
        together.scale("mio_throttle", lookups).scale("short_scoreboard", lookups);
    return together;
}

// Requests that touch more sectors than their bytes fill.
inline void judge_uncoalesced(examination_of_range& of) {
    auto const loads = global_traffic(of.values, true);
    auto const stores = global_traffic(of.values, false);
    auto const all = of.values.find("l1tex__t_sectors_pipe_lsu.sum");
    if (!loads || !stores || !all) return static_cast<void>(of.lacks_values());
    double const sectors = loads->sectors + stores->sectors;
    double const excess = loads->excess() + stores->excess();
    if (*all <= 0 || sectors <= 0 || excess < 0.1 * *all) return;
    double const requests = loads->requests + stores->requests;
    finding what;
    what.condition = "sectors of a request for global memory, over those that its bytes fill";
    what.measured = sectors / std::max(1.0, sectors - excess);
    what.threshold = 1.1;
    what.meaning =
        joined({about(sectors / requests), " sectors a request, where ", about((sectors - excess) / requests),
                " would do: ", percent_text(excess / *all), " of what L1 looks up is not used"});
    what.what_if = instead_of(sectors - excess, sectors, "sectors of global loads and stores");
    change const all_of_them = side_by_side(of, *loads, *stores, true, true);
    // Addresses that come from data are brought together by sorting or renumbering only. That it can be done is seen where L1
    // serves several words of a sector already. Where it fetches a sector for each word, likely is that it cannot; and of a table
    // that stays in L1 as a whole, it serves all words wherever they are.
    double const misses =
        of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", loads->sectors);
    double const blocks = of.values.find_or("launch__grid_size", 0);
    bool const together = misses < 2 * loads->ideal && !fits_l1(of.values, misses);
    bool const also_loads = together || !loads->is_irregular(blocks);
    // Stores that were sorted in part put several words into a sector.
    bool const also_stores =
        stores->sectors < 0.85 / 4 * of.values.find_or("smsp__sass_data_bytes_mem_global_op_st.sum", 0) ||
        stores->excess() <= 0 || !stores->is_irregular(blocks);
    if (also_loads && also_stores) return of.say(std::move(what), all_of_them);
    what.meaning += "; the addresses come from data, and no counter tells whether sorting or renumbering could bring "
                    "them together";
    of.say(std::move(what), side_by_side(of, *loads, *stores, also_loads, also_stores), {}, all_of_them);
}

inline constexpr std::string_view shared_metrics[]{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                                                   "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
                                                   "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                                                   "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                                                   "l1tex__data_pipe_lsu_wavefronts.sum",
                                                   "smsp__inst_executed_op_shared_ld.sum",
                                                   "smsp__inst_executed_op_shared_st.sum",
                                                   "smsp__inst_executed_op_shared_atom.sum",
                                                   "smsp__sass_data_bytes_mem_shared_op_ld.sum",
                                                   "smsp__sass_data_bytes_mem_shared_op_st.sum",
                                                   "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                                   "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                                   "launch__grid_size",
                                                   "smsp__inst_executed.sum",
                                                   "smsp__thread_inst_executed.sum",
                                                   "smsp__sass_inst_executed_op_memory_32b.sum"};

// What is left without so many of the wavefronts of loads and stores of shared memory.
[[nodiscard]] inline change without_wavefronts(examination_of_range& of, double excess, double wavefronts) {
    double const data = of.values.find_or("l1tex__data_pipe_lsu_wavefronts.sum", wavefronts);
    double const remains = data > 0 ? std::max(0.0, 1 - excess / std::max(data, wavefronts)) : 1;
    double const shared = of.values.find_or("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", wavefronts);
    double const of_shared = 1 - excess / std::max(shared, wavefronts);
    change together;
    together.scale(gpu_unit::shared, of_shared).scale(gpu_unit::l1, remains);
    together.scale("short_scoreboard", of_shared).scale("mio_throttle", of_shared).scale("lg_throttle", remains);
    // Global loads and stores pass the same stage of L1.
    double const waits = of.now.waits_after(remains, 1, 1);
    return together.scale("long_scoreboard", waits).scale("drain", waits);
}

// Accesses to shared memory that are split because of their addresses. What the hardware calls a conflict contains waits for
// the arbiter, and wavefronts over bytes contain those of wide accesses to few words: the less of both is what can be mended.
inline void judge_bank_conflicts(examination_of_range& of) {
    auto const loaded = of.values.find("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    auto const stored = of.values.find("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    auto const loads = of.values.find("smsp__inst_executed_op_shared_ld.sum");
    auto const stores = of.values.find("smsp__inst_executed_op_shared_st.sum");
    auto const load_bytes = of.values.find("smsp__sass_data_bytes_mem_shared_op_ld.sum");
    auto const store_bytes = of.values.find("smsp__sass_data_bytes_mem_shared_op_st.sum");
    if (!loaded || !stored || !loads || !stores || !load_bytes || !store_bytes)
        return static_cast<void>(of.lacks_values());
    // An instruction takes a wavefront at least, unless the predicates of all its threads are off.
    auto const needed = [](double taken, double instructions, double bytes) {
        return std::max(instructions <= taken ? instructions : 0, bytes / 128);
    };
    double const ideal_loaded = needed(*loaded, *loads, *load_bytes);
    double const ideal_stored = needed(*stored, *stores, *store_bytes);
    double const ideal = ideal_loaded + ideal_stored;
    double const wavefronts = *loaded + *stored;
    double const conflicts = of.values.find_or("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", wavefronts) +
                             of.values.find_or("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", wavefronts);
    double const excess = std::min(wavefronts - ideal, conflicts);
    if (wavefronts <= 0 || excess < 0.1 * wavefronts) return;
    finding what;
    what.condition = "wavefronts of shared memory, over those that its bytes need";
    double const own = 1 - excess / wavefronts;
    what.measured = 1 / own;
    what.threshold = 1 / 0.9;
    what.meaning = joined({about(wavefronts / (*loads + *stores)), " wavefronts for each load and store, where ",
                           about((wavefronts - excess) / (*loads + *stores)), " would do"});
    what.what_if = instead_of(wavefronts - excess, wavefronts, "wavefronts of shared memory");
    // Addresses that come from data take another number of wavefronts in each block. Neither padding nor other indices part
    // them; copies of the data may, where there is room. But a word that a thread loads and stores without an atomic operation
    // is its own: there a row of threads for each index parts all.
    double const blocks = of.values.find_or("launch__grid_size", 0);
    bool const load_as_always = alike_in_blocks(*loaded, blocks), store_as_always = alike_in_blocks(*stored, blocks);
    bool const own_words = !load_as_always && !store_as_always && std::fabs(*loads - *stores) < 0.1 * *stores;
    double const by_data =
        own_words ? 0 : (load_as_always ? 0 : *loaded - ideal_loaded) + (store_as_always ? 0 : *stored - ideal_stored);
    double const by_layout = std::max(0.0, 1 - by_data / (wavefronts - ideal));
    if (by_layout > 0.99) return of.say(std::move(what), without_wavefronts(of, excess, wavefronts));
    what.meaning += joined({"; ", percent_text(1 - by_layout), " of the others are of addresses that come from data"});
    change const likely = without_wavefronts(of, by_layout * excess, wavefronts);
    of.say(std::move(what), likely, likely, without_wavefronts(of, excess, wavefronts));
}

inline constexpr std::string_view local_metrics[]{"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                                                  "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
                                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
                                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                                  "lts__t_sectors_srcunit_tex.sum",
                                                  "dram__bytes_read.sum",
                                                  "dram__bytes_write.sum",
                                                  "l1tex__t_sectors_pipe_lsu.sum",
                                                  "smsp__inst_executed_op_local_ld.sum",
                                                  "smsp__inst_executed_op_local_st.sum",
                                                  "smsp__inst_executed.sum",
                                                  "launch__registers_per_thread"};

// Registers that are spilled, and arrays that lie in memory.
inline void judge_local_memory(examination_of_range& of) {
    auto const loads = of.values.find("smsp__inst_executed_op_local_ld.sum");
    auto const stores = of.values.find("smsp__inst_executed_op_local_st.sum");
    auto const all = of.values.find("smsp__inst_executed.sum");
    auto const loaded = of.values.find("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
    auto const stored = of.values.find("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
    auto const sectors = of.values.find("l1tex__t_sectors_pipe_lsu.sum");
    if (!loads || !stores || !all || !loaded || !stored || !sectors) return static_cast<void>(of.lacks_values());
    if (*all <= 0 || *sectors <= 0) return;
    double const share = (*loads + *stores) / *all;
    double const of_sectors = (*loaded + *stored) / *sectors;
    if (share < 0.01 || of_sectors < 0.1) return;
    finding what;
    what.condition = "sectors of local memory, of all sectors";
    what.measured = of_sectors;
    what.threshold = 0.1;
    what.meaning = joined({percent_text(share), " of the instructions load from or store to local memory, and ",
                           percent_text(of_sectors), " of the sectors are its"});
    what.what_if = instead_of(*sectors - *loaded - *stored, *sectors, "sectors in L1");
    double const rest = 1 - of_sectors;
    // L1 keeps part of local memory from L2. Local memory is used again, global data mostly not: DRAM moves the latter first.
    double const global = of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 0) +
                          of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0);
    double const beyond_l1 = of.values.find_or("lts__t_sectors_srcunit_tex.sum", 0);
    double const moved = of.values.find_or("dram__bytes_read.sum", 0) + of.values.find_or("dram__bytes_write.sum", 0);
    double const l2 = beyond_l1 > 0 ? std::min(1.0, global / beyond_l1) : rest;
    double const dram = moved > 0 ? std::min(1.0, global * 32 / moved) : rest;
    change none;
    none.instructions = std::max(0.1, 1 - 2 * share); // with what computes the addresses
    none.even = true;                                 // how much of its local memory an SM finds in L2 is chance
    none.scale(gpu_unit::l1, rest).scale(gpu_unit::l2, l2).scale(gpu_unit::dram, dram).scale(gpu_unit::lsu, rest);
    none.scale_memory_waits(rest);
    // Spilled are registers of which there are no more: they fill what a thread is given, which is a multiple of eight. With registers
    // left it is an array. Once its loops are unrolled, what else they load comes several at a time.
    change likely = none;
    if (std::fmod(of.values.find_or("launch__registers_per_thread", 0), 8) != 0) likely.scale("long_scoreboard", 0.25);
    change indices = likely; // and nothing may be left of what computes the indices
    indices.instructions = std::max(0.1, 1 - 5 * share);
    indices.scale(gpu_unit::alu, indices.instructions);
    of.say(std::move(what), likely, none, indices);
}

inline constexpr std::string_view of_atomics_alone[]{
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed",
    "lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed"};
inline constexpr auto atomic_metrics = both_lists(of_atomics_alone, global_metrics);

// Atomic operations of many threads on few addresses of global memory.
inline void judge_global_atomics(examination_of_range& of) {
    auto const atoms = of.values.find("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
    auto const reductions = of.values.find("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum");
    auto const busiest = of.values.find("lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed");
    if (!atoms || !reductions || !busiest) return static_cast<void>(of.lacks_values());
    if (*atoms + *reductions <= 0 || *busiest < 20) return;
    // Many addresses, such as those of a hash table, keep all slices alike busy: nothing can be combined there.
    auto const mean = of.values.find("lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed");
    double const all_work =
        100 * of.now.busy[static_cast<std::size_t>(gpu_unit::l2)]; // of which atomic operations are a part
    if (!mean && *busiest < 2 * all_work) return static_cast<void>(of.lacks_values());
    if (mean && *busiest < 2 * *mean) return;
    finding what;
    what.condition = "time that the busiest L2 slice works on atomic operations";
    what.measured = *busiest / 100;
    what.threshold = 0.2;
    what.meaning =
        joined({about(*atoms + *reductions), " requests for atomic operations keep one slice of L2 busy for ",
                percent_text(*busiest / 100), " of the time"});
    // If no other unit explains the time, the SMs wait for that slice, each for another time. Else, no longer than it works.
    change fewer;
    fewer.even = of.now.saturation({gpu_unit::issue, gpu_unit::shared, gpu_unit::l1, gpu_unit::dram}) < 0.5;
    if (fewer.even) {
        fewer.scale_memory_waits(0.02).scale(gpu_unit::l2, 0.02).scale(gpu_unit::l1, 0.05);
        // What loads explain stays: where they come one after another, most of the waits.
        auto const loads = global_traffic(of.values, true);
        double const of_loads = loads ? 0.75 * std::min(1.0, loads_under_way(of, *loads)) : 0;
        fewer.stalled[stall_index("long_scoreboard")] = std::max(0.02, of_loads);
    } else if (*atoms > 0) fewer.scale_memory_waits(1 - *busiest / 100);
    else fewer.scale("lg_throttle", 1 - *busiest / 100).scale("drain", 1 - *busiest / 100); // nobody waits for a result
    of.say(std::move(what), fewer);
}

// A loop of compare and swap in shared memory, such as of floats, loads the word for each attempt. Where threads want the same word,
// all but one of them begin anew.
struct attempts {
    double made = 0;                          // by warps; 0: there is no such loop
    double succeed = 1;                       // of those that threads make
    static constexpr double instructions = 6; // of an attempt, some

    [[nodiscard]] static attempts of(evidence& values) {
        double const atoms = values.find_or("smsp__inst_executed_op_shared_atom.sum", 0);
        double const loads = values.find_or("smsp__inst_executed_op_shared_ld.sum", 0);
        if (atoms <= 0 || std::fabs(loads - atoms) >= 0.1 * atoms) return {};
        double const words = values.find_or("smsp__sass_data_bytes_mem_shared_op_ld.sum", 128 * loads) / 4;
        double const executed = std::max(1.0, values.find_or("smsp__inst_executed.sum", 0));
        double const threads = values.find_or("smsp__thread_inst_executed.sum", 0) / executed * loads;
        return {atoms, threads > 0 && words > 0 ? std::min(1.0, words / threads) : 1};
    }
};

// Atomic operations of a warp on the same word of shared memory.
inline void judge_shared_atomics(examination_of_range& of) {
    auto const wavefronts = of.values.find("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum");
    auto const atoms = of.values.find("smsp__inst_executed_op_shared_atom.sum");
    auto const all = of.values.find("l1tex__data_pipe_lsu_wavefronts.sum");
    if (!wavefronts || !atoms || !all) return static_cast<void>(of.lacks_values());
    // Of a loop, each attempt takes few wavefronts, one to compare and one to swap: that threads wait for each other is seen in
    // how many attempts there are.
    attempts const loop = attempts::of(of.values);
    bool const again = loop.made > 0 && loop.succeed < 0.5;
    double const needed = loop.made > 0 ? 2 * *atoms : *atoms;
    if (*atoms <= 0 || (*wavefronts < 2 * needed && !again)) return;
    finding what;
    what.condition = "wavefronts of an atomic operation on shared memory";
    what.measured = *wavefronts / *atoms;
    what.threshold = 2;
    what.meaning = joined({"each atomic operation of a warp on shared memory takes ", about(what.measured),
                           " wavefronts, since its threads wait for each other"});
    double const own = *wavefronts > 0 ? std::min(1.0, needed / *wavefronts) : 1;
    what.what_if = instead_of(own * *wavefronts, *wavefronts, "wavefronts of atomic operations");
    change fewer;
    fewer.scale(gpu_unit::shared, own).scale("short_scoreboard", own).scale("mio_throttle", own);
    if (again) {
        what.condition = "attempts of a thread to swap a word of shared memory";
        what.measured = 1 / loop.succeed;
        what.meaning = joined({"a thread that adds to a word of shared memory tries so ", about(what.measured),
                               " times, since others change it meanwhile"});
        what.what_if = instead_of(loop.succeed * loop.made, loop.made, "attempts of warps");
        double const instructions = of.values.find_or("smsp__inst_executed.sum", 0);
        double const in_loop = std::min(1.0, attempts::instructions * loop.made / instructions);
        fewer.instructions = 1 - in_loop * (1 - loop.succeed);
        for (gpu_unit const unit : {gpu_unit::shared, gpu_unit::l1, gpu_unit::lsu, gpu_unit::alu})
            fewer.scale(unit, loop.succeed);
        for (std::string_view const reason : {"branch_resolving", "short_scoreboard"})
            fewer.scale(reason, loop.succeed);
    }
    of.say(std::move(what), fewer);
}

inline constexpr std::string_view aperture_metrics[]{"lts__t_sectors_srcunit_tex_aperture_sysmem.sum",
                                                     "lts__t_sectors_srcunit_tex_aperture_peer.sum",
                                                     "lts__t_sectors_srcunit_tex.sum"};

// Memory of the host, or of another GPU.
inline void judge_far_memory(examination_of_range& of) {
    auto const host = of.values.find("lts__t_sectors_srcunit_tex_aperture_sysmem.sum");
    auto const all = of.values.find("lts__t_sectors_srcunit_tex.sum");
    if (!host || !all) return static_cast<void>(of.lacks_values());
    double const peer = of.values.find_or("lts__t_sectors_srcunit_tex_aperture_peer.sum", 0);
    if (*all <= 0 || (*host + peer) < 0.01 * *all) return;
    double const share = (*host + peer) / *all;
    finding what;
    what.condition = "sectors of memory that is not the GPU's own, of all that SMs ask L2 for";
    what.measured = share;
    what.threshold = 0.01;
    what.meaning = joined({percent_text(share), " of the sectors that SMs ask L2 for lie in memory of ",
                           *host >= peer ? "the host" : "another GPU"});
    change near;
    // A warp waits for the host fifty times as long as for its own memory.
    near.scale_memory_waits(1 / (1 + 50 * share)).scale("membar", 0.2);
    // What keeps L2 busy is its way to the host: by as many sectors of its own it would be busy for a small part of that.
    near.scale(gpu_unit::l2, 1 - 0.9 * share);
    of.say(std::move(what), near);
}

// Narrow accesses: many requests, each for few bytes of a thread.
inline void judge_narrow_access(examination_of_range& of) {
    auto const loads = global_traffic(of.values, true);
    auto const stores = global_traffic(of.values, false);
    auto const load_bytes = of.values.find("smsp__sass_data_bytes_mem_global_op_ld.sum");
    auto const store_bytes = of.values.find("smsp__sass_data_bytes_mem_global_op_st.sum");
    auto const all = of.values.find("smsp__inst_executed.sum");
    if (!loads || !stores || !load_bytes || !store_bytes || !all) return static_cast<void>(of.lacks_values());
    double const requests = loads->requests + stores->requests;
    double const bytes = *load_bytes + *store_bytes;
    double const excess = loads->excess() + stores->excess();
    if (requests < 0.05 * *all || bytes <= 0) return;
    // Bytes count once for all threads of a warp that read them together. Where L1 has them not, redundant_loads tells.
    double const misses = of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", 0);
    // Threads that each walk through sectors of their own find all but the first bytes of them in L1.
    bool const walks = loads->sectors > 16 * loads->requests && *load_bytes <= 64 * loads->requests &&
                       misses < 0.1 * loads->sectors && misses < 2 * *load_bytes / 32;
    // Few bytes that begin anywhere lie in two sectors.
    double const sectors = loads->sectors + stores->sectors;
    if (excess > 0.2 * sectors && sectors > 2 * requests && !walks) return;
    bool const same = bytes <= 16 * requests && misses < 0.5 * loads->sectors;
    double const of_thread = same ? bytes / requests : bytes / requests / 32;
    if (of_thread < 0.9) return;
    double const lg = of.now.stalled[stall_index("lg_throttle")];
    double const lsu = of.now.busy[static_cast<std::size_t>(gpu_unit::lsu)];
    double const waits = of.now.stalled[stall_index("long_scoreboard")];
    bool const queue = of_thread < 4.5 && (lg > 0.1 || lsu > 0.6); // too many instructions
    double const ahead = loads_under_way(of, *loads);
    bool const little = of_thread < 2.5 && waits > 0.5 && of.now.saturation() < 0.7 && // too little in flight
                        ahead < 4 && !loads->is_irregular(of.values.find_or("launch__grid_size", 0));
    bool const slots = same && of_thread < 4.5 && of.now.saturation({gpu_unit::issue}) > 0.6; // that others could have
    if (!queue && !little && !slots) return;
    double const remains = of_thread / 16;
    finding what;
    what.condition = "bytes that a thread accesses by one instruction";
    what.measured = of_thread;
    what.threshold = queue || slots ? 4.5 : 2.5;
    what.meaning =
        joined({"a thread loads or stores ", about(of_thread), " bytes by an instruction, where 16 can be, so that ",
                queue    ? "warps wait for room in the queue of such instructions"
                : little ? "warps have little data in flight"
                         : "such instructions take issue slots from others"});
    what.what_if = instead_of(requests * remains, requests, "requests for global memory, with 16 bytes a thread");
    change wider;
    wider.blocks = remains; // or a thread does as much as now
    wider.instructions = 1 - (1 - remains) * requests / *all;
    wider.scale("lg_throttle", remains).scale(gpu_unit::lsu, remains);
    if (little) wider.scale("long_scoreboard", waits_with_more_under_way(ahead, remains));
    if (!walks) return of.say(std::move(what), wider);
    wider.scale(gpu_unit::l1, remains).scale("mio_throttle", remains).scale("drain", remains);
    wider.scale("long_scoreboard", of.now.waits_after(remains, 1, 1));
    of.say(std::move(what), wider);
}

// Loads of single words from shared memory that keep its pipe busy.
inline void judge_narrow_shared(examination_of_range& of) {
    auto const loads = of.values.find("smsp__inst_executed_op_shared_ld.sum");
    auto const narrow = of.values.find("smsp__sass_inst_executed_op_memory_32b.sum");
    auto const all = of.values.find("smsp__inst_executed.sum");
    if (!loads || !narrow || !all) return static_cast<void>(of.lacks_values());
    double const lsu = of.now.busy[static_cast<std::size_t>(gpu_unit::lsu)];
    double const mio = of.now.stalled[stall_index("mio_throttle")];
    // Where each thread reads a word of its own, wide loads move as many words a cycle as narrow ones.
    double const bytes = of.values.find_or("smsp__sass_data_bytes_mem_shared_op_ld.sum", 128 * *loads);
    bool const own_words = bytes > 64 * *loads;
    bool const queue = lsu >= 0.8 && mio >= 0.2;
    double const issue = of.now.busy[static_cast<std::size_t>(gpu_unit::issue)];
    if (*loads < 0.1 * *all || *narrow < 0.9 * *loads || own_words || (!queue && issue < 0.8)) return;
    finding what;
    what.condition = queue ? "time in which the pipe of loads and stores works, for loads of words from shared memory"
                           : "time in which instructions are issued, many of them loads of words from shared memory";
    what.measured = queue ? lsu : issue;
    what.threshold = 0.8;
    what.meaning =
        joined({percent_text(*loads / *all), " of the instructions load single words from shared memory, and ",
                queue ? "the pipe that executes them works for " : "instructions are issued for ",
                percent_text(what.measured), " of the time"});
    change wider;
    wider.instructions = 1 - 0.75 * *loads / *all;
    wider.scale(gpu_unit::lsu, 0.25).scale(gpu_unit::shared, 0.5).scale(gpu_unit::l1, 0.5);
    wider.scale("mio_throttle", 0.5).scale("short_scoreboard", 0.5);
    of.say(std::move(what), wider);
}

inline constexpr rule memory_rules[]{
    {"uncoalesced_global_access", "Uncoalesced access to global memory", "memory_workload",
     "Let neighbouring threads access neighbouring addresses: arrays of members instead of arrays of structures, or a "
     "tile "
     "in shared memory.",
     global_metrics, &judge_uncoalesced},
    {"shared_bank_conflicts", "Bank conflicts in shared memory", "memory_workload",
     "Pad the rows of arrays in shared memory by one word, or permute indices, so that the threads of a warp access "
     "different banks.",
     shared_metrics, &judge_bank_conflicts},
    {"local_memory", "Spilled registers or arrays in local memory", "memory_workload",
     "Let the compiler use more registers (__launch_bounds__), split the kernel, or index arrays by constants (unroll "
     "the loop).",
     local_metrics, &judge_local_memory},
    {"global_atomics", "Atomic operations on few addresses", "memory_workload",
     "Combine the values of a warp or a block first, by shuffles or in shared memory, and add once.", atomic_metrics,
     &judge_global_atomics},
    {"shared_atomics", "Serialised atomic operations on shared memory", "memory_workload",
     "Give warps or threads copies of their own and add them up at the end.", shared_metrics, &judge_shared_atomics},
    {"far_memory", "Memory that is not the GPU's own", "memory_workload",
     "Copy the data to the device before the kernel, or prefetch managed memory.", aperture_metrics, &judge_far_memory},
    {"narrow_access", "Many narrow loads and stores", "memory_workload",
     "Load and store vectors (float4, 16 bytes a thread).", global_metrics, &judge_narrow_access},
    {"narrow_shared_access", "Many narrow loads from shared memory", "memory_workload",
     "Load vectors from shared memory (float4), or keep more in registers.", shared_metrics, &judge_narrow_shared},
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEMORY_RULES_INL_HPP
