// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the embedded GPU comes by each event of the event hardware. Layer: hw/sim. Pure data.
#ifndef GPUPROF_HW_SIM_COUNTERS_EVENT_COUNTS_HPP
#define GPUPROF_HW_SIM_COUNTERS_EVENT_COUNTS_HPP

#include "../../../detail/config.hpp"
#include "../../../legacy/capability_family.hpp"
#include "metric_row.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The count of one event over the whole chip. In a name `*` stands for a digit: events that differ in it share the count
// of that row, as the slices of L2 or the halves of a memory partition do.
struct event_count {
    char const* name;
    capability_family first; // of chips that count so, and the last one
    capability_family last;
    fidelity how;
    given<counter_sum> value;
    unsigned part = 0;  // which share this is, of
    unsigned parts = 0; // so many; 0: the digit's, of as many as the chip has
    bool clock = false; // counted by every instance alike, not divided among them
};

namespace event_rows {
inline constexpr counter_sum nothing{}; // the count is always 0

using enum raw_counter;
using enum fidelity;
using enum capability_family;

// What an instruction is issued again for on the first two chips: a bank conflict, or a line after the first.
inline constexpr counter_sum issued_with_replays =
    less(sum(inst_executed, shared_conflicts_ld, shared_conflicts_st, shared_conflicts_atom, l1_tags_global_ld,
             l1_tags_global_st, l1_tags_local_ld, l1_tags_local_st),
         sum(l1_requests_global_ld, l1_requests_global_st, l1_requests_local_ld, l1_requests_local_st));

// Lines of L1 are counted as four sectors found or missed, wherever those lie. Textures, traps and dual issue do not
// happen here. What the machine cannot tell has no row: performance triggers, compare-and-swap apart from other atomics,
// the read-only cache, accesses of system memory, half-precision arithmetic apart from FMA, PCIe.
// clang-format off
inline constexpr event_count event_counts[]{
    {"warps_launched", cc_2x, cc_70, exact, sum(warps_launched)},
    {"threads_launched", cc_2x, cc_3x, exact, sum(threads_launched)},
    {"sm_cta_launched", cc_2x, cc_70, exact, sum(ctas_launched)},
    {"active_cycles", cc_2x, cc_70, modelled, sum(sm_cycles_active)},
    {"active_cycles_pm", cc_6x, cc_70, modelled, sum(sm_cycles_active)},
    {"active_cycles_sys", cc_70, cc_70, modelled, sum(gpu_cycles_active)},
    {"active_cycles_in_trap", cc_6x, cc_6x, exact, nothing},
    {"active_warps", cc_2x, cc_70, modelled, sum(warps_active)},
    {"active_warps_pm", cc_6x, cc_70, modelled, sum(warps_active)},
    {"active_ctas", cc_5x, cc_5x, modelled, sum(ctas_active)},
    {"elapsed_cycles_sm", cc_3x, cc_70, modelled, sum(sm_cycles_elapsed), 0, 1, true},
    {"elapsed_cycles_pm", cc_6x, cc_70, modelled, sum(sm_cycles_elapsed), 0, 1, true},
    {"elapsed_cycles_sys", cc_70, cc_70, modelled, sum(gpu_cycles_elapsed), 0, 1, true},

    {"inst_executed", cc_2x, cc_70, estimated, sum(inst_executed)},
    {"inst_executed_in_trap", cc_6x, cc_6x, exact, nothing},
    {"inst_issued", cc_2x, cc_2x, estimated, issued_with_replays},
    {"inst_issued0", cc_5x, cc_5x, modelled, less(sum(sm_cycles_active, sm_cycles_active, sm_cycles_active, sm_cycles_active), sum(issue_active))},
    {"inst_issued0", cc_6x, cc_6x, modelled, less(sum(sm_cycles_active, sm_cycles_active), sum(issue_active))},
    {"inst_issued0", cc_70, cc_70, modelled, less(sum(sm_cycles_active, sm_cycles_active, sm_cycles_active, sm_cycles_active), sum(issue_active))},
    {"inst_issued1", cc_3x, cc_3x, estimated, issued_with_replays},
    {"inst_issued1", cc_5x, cc_70, estimated, sum(inst_issued)},
    {"inst_issued2", cc_3x, cc_6x, estimated, nothing},
    {"thread_inst_executed", cc_3x, cc_70, estimated, sum(thread_inst_executed)},
    {"thread_inst_executed_0", cc_2x, cc_2x, estimated, sum(thread_inst_executed), 0, 2},
    {"thread_inst_executed_1", cc_2x, cc_2x, estimated, sum(thread_inst_executed), 1, 2},
    {"not_predicated_off_thread_inst_executed", cc_3x, cc_70, estimated, sum(thread_inst_executed_pred_on)},
    {"branch", cc_2x, cc_6x, estimated, sum(branch_targets)},
    {"divergent_branch", cc_2x, cc_6x, estimated, sum(branch_targets_divergent)},
    {"inst_executed_fma_pipe_s*", cc_70, cc_70, estimated, sum(inst_pipe_fma)},
    {"inst_executed_fp64_pipe_s*", cc_70, cc_70, estimated, sum(inst_pipe_fp64)},
    {"tensor_pipe_active_cycles_s*", cc_70, cc_70, modelled, times(2, sum(inst_pipe_tensor))},

    {"gld_request", cc_2x, cc_3x, estimated, sum(inst_global_ld, inst_generic_ld)},
    {"gst_request", cc_2x, cc_3x, estimated, sum(inst_global_st, inst_generic_st)},
    {"generic_load", cc_6x, cc_70, estimated, sum(inst_generic_ld)},
    {"generic_store", cc_6x, cc_70, estimated, sum(inst_generic_st)},
    {"global_load", cc_5x, cc_70, estimated, sum(inst_global_ld)},
    {"global_store", cc_5x, cc_70, estimated, sum(inst_global_st)},
    {"local_load", cc_2x, cc_70, estimated, sum(inst_local_ld)},
    {"local_store", cc_2x, cc_70, estimated, sum(inst_local_st)},
    {"shared_load", cc_2x, cc_70, estimated, sum(inst_shared_ld)},
    {"shared_store", cc_2x, cc_70, estimated, sum(inst_shared_st)},
    {"shared_atom", cc_5x, cc_70, estimated, sum(inst_shared_atom)},
    {"atom_count", cc_2x, cc_70, estimated, sum(inst_global_atom, inst_generic_atom)},
    {"gred_count", cc_2x, cc_70, estimated, sum(inst_global_red)},
    {"gld_inst_8bit", cc_2x, cc_6x, exact, sum(threads_global_ld_8b)},
    {"gld_inst_16bit", cc_2x, cc_6x, exact, sum(threads_global_ld_16b)},
    {"gld_inst_32bit", cc_2x, cc_6x, exact, sum(threads_global_ld_32b)},
    {"gld_inst_64bit", cc_2x, cc_6x, exact, sum(threads_global_ld_64b)},
    {"gld_inst_128bit", cc_2x, cc_6x, exact, sum(threads_global_ld_128b)},
    {"gst_inst_8bit", cc_2x, cc_6x, exact, sum(threads_global_st_8b)},
    {"gst_inst_16bit", cc_2x, cc_6x, exact, sum(threads_global_st_16b)},
    {"gst_inst_32bit", cc_2x, cc_6x, exact, sum(threads_global_st_32b)},
    {"gst_inst_64bit", cc_2x, cc_6x, exact, sum(threads_global_st_64b)},
    {"gst_inst_128bit", cc_2x, cc_6x, exact, sum(threads_global_st_128b)},

    {"l1_shared_bank_conflict", cc_2x, cc_2x, exact, sum(shared_conflicts_ld, shared_conflicts_st, shared_conflicts_atom)},
    {"shared_load_replay", cc_3x, cc_3x, exact, sum(shared_conflicts_ld)},
    {"shared_store_replay", cc_3x, cc_3x, exact, sum(shared_conflicts_st)},
    {"l1_shared_load_transactions", cc_3x, cc_3x, exact, sum(shared_wavefronts_ld)},
    {"l1_shared_store_transactions", cc_3x, cc_3x, exact, sum(shared_wavefronts_st)},
    {"shared_ld_bank_conflict", cc_5x, cc_70, exact, sum(shared_conflicts_ld)},
    {"shared_st_bank_conflict", cc_5x, cc_70, exact, sum(shared_conflicts_st)},
    {"shared_ld_transactions", cc_5x, cc_70, exact, sum(shared_wavefronts_ld)},
    {"shared_st_transactions", cc_5x, cc_70, exact, sum(shared_wavefronts_st)},

    {"l1_global_load_hit", cc_2x, cc_3x, modelled, times(0.25, sum(l1_hits_global_ld))},
    {"l1_global_load_miss", cc_2x, cc_3x, modelled, times(0.25, less(sum(l1_sectors_global_ld), sum(l1_hits_global_ld)))},
    {"l1_local_load_hit", cc_2x, cc_3x, modelled, times(0.25, sum(l1_hits_local_ld))},
    {"l1_local_load_miss", cc_2x, cc_3x, modelled, times(0.25, less(sum(l1_sectors_local_ld), sum(l1_hits_local_ld)))},
    {"l1_local_store_hit", cc_2x, cc_3x, modelled, times(0.25, sum(l1_hits_local_st))},
    {"l1_local_store_miss", cc_2x, cc_3x, modelled, times(0.25, less(sum(l1_sectors_local_st), sum(l1_hits_local_st)))},
    {"__l1_global_load_transactions", cc_3x, cc_3x, exact, sum(l1_tags_global_ld)},
    {"__l1_global_store_transactions", cc_3x, cc_3x, exact, sum(l1_tags_global_st)},
    {"local_load_transactions", cc_3x, cc_3x, exact, sum(l1_tags_local_ld)},
    {"local_store_transactions", cc_3x, cc_3x, exact, sum(l1_tags_local_st)},
    {"uncached_global_load_transaction", cc_2x, cc_3x, modelled, nothing},
    {"global_store_transaction", cc_2x, cc_3x, exact, sum(l1_tags_global_st)},
    {"global_ld_mem_divergence_replays", cc_3x, cc_3x, exact, less(sum(l1_tags_global_ld), sum(l1_requests_global_ld))},
    {"global_st_mem_divergence_replays", cc_3x, cc_3x, exact, less(sum(l1_tags_global_st), sum(l1_requests_global_st))},
    {"tex0_cache_sector_queries", cc_2x, cc_2x, exact, nothing},
    {"tex0_cache_sector_misses", cc_2x, cc_2x, exact, nothing},
    {"tex*_cache_sector_queries", cc_3x, cc_6x, exact, nothing},
    {"tex*_cache_sector_misses", cc_3x, cc_6x, exact, nothing},

    {"l2_subp*_read_sector_misses", cc_2x, cc_70, modelled, times(1.0 / 32, sum(dram_bytes_read))},
    {"l2_subp*_write_sector_misses", cc_2x, cc_70, modelled, times(1.0 / 32, sum(dram_bytes_written))},
    {"l2_subp*_read_sector_queries", cc_2x, cc_2x, modelled, sum(l2_sectors_tex_read)},
    {"l2_subp*_write_sector_queries", cc_2x, cc_2x, modelled, sum(l2_sectors_tex_write)},
    {"l2_subp*_read_hit_sectors", cc_2x, cc_2x, modelled, sum(l2_hits_tex_read)},
    {"l2_subp*_read_l1_sector_queries", cc_3x, cc_3x, modelled, sum(l2_sectors_tex_read)},
    {"l2_subp*_write_l1_sector_queries", cc_3x, cc_3x, modelled, sum(l2_sectors_tex_write)},
    {"l2_subp*_read_l1_hit_sectors", cc_3x, cc_3x, modelled, sum(l2_hits_tex_read)},
    {"l2_subp*_read_tex_sector_queries", cc_2x, cc_3x, exact, nothing},
    {"l2_subp*_read_tex_hit_sectors", cc_2x, cc_3x, exact, nothing},
    {"l2_subp*_read_tex_sector_queries", cc_5x, cc_70, modelled, sum(l2_sectors_tex_read)},
    {"l2_subp*_read_tex_hit_sectors", cc_5x, cc_70, modelled, sum(l2_hits_tex_read)},
    {"l2_subp*_write_tex_sector_queries", cc_5x, cc_70, modelled, sum(l2_sectors_tex_write)},
    {"l2_subp*_write_tex_hit_sectors", cc_5x, cc_70, modelled, sum(l2_hits_tex_write)},
    {"l2_subp*_total_read_sector_queries", cc_3x, cc_70, modelled, sum(l2_sectors_tex_read, l2_sectors_other_read, l2_sectors_tex_atom, l2_sectors_tex_red)},
    {"l2_subp*_total_write_sector_queries", cc_3x, cc_70, modelled, sum(l2_sectors_tex_write, l2_sectors_other_write, l2_sectors_tex_atom, l2_sectors_tex_red)},
    {"fb_subp*_read_sectors", cc_2x, cc_5x, modelled, times(1.0 / 32, sum(dram_bytes_read))},
    {"fb_subp*_write_sectors", cc_2x, cc_5x, modelled, times(1.0 / 32, sum(dram_bytes_written))},
    {"fb_subp0_read_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_read)), 0, 4},
    {"fb_subp1_read_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_read)), 1, 4},
    {"fb1_subp0_read_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_read)), 2, 4},
    {"fb1_subp1_read_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_read)), 3, 4},
    {"fb_subp0_write_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_written)), 0, 4},
    {"fb_subp1_write_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_written)), 1, 4},
    {"fb1_subp0_write_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_written)), 2, 4},
    {"fb1_subp1_write_sectors", cc_6x, cc_6x, modelled, times(1.0 / 32, sum(dram_bytes_written)), 3, 4},
    {"fb_subp*_read_sectors", cc_70, cc_70, modelled, times(1.0 / 32, sum(dram_bytes_read))},
    {"fb_subp*_write_sectors", cc_70, cc_70, modelled, times(1.0 / 32, sum(dram_bytes_written))},
};

// What metrics of later chips are made of and no domain lists: CUPTI has such events, too, without documented names.
// They are counted by instrumentation, in a domain of their own.
inline constexpr event_count unlisted_event_counts[]{
    {"__gld_requests", cc_3x, cc_70, exact, sum(l1_requests_global_ld)},
    {"__gst_requests", cc_3x, cc_70, exact, sum(l1_requests_global_st)},
    {"__gld_requested_bytes", cc_3x, cc_70, exact, sum(bytes_global_ld)},
    {"__gst_requested_bytes", cc_3x, cc_70, exact, sum(bytes_global_st)},
    {"__gld_sectors", cc_3x, cc_70, exact, sum(l1_sectors_global_ld)},
    {"__gst_sectors", cc_3x, cc_70, exact, sum(l1_sectors_global_st)},
    {"__global_hit_sectors", cc_5x, cc_70, modelled, sum(l1_hits_global_ld)},
    {"__local_load_sectors", cc_3x, cc_70, exact, sum(l1_sectors_local_ld)},
    {"__local_store_sectors", cc_3x, cc_70, exact, sum(l1_sectors_local_st)},
    {"__local_requests_ld", cc_3x, cc_70, exact, sum(l1_requests_local_ld)},
    {"__local_requests_st", cc_3x, cc_70, exact, sum(l1_requests_local_st)},
    {"__local_hit_sectors", cc_5x, cc_70, modelled, sum(l1_hits_local_ld, l1_hits_local_st)},
    {"__shared_requested_bytes", cc_3x, cc_70, exact, sum(bytes_shared_ld, bytes_shared_st)},
    {"__branch", cc_70, cc_70, estimated, sum(branch_targets)},
    {"__divergent_branch", cc_70, cc_70, estimated, sum(branch_targets_divergent)},
    {"__thread_fadd", cc_3x, cc_70, estimated, sum(thread_fadd)},
    {"__thread_fmul", cc_3x, cc_70, estimated, sum(thread_fmul)},
    {"__thread_ffma", cc_3x, cc_70, estimated, sum(thread_ffma)},
    {"__thread_dadd", cc_3x, cc_70, estimated, sum(thread_dadd)},
    {"__thread_dmul", cc_3x, cc_70, estimated, sum(thread_dmul)},
    {"__thread_dfma", cc_3x, cc_70, estimated, sum(thread_dfma)},
    {"__thread_hadd", cc_5x, cc_70, estimated, sum(thread_hadd)},
    {"__thread_hmul", cc_5x, cc_70, estimated, sum(thread_hmul)},
    {"__thread_hfma", cc_5x, cc_70, estimated, sum(thread_hfma)},
    {"__thread_integer", cc_3x, cc_70, estimated, sum(thread_integer)},
    {"__thread_conversion", cc_3x, cc_70, estimated, sum(thread_conversion)},
    {"__thread_control", cc_3x, cc_70, estimated, sum(thread_control)},
    {"__thread_memory", cc_3x, cc_70, estimated, sum(thread_memory)},
    {"__thread_inter_thread", cc_3x, cc_70, estimated, sum(thread_inter_thread_communication)},
    {"__thread_misc", cc_3x, cc_70, estimated, sum(thread_misc)},
    {"__warps_eligible", cc_3x, cc_70, modelled, sum(warps_eligible)},
};
// clang-format on

} // namespace event_rows

using event_rows::event_counts;
using event_rows::unlisted_event_counts;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_EVENT_COUNTS_HPP
