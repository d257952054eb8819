// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What legacy metrics and events are on the range hardware.
// clang-format off
#ifndef GPUPROF_LEGACY_RANGE_MAPPINGS_HPP
#define GPUPROF_LEGACY_RANGE_MAPPINGS_HPP

#include "legacy_mapping.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::range_metrics {
using namespace mapping_parts;

inline constexpr auto achieved_occupancy = on_range("sm__warps_active.avg.pct_of_peak_sustained_active");
inline constexpr auto atomic_transactions = on_range("l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum") + on_range("l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum");
inline constexpr auto atomic_transactions_per_request = atomic_transactions / (on_range("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum") + on_range("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"));
inline constexpr auto branch_efficiency = on_range("smsp__sass_average_branch_targets_threads_uniform.pct");
inline constexpr auto cf_executed = on_range("smsp__inst_executed_pipe_cbu.sum") + on_range("smsp__inst_executed_pipe_adu.sum");
inline constexpr auto double_precision_fu_utilization = level(on_range("smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"));
inline constexpr auto dram_read_bytes = on_range("dram__bytes_read.sum");
inline constexpr auto dram_read_throughput = on_range("dram__bytes_read.sum.per_second");
inline constexpr auto dram_read_transactions = on_range("dram__sectors_read.sum");
inline constexpr auto dram_utilization = level(on_range("dram__throughput.avg.pct_of_peak_sustained_elapsed"));
inline constexpr auto dram_write_bytes = on_range("dram__bytes_write.sum");
inline constexpr auto dram_write_throughput = on_range("dram__bytes_write.sum.per_second");
inline constexpr auto dram_write_transactions = on_range("dram__sectors_write.sum");
inline constexpr auto eligible_warps_per_cycle = on_range("smsp__warps_eligible.sum") / on_range("sm__cycles_active.sum");
inline constexpr auto flop_count_dp = (on_range("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum") + on_range("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum") + on_range("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum") * 2) * operation_per_instruction;
inline constexpr auto flop_count_dp_add = on_range("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_dp_fma = on_range("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_dp_mul = on_range("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_hp = (on_range("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum") + on_range("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum") + on_range("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum") * 2) * operation_per_instruction;
inline constexpr auto flop_count_hp_add = on_range("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_hp_fma = on_range("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_hp_mul = on_range("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_sp = (on_range("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") + on_range("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum") + on_range("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") * 2) * operation_per_instruction;
inline constexpr auto flop_count_sp_add = on_range("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_sp_fma = on_range("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_count_sp_mul = on_range("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum") * operation_per_instruction;
inline constexpr auto flop_dp_efficiency = on_range("smsp__sass_thread_inst_executed_ops_dadd_dmul_dfma_pred_on.avg.pct_of_peak_sustained_elapsed");
inline constexpr auto flop_hp_efficiency = on_range("smsp__sass_thread_inst_executed_ops_hadd_hmul_hfma_pred_on.avg.pct_of_peak_sustained_elapsed");
inline constexpr auto flop_sp_efficiency = on_range("smsp__sass_thread_inst_executed_ops_fadd_fmul_ffma_pred_on.avg.pct_of_peak_sustained_elapsed");
inline constexpr auto gld_efficiency = on_range("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
inline constexpr auto gld_requested_throughput = per_second(on_range("smsp__sass_data_bytes_mem_global_op_ld.sum"));
inline constexpr auto gld_throughput = on_range("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second");
inline constexpr auto gld_transactions = on_range("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
inline constexpr auto gld_transactions_per_request = on_range("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio");
inline constexpr auto global_atomic_requests = on_range("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
inline constexpr auto global_hit_rate = percent{100} * (on_range("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum") + on_range("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum")) / (on_range("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") + on_range("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
inline constexpr auto global_load_requests = on_range("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
inline constexpr auto global_reduction_requests = on_range("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum");
inline constexpr auto global_store_requests = on_range("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
inline constexpr auto gst_efficiency = on_range("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct");
inline constexpr auto gst_requested_throughput = per_second(on_range("smsp__sass_data_bytes_mem_global_op_st.sum"));
inline constexpr auto gst_throughput = on_range("l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second");
inline constexpr auto gst_transactions = on_range("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
inline constexpr auto gst_transactions_per_request = on_range("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio");
inline constexpr auto half_precision_fu_utilization = level(on_range("smsp__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active"));
inline constexpr auto inst_bit_convert = on_range("smsp__sass_thread_inst_executed_op_conversion_pred_on.sum");
inline constexpr auto inst_compute_ld_st = on_range("smsp__sass_thread_inst_executed_op_memory_pred_on.sum");
inline constexpr auto inst_control = on_range("smsp__sass_thread_inst_executed_op_control_pred_on.sum");
inline constexpr auto inst_executed = on_range("smsp__inst_executed.sum");
inline constexpr auto inst_executed_global_atomics = on_range("smsp__sass_inst_executed_op_global_atom.sum");
inline constexpr auto inst_executed_global_loads = on_range("smsp__inst_executed_op_global_ld.sum");
inline constexpr auto inst_executed_global_reductions = on_range("smsp__inst_executed_op_global_red.sum");
inline constexpr auto inst_executed_global_stores = on_range("smsp__inst_executed_op_global_st.sum");
inline constexpr auto inst_executed_local_loads = on_range("smsp__inst_executed_op_local_ld.sum");
inline constexpr auto inst_executed_local_stores = on_range("smsp__inst_executed_op_local_st.sum");
inline constexpr auto inst_executed_shared_atomics = on_range("smsp__inst_executed_op_shared_atom.sum");
inline constexpr auto inst_executed_shared_loads = on_range("smsp__inst_executed_op_shared_ld.sum");
inline constexpr auto inst_executed_shared_stores = on_range("smsp__inst_executed_op_shared_st.sum");
inline constexpr auto inst_executed_surface_atomics = on_range("smsp__inst_executed_op_surface_atom.sum");
inline constexpr auto inst_executed_surface_loads = on_range("smsp__inst_executed_op_surface_ld.sum");
inline constexpr auto inst_executed_surface_reductions = on_range("smsp__inst_executed_op_surface_red.sum");
inline constexpr auto inst_executed_surface_stores = on_range("smsp__inst_executed_op_surface_st.sum");
inline constexpr auto inst_executed_tex_ops = on_range("smsp__inst_executed_op_texture.sum");
inline constexpr auto inst_fp_16 = on_range("smsp__sass_thread_inst_executed_op_fp16_pred_on.sum");
inline constexpr auto inst_fp_32 = on_range("smsp__sass_thread_inst_executed_op_fp32_pred_on.sum");
inline constexpr auto inst_fp_64 = on_range("smsp__sass_thread_inst_executed_op_fp64_pred_on.sum");
inline constexpr auto inst_integer = on_range("smsp__sass_thread_inst_executed_op_integer_pred_on.sum");
inline constexpr auto inst_inter_thread_communication = on_range("smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum");
inline constexpr auto inst_issued = on_range("smsp__inst_issued.sum");
inline constexpr auto inst_misc = on_range("smsp__sass_thread_inst_executed_op_misc_pred_on.sum");
inline constexpr auto inst_per_warp = on_range("smsp__average_inst_executed_per_warp.ratio");
inline constexpr auto inst_replay_overhead = percent{100} * (on_range("smsp__inst_issued.sum") - on_range("smsp__inst_executed.sum")) / on_range("smsp__inst_executed.sum");
inline constexpr auto ipc = on_range("smsp__inst_executed.sum") / on_range("sm__cycles_active.sum");
inline constexpr auto issue_slot_utilization = on_range("smsp__issue_active.avg.pct_of_peak_sustained_active");
inline constexpr auto issue_slots = on_range("smsp__inst_issued.sum");
inline constexpr auto issued_ipc = on_range("smsp__inst_issued.sum") / on_range("sm__cycles_active.sum");
inline constexpr auto l1_cache_global_hit_rate = on_range("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct");
inline constexpr auto l1_cache_local_hit_rate = percent{100} * (on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum") + on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum")) / (on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") + on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"));
inline constexpr auto l1_sm_lg_utilization = level(on_range("l1tex__lsu_writeback_active.avg.pct_of_peak_sustained_active"));
inline constexpr auto l2_atomic_throughput = on_range("lts__t_sectors_srcunit_l1_op_atom.sum.per_second") * bytes_per_sector;
inline constexpr auto l2_atomic_transactions = on_range("lts__t_sectors_srcunit_l1_op_atom.sum");
inline constexpr auto l2_global_atomic_store_bytes = on_range("lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_atom.sum");
inline constexpr auto l2_global_load_bytes = on_range("lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_ld.sum");
inline constexpr auto l2_l1_read_hit_rate = percent{100} * on_range("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum") / on_range("lts__t_sectors_srcunit_tex_op_read.sum");
inline constexpr auto l2_l1_read_throughput = on_range("lts__t_sectors_srcunit_tex_op_read.sum.per_second") * bytes_per_sector;
inline constexpr auto l2_l1_read_transactions = on_range("lts__t_sectors_srcunit_tex_op_read.sum");
inline constexpr auto l2_l1_write_throughput = on_range("lts__t_sectors_srcunit_tex_op_write.sum.per_second") * bytes_per_sector;
inline constexpr auto l2_l1_write_transactions = on_range("lts__t_sectors_srcunit_tex_op_write.sum");
inline constexpr auto l2_local_global_store_bytes = on_range("lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_local_op_st.sum") + on_range("lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_st.sum");
inline constexpr auto l2_local_load_bytes = on_range("lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_local_op_ld.sum");
inline constexpr auto l2_read_transactions = on_range("lts__t_sectors_op_read.sum") + on_range("lts__t_sectors_op_atom.sum") + on_range("lts__t_sectors_op_red.sum");
inline constexpr auto l2_read_throughput = per_second(l2_read_transactions * bytes_per_sector);
inline constexpr auto l2_surface_load_bytes = on_range("lts__t_bytes_equiv_l1sectormiss_pipe_tex_mem_surface_op_ld.sum");
inline constexpr auto l2_surface_store_bytes = on_range("lts__t_bytes_equiv_l1sectormiss_pipe_tex_mem_surface_op_st.sum");
inline constexpr auto l2_tex_hit_rate = percent{100} * on_range("lts__t_sectors_srcunit_tex_lookup_hit.sum") / on_range("lts__t_sectors_srcunit_tex.sum");
inline constexpr auto l2_tex_read_hit_rate = percent{100} * on_range("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum") / on_range("lts__t_sectors_srcunit_tex_op_read.sum");
inline constexpr auto l2_tex_read_throughput = on_range("lts__t_sectors_srcunit_tex_op_read.sum.per_second") * bytes_per_sector;
inline constexpr auto l2_tex_read_transactions = on_range("lts__t_sectors_srcunit_tex_op_read.sum");
inline constexpr auto l2_tex_write_hit_rate = percent{100} * on_range("lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum") / on_range("lts__t_sectors_srcunit_tex_op_write.sum");
inline constexpr auto l2_tex_write_throughput = on_range("lts__t_sectors_srcunit_tex_op_write.sum.per_second") * bytes_per_sector;
inline constexpr auto l2_tex_write_transactions = on_range("lts__t_sectors_srcunit_tex_op_write.sum");
inline constexpr auto l2_utilization = level(on_range("lts__t_sectors.avg.pct_of_peak_sustained_elapsed"));
inline constexpr auto l2_write_transactions = on_range("lts__t_sectors_op_write.sum") + on_range("lts__t_sectors_op_atom.sum") + on_range("lts__t_sectors_op_red.sum");
inline constexpr auto l2_write_throughput = per_second(l2_write_transactions * bytes_per_sector);
inline constexpr auto ldst_fu_utilization = level(on_range("smsp__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"));
inline constexpr auto local_hit_rate = percent{100} * (on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum") + on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum")) / (on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") + on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"));
inline constexpr auto local_load_requests = on_range("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum");
inline constexpr auto local_load_throughput = on_range("l1tex__t_bytes_pipe_lsu_mem_local_op_ld.sum.per_second");
inline constexpr auto local_load_transactions = on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
inline constexpr auto local_load_transactions_per_request = on_range("l1tex__average_t_sectors_per_request_pipe_lsu_mem_local_op_ld.ratio");
inline constexpr auto local_store_requests = on_range("l1tex__t_requests_pipe_lsu_mem_local_op_st.sum");
inline constexpr auto local_store_throughput = on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum.per_second") * bytes_per_sector;
inline constexpr auto local_store_transactions = on_range("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
inline constexpr auto local_store_transactions_per_request = on_range("l1tex__average_t_sectors_per_request_pipe_lsu_mem_local_op_st.ratio");
inline constexpr auto nvlink_receive_throughput = on_range("nvlrx__bytes.sum.per_second");
inline constexpr auto nvlink_total_data_received = on_range("nvlrx__bytes.sum");
inline constexpr auto nvlink_total_data_transmitted = on_range("nvltx__bytes.sum");
inline constexpr auto nvlink_transmit_throughput = on_range("nvltx__bytes.sum.per_second");
inline constexpr auto nvlink_user_data_received = on_range("nvlrx__bytes_data_user.sum");
inline constexpr auto nvlink_user_data_transmitted = on_range("nvltx__bytes_data_user.sum");
inline constexpr auto pcie_total_data_received = on_range("pcie__read_bytes.sum");
inline constexpr auto pcie_total_data_transmitted = on_range("pcie__write_bytes.sum");
inline constexpr auto shared_efficiency = on_range("smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct");
inline constexpr auto shared_load_throughput = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second") * bytes_per_wavefront;
inline constexpr auto shared_load_transactions = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
inline constexpr auto shared_load_transactions_per_request = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") / on_range("smsp__inst_executed_op_shared_ld.sum") * instruction_per_request;
inline constexpr auto shared_store_throughput = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second") * bytes_per_wavefront;
inline constexpr auto shared_store_transactions = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
inline constexpr auto shared_store_transactions_per_request = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum") / on_range("smsp__inst_executed_op_shared_st.sum") * instruction_per_request;
inline constexpr auto shared_utilization = level(on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"));
inline constexpr auto single_precision_fu_utilization = level(on_range("smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"));
inline constexpr auto sm_efficiency = on_range("smsp__cycles_active.avg.pct_of_peak_sustained_elapsed");
inline constexpr auto sm_tex_utilization = level(on_range("l1tex__texin_sm2tex_req_cycles_active.avg.pct_of_peak_sustained_elapsed"));
inline constexpr auto special_fu_utilization = level(on_range("smsp__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"));
// A reason's share of all stalls: every active warp issues or is stalled.
template <class Percentage>
[[nodiscard]] constexpr auto of_stalls(Percentage const& of_warps) {
    return percent{100} * of_warps / (percent{100} - on_range("smsp__warp_issue_stalled_selected_per_warp_active.pct"));
}
inline constexpr auto stall_constant_memory_dependency = of_stalls(on_range("smsp__warp_issue_stalled_imc_miss_per_warp_active.pct"));
inline constexpr auto stall_exec_dependency = of_stalls(on_range("smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct") + on_range("smsp__warp_issue_stalled_wait_per_warp_active.pct"));
inline constexpr auto stall_inst_fetch = of_stalls(on_range("smsp__warp_issue_stalled_no_instruction_per_warp_active.pct"));
inline constexpr auto stall_memory_dependency = of_stalls(on_range("smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"));
inline constexpr auto stall_memory_throttle = of_stalls(on_range("smsp__warp_issue_stalled_drain_per_warp_active.pct") + on_range("smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct"));
inline constexpr auto stall_not_selected = of_stalls(on_range("smsp__warp_issue_stalled_not_selected_per_warp_active.pct"));
inline constexpr auto stall_other = of_stalls(on_range("smsp__warp_issue_stalled_misc_per_warp_active.pct") + on_range("smsp__warp_issue_stalled_dispatch_stall_per_warp_active.pct"));
inline constexpr auto stall_pipe_busy = of_stalls(on_range("smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct") + on_range("smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct"));
inline constexpr auto stall_sleeping = of_stalls(on_range("smsp__warp_issue_stalled_sleeping_per_warp_active.pct"));
inline constexpr auto stall_sync = of_stalls(on_range("smsp__warp_issue_stalled_membar_per_warp_active.pct") + on_range("smsp__warp_issue_stalled_barrier_per_warp_active.pct"));
inline constexpr auto stall_texture = of_stalls(on_range("smsp__warp_issue_stalled_tex_throttle_per_warp_active.pct"));
inline constexpr auto surface_atomic_requests = on_range("l1tex__t_requests_pipe_tex_mem_surface_op_atom.sum");
inline constexpr auto surface_load_requests = on_range("l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum");
inline constexpr auto surface_reduction_requests = on_range("l1tex__t_requests_pipe_tex_mem_surface_op_red.sum");
inline constexpr auto surface_store_requests = on_range("l1tex__t_requests_pipe_tex_mem_surface_op_st.sum");
inline constexpr auto sysmem_read_bytes = on_range("lts__t_sectors_aperture_sysmem_op_read.sum") * bytes_per_sector;
inline constexpr auto sysmem_read_throughput = on_range("lts__t_sectors_aperture_sysmem_op_read.sum.per_second") * bytes_per_sector;
inline constexpr auto sysmem_read_transactions = on_range("lts__t_sectors_aperture_sysmem_op_read.sum");
inline constexpr auto sysmem_write_bytes = on_range("lts__t_sectors_aperture_sysmem_op_write.sum") * bytes_per_sector;
inline constexpr auto sysmem_write_throughput = on_range("lts__t_sectors_aperture_sysmem_op_write.sum.per_second") * bytes_per_sector;
inline constexpr auto sysmem_write_transactions = on_range("lts__t_sectors_aperture_sysmem_op_write.sum");
inline constexpr auto tensor_precision_fu_utilization = level(on_range("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"));
inline constexpr auto tex_cache_hit_rate = on_range("l1tex__t_sector_hit_rate.pct");
inline constexpr auto tex_cache_transactions = (on_range("l1tex__lsu_writeback_active.sum") + on_range("l1tex__tex_writeback_active.sum")) * access_per_cycle;
inline constexpr auto tex_fu_utilization = level(on_range("smsp__inst_executed_pipe_tex.avg.pct_of_peak_sustained_active"));
inline constexpr auto tex_sm_tex_utilization = level(on_range("l1tex__f_tex2sm_cycles_active.avg.pct_of_peak_sustained_elapsed"));
inline constexpr auto tex_sm_utilization = level(on_range("sm__mio2rf_writeback_active.avg.pct_of_peak_sustained_elapsed"));
inline constexpr auto texture_load_requests = on_range("l1tex__t_requests_pipe_tex_mem_texture.sum");
inline constexpr auto warp_execution_efficiency = on_range("smsp__thread_inst_executed_per_inst_executed.pct");
inline constexpr auto warp_nonpred_execution_efficiency = on_range("smsp__thread_inst_executed_pred_on_per_inst_executed.pct");
} // namespace legacy::range_metrics

namespace legacy::range_events {
using namespace mapping_parts;

inline constexpr auto active_cycles = on_range("sm__cycles_active.sum");
inline constexpr auto active_cycles_pm = on_range("sm__cycles_active.sum");
inline constexpr auto active_cycles_sys = on_range("sys__cycles_active.sum");
inline constexpr auto active_warps = on_range("sm__warps_active.sum");
inline constexpr auto active_warps_pm = on_range("sm__warps_active.sum");
inline constexpr auto atom_count = on_range("smsp__inst_executed_op_generic_atom_dot_alu.sum");
inline constexpr auto elapsed_cycles_pm = on_range("sm__cycles_elapsed.sum");
inline constexpr auto elapsed_cycles_sm = on_range("sm__cycles_elapsed.sum");
inline constexpr auto elapsed_cycles_sys = on_range("sys__cycles_elapsed.sum");
inline constexpr auto fb_subp0_read_sectors = on_range("dram__sectors_read.sum") / 2;
inline constexpr auto fb_subp0_write_sectors = on_range("dram__sectors_write.sum") / 2;
inline constexpr auto fb_subp1_read_sectors = on_range("dram__sectors_read.sum") / 2;
inline constexpr auto fb_subp1_write_sectors = on_range("dram__sectors_write.sum") / 2;
inline constexpr auto generic_load = on_range("smsp__inst_executed_op_generic_ld.sum");
inline constexpr auto generic_store = on_range("smsp__inst_executed_op_generic_st.sum");
inline constexpr auto global_atom_cas = on_range("smsp__inst_executed_op_generic_atom_dot_cas.sum");
inline constexpr auto global_load = on_range("smsp__inst_executed_op_global_ld.sum");
inline constexpr auto global_store = on_range("smsp__inst_executed_op_global_st.sum");
inline constexpr auto gred_count = on_range("smsp__inst_executed_op_global_red.sum");
inline constexpr auto inst_executed = on_range("sm__inst_executed.sum");
inline constexpr auto inst_executed_fma_pipe_s0 = on_range("smsp__inst_executed_pipe_fma.sum") / 4;
inline constexpr auto inst_executed_fma_pipe_s1 = on_range("smsp__inst_executed_pipe_fma.sum") / 4;
inline constexpr auto inst_executed_fma_pipe_s2 = on_range("smsp__inst_executed_pipe_fma.sum") / 4;
inline constexpr auto inst_executed_fma_pipe_s3 = on_range("smsp__inst_executed_pipe_fma.sum") / 4;
inline constexpr auto inst_executed_fp16_pipe_s0 = on_range("smsp__inst_executed_pipe_fp16.sum") / 4;
inline constexpr auto inst_executed_fp16_pipe_s1 = on_range("smsp__inst_executed_pipe_fp16.sum") / 4;
inline constexpr auto inst_executed_fp16_pipe_s2 = on_range("smsp__inst_executed_pipe_fp16.sum") / 4;
inline constexpr auto inst_executed_fp16_pipe_s3 = on_range("smsp__inst_executed_pipe_fp16.sum") / 4;
inline constexpr auto inst_executed_fp64_pipe_s0 = on_range("smsp__inst_executed_pipe_fp64.sum") / 4;
inline constexpr auto inst_executed_fp64_pipe_s1 = on_range("smsp__inst_executed_pipe_fp64.sum") / 4;
inline constexpr auto inst_executed_fp64_pipe_s2 = on_range("smsp__inst_executed_pipe_fp64.sum") / 4;
inline constexpr auto inst_executed_fp64_pipe_s3 = on_range("smsp__inst_executed_pipe_fp64.sum") / 4;
inline constexpr auto inst_issued0 = on_range("smsp__issue_inst0.sum");
inline constexpr auto inst_issued1 = on_range("sm__inst_issued.sum");
inline constexpr auto l2_subp0_read_sector_misses = on_range("lts__t_sectors_op_read_lookup_miss.sum") / 2;
inline constexpr auto l2_subp0_read_sysmem_sector_queries = on_range("lts__t_sectors_aperture_sysmem_op_read.sum") / 2;
inline constexpr auto l2_subp0_read_tex_hit_sectors = on_range("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum") / 2;
inline constexpr auto l2_subp0_read_tex_sector_queries = on_range("lts__t_sectors_srcunit_tex_op_read.sum") / 2;
inline constexpr auto l2_subp0_total_read_sector_queries = (on_range("lts__t_sectors_op_read.sum") + on_range("lts__t_sectors_op_atom.sum") + on_range("lts__t_sectors_op_red.sum")) / 2;
inline constexpr auto l2_subp0_total_write_sector_queries = (on_range("lts__t_sectors_op_write.sum") + on_range("lts__t_sectors_op_atom.sum") + on_range("lts__t_sectors_op_red.sum")) / 2;
inline constexpr auto l2_subp0_write_sector_misses = on_range("lts__t_sectors_op_write_lookup_miss.sum") / 2;
inline constexpr auto l2_subp0_write_sysmem_sector_queries = on_range("lts__t_sectors_aperture_sysmem_op_write.sum") / 2;
inline constexpr auto l2_subp0_write_tex_hit_sectors = on_range("lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum") / 2;
inline constexpr auto l2_subp0_write_tex_sector_queries = on_range("lts__t_sectors_srcunit_tex_op_write.sum") / 2;
inline constexpr auto l2_subp1_read_sector_misses = on_range("lts__t_sectors_op_read_lookup_miss.sum") / 2;
inline constexpr auto l2_subp1_read_sysmem_sector_queries = on_range("lts__t_sectors_aperture_sysmem_op_read.sum") / 2;
inline constexpr auto l2_subp1_read_tex_hit_sectors = on_range("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum") / 2;
inline constexpr auto l2_subp1_read_tex_sector_queries = on_range("lts__t_sectors_srcunit_tex_op_read.sum") / 2;
inline constexpr auto l2_subp1_total_read_sector_queries = (on_range("lts__t_sectors_op_read.sum") + on_range("lts__t_sectors_op_atom.sum") + on_range("lts__t_sectors_op_red.sum")) / 2;
inline constexpr auto l2_subp1_total_write_sector_queries = (on_range("lts__t_sectors_op_write.sum") + on_range("lts__t_sectors_op_atom.sum") + on_range("lts__t_sectors_op_red.sum")) / 2;
inline constexpr auto l2_subp1_write_sector_misses = on_range("lts__t_sectors_op_write_lookup_miss.sum") / 2;
inline constexpr auto l2_subp1_write_sysmem_sector_queries = on_range("lts__t_sectors_aperture_sysmem_op_write.sum") / 2;
inline constexpr auto l2_subp1_write_tex_hit_sectors = on_range("lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum") / 2;
inline constexpr auto l2_subp1_write_tex_sector_queries = on_range("lts__t_sectors_srcunit_tex_op_write.sum") / 2;
inline constexpr auto local_load = on_range("smsp__inst_executed_op_local_ld.sum");
inline constexpr auto local_store = on_range("smsp__inst_executed_op_local_st.sum");
inline constexpr auto not_predicated_off_thread_inst_executed = on_range("smsp__thread_inst_executed_pred_on.sum");
inline constexpr auto shared_atom = on_range("smsp__inst_executed_op_shared_atom_dot_alu.sum");
inline constexpr auto shared_atom_cas = on_range("smsp__inst_executed_op_shared_atom_dot_cas.sum");
inline constexpr auto shared_ld_bank_conflict = on_range("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
inline constexpr auto shared_ld_transactions = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
inline constexpr auto shared_load = on_range("smsp__inst_executed_op_shared_ld.sum");
inline constexpr auto shared_st_bank_conflict = on_range("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
inline constexpr auto shared_st_transactions = on_range("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
inline constexpr auto shared_store = on_range("smsp__inst_executed_op_shared_st.sum");
inline constexpr auto sm_cta_launched = on_range("sm__ctas_launched.sum");
inline constexpr auto tensor_pipe_active_cycles_s0 = on_range("smsp__pipe_tensor_cycles_active.sum") / 4;
inline constexpr auto tensor_pipe_active_cycles_s1 = on_range("smsp__pipe_tensor_cycles_active.sum") / 4;
inline constexpr auto tensor_pipe_active_cycles_s2 = on_range("smsp__pipe_tensor_cycles_active.sum") / 4;
inline constexpr auto tensor_pipe_active_cycles_s3 = on_range("smsp__pipe_tensor_cycles_active.sum") / 4;
inline constexpr auto thread_inst_executed = on_range("smsp__thread_inst_executed.sum");
inline constexpr auto warps_launched = on_range("smsp__warps_launched.sum");
} // namespace legacy::range_events

namespace legacy::detail {
// Table 7 (CUPTI 12.0, 2.8.3): 180 rows, sorted by name. A row without a formula is left blank there.
inline constexpr range_mapping metric_mappings[]{
    {"achieved_occupancy", range_metrics::achieved_occupancy, ""},
    {"atomic_transactions", range_metrics::atomic_transactions, ""},
    {"atomic_transactions_per_request", range_metrics::atomic_transactions_per_request, "the table has sectors; its atomic_transactions are not sectors"},
    {"branch_efficiency", range_metrics::branch_efficiency, "", "the share of targets that kept a warp together; event hardware of 7.0 has branches over branches plus divergent ones"},
    {"cf_executed", range_metrics::cf_executed, ""},
    {"cf_fu_utilization", {}, ""},
    {"cf_issued", {}, ""},
    {"double_precision_fu_utilization", range_metrics::double_precision_fu_utilization, "the table has per cent; a level is tenths"},
    {"dram_read_bytes", range_metrics::dram_read_bytes, ""},
    {"dram_read_throughput", range_metrics::dram_read_throughput, ""},
    {"dram_read_transactions", range_metrics::dram_read_transactions, ""},
    {"dram_utilization", range_metrics::dram_utilization, "the table has per cent; a level is tenths"},
    {"dram_write_bytes", range_metrics::dram_write_bytes, ""},
    {"dram_write_throughput", range_metrics::dram_write_throughput, ""},
    {"dram_write_transactions", range_metrics::dram_write_transactions, ""},
    {"eligible_warps_per_cycle", range_metrics::eligible_warps_per_cycle, "the table has smsp__warps_eligible.sum.per_cycle_active, which adds up all multiprocessors"},
    {"flop_count_dp", range_metrics::flop_count_dp, ""},
    {"flop_count_dp_add", range_metrics::flop_count_dp_add, ""},
    {"flop_count_dp_fma", range_metrics::flop_count_dp_fma, ""},
    {"flop_count_dp_mul", range_metrics::flop_count_dp_mul, ""},
    {"flop_count_hp", range_metrics::flop_count_hp, "", "an instruction on two numbers at a time counts as one operation"},
    {"flop_count_hp_add", range_metrics::flop_count_hp_add, "", "an instruction on two numbers at a time counts as one operation"},
    {"flop_count_hp_fma", range_metrics::flop_count_hp_fma, "", "an instruction on two numbers at a time counts as one operation"},
    {"flop_count_hp_mul", range_metrics::flop_count_hp_mul, "", "an instruction on two numbers at a time counts as one operation"},
    {"flop_count_sp", range_metrics::flop_count_sp, ""},
    {"flop_count_sp_add", range_metrics::flop_count_sp_add, ""},
    {"flop_count_sp_fma", range_metrics::flop_count_sp_fma, ""},
    {"flop_count_sp_mul", range_metrics::flop_count_sp_mul, ""},
    {"flop_count_sp_special", {}, ""},
    {"flop_dp_efficiency", range_metrics::flop_dp_efficiency, "the name is cut off in the table"},
    {"flop_hp_efficiency", range_metrics::flop_hp_efficiency, "the name is cut off in the table"},
    {"flop_sp_efficiency", range_metrics::flop_sp_efficiency, "the name is cut off in the table"},
    {"gld_efficiency", range_metrics::gld_efficiency, ""},
    {"gld_requested_throughput", range_metrics::gld_requested_throughput, "left blank in the table"},
    {"gld_throughput", range_metrics::gld_throughput, ""},
    {"gld_transactions", range_metrics::gld_transactions, ""},
    {"gld_transactions_per_request", range_metrics::gld_transactions_per_request, ""},
    {"global_atomic_requests", range_metrics::global_atomic_requests, ""},
    {"global_hit_rate", range_metrics::global_hit_rate, "the table has {op}; loads and stores, as the metric is described"},
    {"global_load_requests", range_metrics::global_load_requests, ""},
    {"global_reduction_requests", range_metrics::global_reduction_requests, ""},
    {"global_store_requests", range_metrics::global_store_requests, ""},
    {"gst_efficiency", range_metrics::gst_efficiency, ""},
    {"gst_requested_throughput", range_metrics::gst_requested_throughput, "left blank in the table"},
    {"gst_throughput", range_metrics::gst_throughput, ""},
    {"gst_transactions", range_metrics::gst_transactions, "the table has the bytes; sectors as for loads"},
    {"gst_transactions_per_request", range_metrics::gst_transactions_per_request, ""},
    {"half_precision_fu_utilization", range_metrics::half_precision_fu_utilization, "the table has per cent; a level is tenths"},
    {"inst_bit_convert", range_metrics::inst_bit_convert, ""},
    {"inst_compute_ld_st", range_metrics::inst_compute_ld_st, ""},
    {"inst_control", range_metrics::inst_control, ""},
    {"inst_executed", range_metrics::inst_executed, ""},
    {"inst_executed_global_atomics", range_metrics::inst_executed_global_atomics, ""},
    {"inst_executed_global_loads", range_metrics::inst_executed_global_loads, ""},
    {"inst_executed_global_reductions", range_metrics::inst_executed_global_reductions, ""},
    {"inst_executed_global_stores", range_metrics::inst_executed_global_stores, ""},
    {"inst_executed_local_loads", range_metrics::inst_executed_local_loads, ""},
    {"inst_executed_local_stores", range_metrics::inst_executed_local_stores, ""},
    {"inst_executed_shared_atomics", range_metrics::inst_executed_shared_atomics, "the table adds .alu and .cas, which are in the first count already"},
    {"inst_executed_shared_loads", range_metrics::inst_executed_shared_loads, ""},
    {"inst_executed_shared_stores", range_metrics::inst_executed_shared_stores, ""},
    {"inst_executed_surface_atomics", range_metrics::inst_executed_surface_atomics, ""},
    {"inst_executed_surface_loads", range_metrics::inst_executed_surface_loads, "the table adds shared atomics, a slip from the row of those"},
    {"inst_executed_surface_reductions", range_metrics::inst_executed_surface_reductions, ""},
    {"inst_executed_surface_stores", range_metrics::inst_executed_surface_stores, ""},
    {"inst_executed_tex_ops", range_metrics::inst_executed_tex_ops, ""},
    {"inst_fp_16", range_metrics::inst_fp_16, ""},
    {"inst_fp_32", range_metrics::inst_fp_32, ""},
    {"inst_fp_64", range_metrics::inst_fp_64, ""},
    {"inst_integer", range_metrics::inst_integer, ""},
    {"inst_inter_thread_communication", range_metrics::inst_inter_thread_communication, ""},
    {"inst_issued", range_metrics::inst_issued, ""},
    {"inst_misc", range_metrics::inst_misc, ""},
    {"inst_per_warp", range_metrics::inst_per_warp, ""},
    {"inst_replay_overhead", range_metrics::inst_replay_overhead, "left blank in the table"},
    {"ipc", range_metrics::ipc, "the table has the average of a sub-partition, a quarter of a multiprocessor"},
    {"issue_slot_utilization", range_metrics::issue_slot_utilization, ""},
    {"issue_slots", range_metrics::issue_slots, ""},
    {"issued_ipc", range_metrics::issued_ipc, "the table has the average of a sub-partition, a quarter of a multiprocessor"},
    {"l1_sm_lg_utilization", range_metrics::l1_sm_lg_utilization, "the table has per cent; a level is tenths"},
    {"l2_atomic_throughput", range_metrics::l2_atomic_throughput, "the table has sectors a second", "leaves out reductions"},
    {"l2_atomic_transactions", range_metrics::l2_atomic_transactions, "", "leaves out reductions"},
    {"l2_global_atomic_store_bytes", range_metrics::l2_global_atomic_store_bytes, ""},
    {"l2_global_load_bytes", range_metrics::l2_global_load_bytes, ""},
    {"l2_local_global_store_bytes", range_metrics::l2_local_global_store_bytes, ""},
    {"l2_local_load_bytes", range_metrics::l2_local_load_bytes, ""},
    {"l2_read_throughput", range_metrics::l2_read_throughput, "the table has sectors a second, without atomics and reductions"},
    {"l2_read_transactions", range_metrics::l2_read_transactions, "the table leaves out atomics and reductions, which both read and write"},
    {"l2_surface_load_bytes", range_metrics::l2_surface_load_bytes, ""},
    {"l2_surface_store_bytes", range_metrics::l2_surface_store_bytes, ""},
    {"l2_tex_hit_rate", range_metrics::l2_tex_hit_rate, "the table has all that L2 was asked, not what L1 asked"},
    {"l2_tex_read_hit_rate", range_metrics::l2_tex_read_hit_rate, "the table has all that L2 was asked, not what L1 asked"},
    {"l2_tex_read_throughput", range_metrics::l2_tex_read_throughput, "the table has sectors a second"},
    {"l2_tex_read_transactions", range_metrics::l2_tex_read_transactions, ""},
    {"l2_tex_write_hit_rate", range_metrics::l2_tex_write_hit_rate, "the table has all that L2 was asked, not what L1 asked"},
    {"l2_tex_write_throughput", range_metrics::l2_tex_write_throughput, "the table has sectors a second, of reads"},
    {"l2_tex_write_transactions", range_metrics::l2_tex_write_transactions, "the table has reads"},
    {"l2_utilization", range_metrics::l2_utilization, "the table has per cent; a level is tenths"},
    {"l2_write_throughput", range_metrics::l2_write_throughput, "the table has sectors a second, without atomics and reductions"},
    {"l2_write_transactions", range_metrics::l2_write_transactions, "the table leaves out atomics and reductions, which both read and write"},
    {"ldst_executed", {}, ""},
    {"ldst_fu_utilization", range_metrics::ldst_fu_utilization, "the table has per cent; a level is tenths"},
    {"ldst_issued", {}, ""},
    {"local_hit_rate", range_metrics::local_hit_rate, "left blank in the table"},
    {"local_load_requests", range_metrics::local_load_requests, ""},
    {"local_load_throughput", range_metrics::local_load_throughput, ""},
    {"local_load_transactions", range_metrics::local_load_transactions, ""},
    {"local_load_transactions_per_request", range_metrics::local_load_transactions_per_request, ""},
    {"local_memory_overhead", {}, ""},
    {"local_store_requests", range_metrics::local_store_requests, ""},
    {"local_store_throughput", range_metrics::local_store_throughput, "the table has sectors a second"},
    {"local_store_transactions", range_metrics::local_store_transactions, ""},
    {"local_store_transactions_per_request", range_metrics::local_store_transactions_per_request, ""},
    {"nvlink_data_receive_efficiency", {}, ""},
    {"nvlink_data_transmission_efficiency", {}, ""},
    {"nvlink_overhead_data_received", {}, ""},
    {"nvlink_overhead_data_transmitted", {}, ""},
    {"nvlink_receive_throughput", range_metrics::nvlink_receive_throughput, "left blank in the table"},
    {"nvlink_total_data_received", range_metrics::nvlink_total_data_received, "left blank in the table"},
    {"nvlink_total_data_transmitted", range_metrics::nvlink_total_data_transmitted, "left blank in the table"},
    {"nvlink_total_nratom_data_transmitted", {}, ""},
    {"nvlink_total_ratom_data_transmitted", {}, ""},
    {"nvlink_total_response_data_received", {}, ""},
    {"nvlink_total_write_data_transmitted", {}, ""},
    {"nvlink_transmit_throughput", range_metrics::nvlink_transmit_throughput, "left blank in the table"},
    {"nvlink_user_data_received", range_metrics::nvlink_user_data_received, "left blank in the table"},
    {"nvlink_user_data_transmitted", range_metrics::nvlink_user_data_transmitted, "left blank in the table"},
    {"nvlink_user_nratom_data_transmitted", {}, ""},
    {"nvlink_user_ratom_data_transmitted", {}, ""},
    {"nvlink_user_response_data_received", {}, ""},
    {"nvlink_user_write_data_transmitted", {}, ""},
    {"pcie_total_data_received", range_metrics::pcie_total_data_received, ""},
    {"pcie_total_data_transmitted", range_metrics::pcie_total_data_transmitted, ""},
    {"shared_efficiency", range_metrics::shared_efficiency, ""},
    {"shared_load_throughput", range_metrics::shared_load_throughput, "the table has wavefronts a second"},
    {"shared_load_transactions", range_metrics::shared_load_transactions, ""},
    {"shared_load_transactions_per_request", range_metrics::shared_load_transactions_per_request, "left blank in the table"},
    {"shared_store_throughput", range_metrics::shared_store_throughput, "the table has wavefronts a second"},
    {"shared_store_transactions", range_metrics::shared_store_transactions, ""},
    {"shared_store_transactions_per_request", range_metrics::shared_store_transactions_per_request, "left blank in the table"},
    {"shared_utilization", range_metrics::shared_utilization, "the table has per cent; a level is tenths"},
    {"single_precision_fu_utilization", range_metrics::single_precision_fu_utilization, "the table has per cent; a level is tenths"},
    {"sm_efficiency", range_metrics::sm_efficiency, ""},
    {"sm_tex_utilization", range_metrics::sm_tex_utilization, "the table has per cent; a level is tenths"},
    {"special_fu_utilization", range_metrics::special_fu_utilization, "the table has per cent; a level is tenths"},
    {"stall_constant_memory_dependency", range_metrics::stall_constant_memory_dependency, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_exec_dependency", range_metrics::stall_exec_dependency, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_inst_fetch", range_metrics::stall_inst_fetch, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_memory_dependency", range_metrics::stall_memory_dependency, "the table has shares of active warps; this is of those that did not issue", "counts waits for an answer of memory, too"},
    {"stall_memory_throttle", range_metrics::stall_memory_throttle, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_not_selected", range_metrics::stall_not_selected, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_other", range_metrics::stall_other, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_pipe_busy", range_metrics::stall_pipe_busy, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_sleeping", range_metrics::stall_sleeping, "the table has shares of active warps; this is of those that did not issue"},
    {"stall_sync", range_metrics::stall_sync, "the table has shares of active warps; this is of those that did not issue", "counts waits for memory barriers, too"},
    {"stall_texture", range_metrics::stall_texture, "the table has shares of active warps; this is of those that did not issue"},
    {"surface_atomic_requests", range_metrics::surface_atomic_requests, ""},
    {"surface_load_requests", range_metrics::surface_load_requests, ""},
    {"surface_reduction_requests", range_metrics::surface_reduction_requests, ""},
    {"surface_store_requests", range_metrics::surface_store_requests, ""},
    {"sysmem_read_bytes", range_metrics::sysmem_read_bytes, "the table lacks the roll-up"},
    {"sysmem_read_throughput", range_metrics::sysmem_read_throughput, "the table has sectors a second"},
    {"sysmem_read_transactions", range_metrics::sysmem_read_transactions, ""},
    {"sysmem_read_utilization", {}, ""},
    {"sysmem_utilization", {}, ""},
    {"sysmem_write_bytes", range_metrics::sysmem_write_bytes, "the table lacks the roll-up"},
    {"sysmem_write_throughput", range_metrics::sysmem_write_throughput, "the table has sectors a second"},
    {"sysmem_write_transactions", range_metrics::sysmem_write_transactions, ""},
    {"sysmem_write_utilization", {}, ""},
    {"tensor_precision_fu_utilization", range_metrics::tensor_precision_fu_utilization, "the table has per cent; a level is tenths"},
    {"tex_cache_hit_rate", range_metrics::tex_cache_hit_rate, ""},
    {"tex_cache_throughput", {}, ""},
    {"tex_cache_transactions", range_metrics::tex_cache_transactions, "the table has the same cycles in per cent of the peak, which is no count"},
    {"tex_fu_utilization", range_metrics::tex_fu_utilization, "the table has per cent; a level is tenths"},
    {"tex_sm_tex_utilization", range_metrics::tex_sm_tex_utilization, "the table has per cent; a level is tenths"},
    {"tex_sm_utilization", range_metrics::tex_sm_utilization, "the table has per cent; a level is tenths"},
    {"tex_utilization", {}, ""},
    {"texture_load_requests", range_metrics::texture_load_requests, ""},
    {"warp_execution_efficiency", range_metrics::warp_execution_efficiency, "the table has .ratio, threads of 32 and no percentage"},
    {"warp_nonpred_execution_efficiency", range_metrics::warp_nonpred_execution_efficiency, "the table has predicated threads too"},
};

// Of capability 2.x and 3.x, where L1 and the texture cache were two; sorted by name.
inline constexpr range_mapping other_metric_mappings[]{
    {"l1_cache_global_hit_rate", range_metrics::l1_cache_global_hit_rate, "in no table"},
    {"l1_cache_local_hit_rate", range_metrics::l1_cache_local_hit_rate, "in no table"},
    {"l2_l1_read_hit_rate", range_metrics::l2_l1_read_hit_rate, "in no table"},
    {"l2_l1_read_throughput", range_metrics::l2_l1_read_throughput, "in no table"},
    {"l2_l1_read_transactions", range_metrics::l2_l1_read_transactions, "in no table"},
    {"l2_l1_write_throughput", range_metrics::l2_l1_write_throughput, "in no table"},
    {"l2_l1_write_transactions", range_metrics::l2_l1_write_transactions, "in no table"},
};

// Table 8 (CUPTI 12.0, 2.8.4): 82 rows, sorted by name.
inline constexpr range_mapping event_mappings[]{
    {"active_cycles", range_events::active_cycles, ""},
    {"active_cycles_pm", range_events::active_cycles_pm, ""},
    {"active_cycles_sys", range_events::active_cycles_sys, ""},
    {"active_warps", range_events::active_warps, ""},
    {"active_warps_pm", range_events::active_warps_pm, ""},
    {"atom_count", range_events::atom_count, ""},
    {"elapsed_cycles_pm", range_events::elapsed_cycles_pm, ""},
    {"elapsed_cycles_sm", range_events::elapsed_cycles_sm, ""},
    {"elapsed_cycles_sys", range_events::elapsed_cycles_sys, ""},
    {"fb_subp0_read_sectors", range_events::fb_subp0_read_sectors, "the table has the count of both; a half each, so that they add up"},
    {"fb_subp0_write_sectors", range_events::fb_subp0_write_sectors, "the table has the count of both; a half each, so that they add up"},
    {"fb_subp1_read_sectors", range_events::fb_subp1_read_sectors, "the table has the count of both; a half each, so that they add up"},
    {"fb_subp1_write_sectors", range_events::fb_subp1_write_sectors, "the table has the count of both; a half each, so that they add up"},
    {"generic_load", range_events::generic_load, ""},
    {"generic_store", range_events::generic_store, ""},
    {"global_atom_cas", range_events::global_atom_cas, ""},
    {"global_load", range_events::global_load, ""},
    {"global_store", range_events::global_store, ""},
    {"gred_count", range_events::gred_count, ""},
    {"inst_executed", range_events::inst_executed, ""},
    {"inst_executed_fma_pipe_s0", range_events::inst_executed_fma_pipe_s0, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fma_pipe_s1", range_events::inst_executed_fma_pipe_s1, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fma_pipe_s2", range_events::inst_executed_fma_pipe_s2, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fma_pipe_s3", range_events::inst_executed_fma_pipe_s3, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp16_pipe_s0", range_events::inst_executed_fp16_pipe_s0, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp16_pipe_s1", range_events::inst_executed_fp16_pipe_s1, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp16_pipe_s2", range_events::inst_executed_fp16_pipe_s2, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp16_pipe_s3", range_events::inst_executed_fp16_pipe_s3, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp64_pipe_s0", range_events::inst_executed_fp64_pipe_s0, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp64_pipe_s1", range_events::inst_executed_fp64_pipe_s1, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp64_pipe_s2", range_events::inst_executed_fp64_pipe_s2, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_executed_fp64_pipe_s3", range_events::inst_executed_fp64_pipe_s3, "the table has the count of all four; a quarter each, so that they add up"},
    {"inst_issued0", range_events::inst_issued0, ""},
    {"inst_issued1", range_events::inst_issued1, ""},
    {"l2_subp0_read_sector_misses", range_events::l2_subp0_read_sector_misses, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_read_sysmem_sector_queries", range_events::l2_subp0_read_sysmem_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_read_tex_hit_sectors", range_events::l2_subp0_read_tex_hit_sectors, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_read_tex_sector_queries", range_events::l2_subp0_read_tex_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_total_read_sector_queries", range_events::l2_subp0_total_read_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_total_write_sector_queries", range_events::l2_subp0_total_write_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_write_sector_misses", range_events::l2_subp0_write_sector_misses, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_write_sysmem_sector_queries", range_events::l2_subp0_write_sysmem_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_write_tex_hit_sectors", range_events::l2_subp0_write_tex_hit_sectors, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp0_write_tex_sector_queries", range_events::l2_subp0_write_tex_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_read_sector_misses", range_events::l2_subp1_read_sector_misses, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_read_sysmem_sector_queries", range_events::l2_subp1_read_sysmem_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_read_tex_hit_sectors", range_events::l2_subp1_read_tex_hit_sectors, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_read_tex_sector_queries", range_events::l2_subp1_read_tex_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_total_read_sector_queries", range_events::l2_subp1_total_read_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_total_write_sector_queries", range_events::l2_subp1_total_write_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_write_sector_misses", range_events::l2_subp1_write_sector_misses, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_write_sysmem_sector_queries", range_events::l2_subp1_write_sysmem_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_write_tex_hit_sectors", range_events::l2_subp1_write_tex_hit_sectors, "the table has the count of both; a half each, so that they add up"},
    {"l2_subp1_write_tex_sector_queries", range_events::l2_subp1_write_tex_sector_queries, "the table has the count of both; a half each, so that they add up"},
    {"local_load", range_events::local_load, ""},
    {"local_store", range_events::local_store, ""},
    {"not_predicated_off_thread_inst_executed", range_events::not_predicated_off_thread_inst_executed, ""},
    {"pcie_rx_active_pulse", {}, ""},
    {"pcie_tx_active_pulse", {}, ""},
    {"prof_trigger_00", {}, ""},
    {"prof_trigger_01", {}, ""},
    {"prof_trigger_02", {}, ""},
    {"prof_trigger_03", {}, ""},
    {"prof_trigger_04", {}, ""},
    {"prof_trigger_05", {}, ""},
    {"prof_trigger_06", {}, ""},
    {"prof_trigger_07", {}, ""},
    {"shared_atom", range_events::shared_atom, "the table has compare-and-swap too, which is the event shared_atom_cas"},
    {"shared_atom_cas", range_events::shared_atom_cas, ""},
    {"shared_ld_bank_conflict", range_events::shared_ld_bank_conflict, ""},
    {"shared_ld_transactions", range_events::shared_ld_transactions, ""},
    {"shared_load", range_events::shared_load, ""},
    {"shared_st_bank_conflict", range_events::shared_st_bank_conflict, ""},
    {"shared_st_transactions", range_events::shared_st_transactions, ""},
    {"shared_store", range_events::shared_store, ""},
    {"sm_cta_launched", range_events::sm_cta_launched, ""},
    {"tensor_pipe_active_cycles_s0", range_events::tensor_pipe_active_cycles_s0, "the table has the count of all four; a quarter each, so that they add up"},
    {"tensor_pipe_active_cycles_s1", range_events::tensor_pipe_active_cycles_s1, "the table has the count of all four; a quarter each, so that they add up"},
    {"tensor_pipe_active_cycles_s2", range_events::tensor_pipe_active_cycles_s2, "the table has the count of all four; a quarter each, so that they add up"},
    {"tensor_pipe_active_cycles_s3", range_events::tensor_pipe_active_cycles_s3, "the table has the count of all four; a quarter each, so that they add up"},
    {"thread_inst_executed", range_events::thread_inst_executed, ""},
    {"warps_launched", range_events::warps_launched, ""},
};
} // namespace legacy::detail

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_RANGE_MAPPINGS_HPP
