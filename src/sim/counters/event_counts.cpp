// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_counts.hpp"

#include <span>

#include <gpuprof/core/fidelity.hpp>
#include <gpuprof/legacy/capability_family.hpp>

#include "metric_row.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace event_rows {
constexpr counter_sum nothing{}; // the count is always 0

using enum raw_counter;
using enum fidelity;
using enum capability_family;

// On the first two chips an instruction is issued again for a bank conflict and for each line after
// the first.
constexpr counter_sum issued_with_replays =
    less(sum(inst_executed, shared_conflicts_ld, shared_conflicts_st, shared_conflicts_atom, l1_tags_global_ld,
             l1_tags_global_st, l1_tags_local_ld, l1_tags_local_st),
         sum(l1_requests_global_ld, l1_requests_global_st, l1_requests_local_ld, l1_requests_local_st));

// Sectors that loads and stores ask of the unified cache; atomics go on to L2.
constexpr counter_sum unified_queries =
    sum(l1_sectors_global_ld, l1_sectors_global_st, l1_sectors_local_ld, l1_sectors_local_st);

// Lines of L1 are counted as four sectors found or missed, wherever those lie. Textures, traps and
// dual issue do not happen here. From 5.x on the "texture" cache is L1, and its queries are the
// sectors of loads and stores. What the machine cannot tell has no row: the read-only cache of 3.x.
// A trigger under a predicate counts for every warp that comes by.
// clang-format off
constexpr event_count listed[]{
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
    {"inst_issued1_*", cc_2x, cc_2x, estimated, issued_with_replays},
    {"inst_issued2_*", cc_2x, cc_2x, estimated, nothing},
    {"inst_issued0", cc_5x, cc_5x, modelled, less(sum(sm_cycles_active, sm_cycles_active, sm_cycles_active, sm_cycles_active), sum(issue_active))},
    {"inst_issued0", cc_6x, cc_6x, modelled, less(sum(sm_cycles_active, sm_cycles_active), sum(issue_active))},
    {"inst_issued0", cc_70, cc_70, modelled, less(sum(sm_cycles_active, sm_cycles_active, sm_cycles_active, sm_cycles_active), sum(issue_active))},
    {"inst_issued1", cc_3x, cc_3x, estimated, issued_with_replays},
    {"inst_issued1", cc_5x, cc_70, estimated, sum(inst_issued)},
    {"inst_issued2", cc_3x, cc_6x, estimated, nothing},
    {"thread_inst_executed", cc_3x, cc_70, estimated, sum(thread_inst_executed)},
    {"thread_inst_executed_*", cc_2x, cc_2x, estimated, sum(thread_inst_executed)},
    {"not_predicated_off_thread_inst_executed", cc_3x, cc_70, estimated, sum(thread_inst_executed_pred_on)},
    {"branch", cc_2x, cc_6x, estimated, sum(branch_targets)},
    {"divergent_branch", cc_2x, cc_6x, estimated, sum(branch_targets_divergent)},
    {"inst_executed_fma_pipe_s*", cc_70, cc_70, estimated, less(sum(inst_pipe_fma), sum(inst_pipe_fp16))},
    {"inst_executed_fp16_pipe_s*", cc_70, cc_70, estimated, sum(inst_pipe_fp16)},
    {"inst_executed_fp64_pipe_s*", cc_70, cc_70, estimated, sum(inst_pipe_fp64)},
    {"tensor_pipe_active_cycles_s*", cc_70, cc_70, modelled, times(2, sum(inst_pipe_tensor))},

    {"prof_trigger_00", cc_2x, cc_70, estimated, sum(prof_trigger_0)},
    {"prof_trigger_01", cc_2x, cc_70, estimated, sum(prof_trigger_1)},
    {"prof_trigger_02", cc_2x, cc_70, estimated, sum(prof_trigger_2)},
    {"prof_trigger_03", cc_2x, cc_70, estimated, sum(prof_trigger_3)},
    {"prof_trigger_04", cc_2x, cc_70, estimated, sum(prof_trigger_4)},
    {"prof_trigger_05", cc_2x, cc_70, estimated, sum(prof_trigger_5)},
    {"prof_trigger_06", cc_2x, cc_70, estimated, sum(prof_trigger_6)},
    {"prof_trigger_07", cc_2x, cc_70, estimated, sum(prof_trigger_7)},

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
    {"shared_atom", cc_5x, cc_70, estimated, less(sum(inst_shared_atom), sum(inst_shared_atom_cas))},
    {"shared_atom_cas", cc_5x, cc_70, estimated, sum(inst_shared_atom_cas)},
    {"inst_executed_shared_atom_cas", cc_6x, cc_6x, estimated, sum(inst_shared_atom_cas)},
    {"atom_count", cc_2x, cc_2x, estimated, sum(inst_global_atom, inst_generic_atom)},
    {"atom_count", cc_3x, cc_70, estimated, less(sum(inst_global_atom, inst_generic_atom), sum(inst_global_atom_cas))},
    {"atom_cas_count", cc_3x, cc_3x, estimated, sum(inst_global_atom_cas)},
    {"global_atom_cas", cc_5x, cc_70, estimated, sum(inst_global_atom_cas)},
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
    {"tex*_cache_sector_queries", cc_2x, cc_3x, exact, nothing},
    {"tex*_cache_sector_misses", cc_2x, cc_3x, exact, nothing},
    {"tex*_cache_sector_queries", cc_5x, cc_6x, exact, unified_queries},
    {"tex*_cache_sector_misses", cc_5x, cc_6x, modelled, less(unified_queries, sum(l1_hits_global_ld, l1_hits_local_ld))},

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
    {"l2_subp*_read_sysmem_sector_queries", cc_3x, cc_70, modelled, sum(l2_sectors_sysmem_read)},
    {"l2_subp*_write_sysmem_sector_queries", cc_3x, cc_70, modelled, sum(l2_sectors_sysmem_write)},
    {"pcie_rx_active_pulse", cc_70, cc_70, modelled, times(1.0 / 512, sum(pcie_bytes_received))},
    {"pcie_tx_active_pulse", cc_70, cc_70, modelled, times(1.0 / 512, sum(pcie_bytes_sent))},
    {"fb0_subp*_read_sectors", cc_2x, cc_2x, modelled, times(1.0 / 64, sum(dram_bytes_read))}, // half of a partition each
    {"fb1_subp*_read_sectors", cc_2x, cc_2x, modelled, times(1.0 / 64, sum(dram_bytes_read))},
    {"fb0_subp*_write_sectors", cc_2x, cc_2x, modelled, times(1.0 / 64, sum(dram_bytes_written))},
    {"fb1_subp*_write_sectors", cc_2x, cc_2x, modelled, times(1.0 / 64, sum(dram_bytes_written))},
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

// What metrics of later chips are made of and no domain lists: CUPTI has such events, too, without
// documented names. They are counted by instrumentation, in a domain of their own.
constexpr event_count unlisted[]{
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
    {"__global_requests_atom", cc_5x, cc_70, exact, sum(l1_requests_global_atom)},
    {"__global_requests_red", cc_5x, cc_70, exact, sum(l1_requests_global_red)},
    {"__atomic_requests", cc_3x, cc_70, exact, sum(l1_requests_global_atom, l1_requests_global_red)},
    {"__atomic_lines", cc_3x, cc_70, exact, sum(l1_tags_global_atom, l1_tags_global_red)},
    {"__unified_queries", cc_70, cc_70, exact, unified_queries},
    {"__unified_reads", cc_5x, cc_70, exact, sum(l1_sectors_global_ld, l1_sectors_local_ld)},
    {"__lg_wavefronts", cc_3x, cc_70, exact, sum(lg_wavefronts)},
    {"__shared_wavefronts", cc_3x, cc_3x, exact, sum(shared_wavefronts_ld, shared_wavefronts_st, shared_wavefronts_atom, shared_wavefronts_other)},
    {"__l2_atomic_sectors", cc_3x, cc_70, modelled, sum(l2_sectors_tex_atom, l2_sectors_tex_red)},
    {"__l2_global_atom_sectors", cc_5x, cc_70, modelled, sum(l2_sectors_tex_atom)},
    {"__l2_global_red_sectors", cc_5x, cc_70, modelled, sum(l2_sectors_tex_red)},
    {"__l2_global_load_sectors", cc_5x, cc_70, modelled, less(sum(l1_sectors_global_ld), sum(l1_hits_global_ld))},
    {"__l2_local_load_sectors", cc_3x, cc_70, modelled, less(sum(l1_sectors_local_ld), sum(l1_hits_local_ld))},
    {"__l2_local_store_sectors", cc_3x, cc_70, modelled, sum(l1_sectors_local_st)}, // L1 writes through
    {"__l2_store_sectors", cc_5x, cc_70, modelled, sum(l2_sectors_tex_write)},
    {"__l2_l1_sectors", cc_3x, cc_70, modelled, sum(l2_sectors_tex_read, l2_sectors_tex_write, l2_sectors_tex_atom, l2_sectors_tex_red)},
    {"__pcie_received", cc_5x, cc_6x, modelled, sum(pcie_bytes_received)},
    {"__pcie_sent", cc_5x, cc_6x, modelled, sum(pcie_bytes_sent)},
    {"__textures_and_surfaces", cc_5x, cc_70, exact, nothing}, // no kernel that has one is loaded
    {"__nvlink", cc_6x, cc_70, exact, nothing},                // the embedded GPU has no such link
    {"__nvlink_overhead", cc_6x, cc_70, exact, nothing},
    {"__control", cc_3x, cc_70, estimated, sum(inst_branch)},
    {"__load_store", cc_3x, cc_70, estimated, sum(inst_global_ld, inst_global_st, inst_local_ld, inst_local_st, inst_shared_ld, inst_shared_st, inst_generic_ld, inst_generic_st)},
    {"__load_store_replays", cc_3x, cc_3x, exact, less(sum(shared_conflicts_ld, shared_conflicts_st, l1_tags_global_ld, l1_tags_global_st, l1_tags_local_ld, l1_tags_local_st), sum(l1_requests_global_ld, l1_requests_global_st, l1_requests_local_ld, l1_requests_local_st))},
    {"__global_and_local", cc_3x, cc_70, estimated, sum(inst_global_ld, inst_global_st, inst_global_atom, inst_global_red, inst_local_ld, inst_local_st, inst_generic_ld, inst_generic_st, inst_generic_atom)},
    {"__shared_and_constant", cc_3x, cc_70, estimated, sum(inst_shared_ld, inst_shared_st, inst_shared_atom, inst_ldc)},
    {"__pipe_alu", cc_3x, cc_6x, estimated, sum(inst_pipe_alu)},
    {"__pipe_fma", cc_3x, cc_6x, estimated, sum(inst_pipe_fma)},
    {"__pipe_fma", cc_70, cc_70, estimated, less(sum(inst_pipe_fma), sum(inst_pipe_fp16))},
    {"__pipe_fp16", cc_6x, cc_70, estimated, sum(inst_pipe_fp16)},
    {"__pipe_fp64", cc_5x, cc_70, estimated, sum(inst_pipe_fp64)},
    {"__pipe_xu", cc_5x, cc_70, estimated, sum(inst_pipe_xu)},
    {"__stall_constant", cc_3x, cc_70, modelled, sum(stalled_imc_miss)},
    {"__stall_exec", cc_3x, cc_70, modelled, sum(stalled_short_scoreboard, stalled_wait)},
    {"__stall_fetch", cc_3x, cc_70, modelled, sum(stalled_no_instruction, stalled_branch_resolving)},
    {"__stall_memory", cc_3x, cc_70, modelled, sum(stalled_long_scoreboard)},
    {"__stall_throttle", cc_3x, cc_70, modelled, sum(stalled_drain, stalled_lg_throttle)},
    {"__stall_not_selected", cc_3x, cc_70, modelled, sum(stalled_not_selected)},
    {"__stall_other", cc_3x, cc_70, modelled, sum(stalled_misc, stalled_dispatch_stall)},
    {"__stall_pipe", cc_3x, cc_70, modelled, sum(stalled_mio_throttle, stalled_math_pipe_throttle)},
    {"__stall_sleep", cc_70, cc_70, modelled, sum(stalled_sleeping)},
    {"__stall_sync", cc_3x, cc_70, modelled, sum(stalled_membar, stalled_barrier)},
    {"__stall_texture", cc_3x, cc_70, modelled, sum(stalled_tex_throttle)},
    {"__thread_special", cc_3x, cc_70, estimated, sum(thread_special)},
    {"__branch", cc_3x, cc_3x, estimated, sum(branch_targets)},
    {"__divergent_branch", cc_3x, cc_3x, estimated, sum(branch_targets_divergent)},
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
    {"__hadd_operations", cc_70, cc_70, estimated, sum(thread_hadd, thread_hadd2)},
    {"__hmul_operations", cc_70, cc_70, estimated, sum(thread_hmul, thread_hmul2)},
    {"__hfma_operations", cc_70, cc_70, estimated, times(2, sum(thread_hfma, thread_hfma2))}, // two or four
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

std::span<event_count const> event_counts() noexcept { return event_rows::listed; }
std::span<event_count const> unlisted_event_counts() noexcept { return event_rows::unlisted; }

} // namespace sim
GPUPROF_NAMESPACE_END
