// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics of capability 6.x and their formulas. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_METRICS_6X_HPP
#define GPUPROF_LEGACY_METRICS_6X_HPP

#include "formulas.hpp"
#include "metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::formulas_6x {
using namespace formulas;

inline constexpr quantity<unit_of(sector) / unit_of(cycle_gpc)> sectors_per_unit_cycle{4};

// Device memory has two halves a partition, each with two sub-partitions.
inline constexpr auto dram_read_transactions = events::fb_subp0_read_sectors + events::fb_subp1_read_sectors + events::fb1_subp0_read_sectors + events::fb1_subp1_read_sectors;
inline constexpr auto dram_write_transactions = events::fb_subp0_write_sectors + events::fb_subp1_write_sectors + events::fb1_subp0_write_sectors + events::fb1_subp1_write_sectors;
inline constexpr auto dram_read_bytes = dram_read_transactions * bytes_per_sector;
inline constexpr auto dram_write_bytes = dram_write_transactions * bytes_per_sector;
inline constexpr auto dram_read_throughput = per_second(dram_read_bytes);
inline constexpr auto dram_write_throughput = per_second(dram_write_bytes);
inline constexpr auto dram_utilization = level((dram_read_bytes + dram_write_bytes) / properties::gpu_time / properties::memory_bandwidth);
inline constexpr auto inst_executed_shared_atomics = events::shared_atom + events::inst_executed_shared_atom_cas;
inline constexpr auto l2_utilization = level((two_slices::l2_read_transactions + two_slices::l2_write_transactions) * properties::multiprocessor_count / events::elapsed_cycles_sm / properties::l2_units / sectors_per_unit_cycle);
inline constexpr auto tex_queries = events::tex0_cache_sector_queries + events::tex1_cache_sector_queries;
// What L2 is asked for is what missed; writes always are.
inline constexpr auto tex_cache_hit_rate = percent{100} * (tex_queries - (two_slices::l2_tex_read_transactions + two_slices::l2_tex_write_transactions)) / tex_queries;
} // namespace legacy::formulas_6x

namespace legacy::detail {
inline constexpr capability_revisions only_60_61 = 1 << 0 | 1 << 1, only_60 = 1 << 0, only_61 = 1 << 1; // table 5
inline constexpr legacy_metric_row rows_6x[]{
    {&metrics::achieved_occupancy, legacy_metric_scope::multi_context, formulas::achieved_occupancy},
    {&metrics::atomic_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::atomic_transactions_per_request, legacy_metric_scope::multi_context, {}},
    {&metrics::branch_efficiency, legacy_metric_scope::multi_context, formulas::branch_efficiency},
    {&metrics::cf_executed, legacy_metric_scope::multi_context, {}},
    {&metrics::cf_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::cf_issued, legacy_metric_scope::multi_context, {}},
    {&metrics::double_precision_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::dram_read_bytes, legacy_metric_scope::multi_context, formulas_6x::dram_read_bytes},
    {&metrics::dram_read_throughput, legacy_metric_scope::multi_context, formulas_6x::dram_read_throughput, only_60_61},
    {&metrics::dram_read_transactions, legacy_metric_scope::multi_context, formulas_6x::dram_read_transactions, only_60_61},
    {&metrics::dram_utilization, legacy_metric_scope::multi_context, formulas_6x::dram_utilization},
    {&metrics::dram_write_bytes, legacy_metric_scope::multi_context, formulas_6x::dram_write_bytes},
    {&metrics::dram_write_throughput, legacy_metric_scope::multi_context, formulas_6x::dram_write_throughput, only_60_61},
    {&metrics::dram_write_transactions, legacy_metric_scope::multi_context, formulas_6x::dram_write_transactions, only_60_61},
    {&metrics::ecc_throughput, legacy_metric_scope::multi_context, {}, only_61},
    {&metrics::ecc_transactions, legacy_metric_scope::multi_context, {}, only_61},
    {&metrics::eligible_warps_per_cycle, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_dp, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_dp_add, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_dp_fma, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_dp_mul, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_hp, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_hp_add, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_hp_fma, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_hp_mul, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_sp, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_sp_add, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_sp_fma, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_sp_mul, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_count_sp_special, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_dp_efficiency, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_hp_efficiency, legacy_metric_scope::multi_context, {}},
    {&metrics::flop_sp_efficiency, legacy_metric_scope::multi_context, {}},
    {&metrics::gld_efficiency, legacy_metric_scope::multi_context, {}},
    {&metrics::gld_requested_throughput, legacy_metric_scope::multi_context, formulas::gld_requested_throughput},
    {&metrics::gld_throughput, legacy_metric_scope::multi_context, {}},
    {&metrics::gld_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::gld_transactions_per_request, legacy_metric_scope::multi_context, {}},
    {&metrics::global_atomic_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::global_hit_rate, legacy_metric_scope::multi_context, {}},
    {&metrics::global_load_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::global_reduction_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::global_store_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::gst_efficiency, legacy_metric_scope::multi_context, {}},
    {&metrics::gst_requested_throughput, legacy_metric_scope::multi_context, formulas::gst_requested_throughput},
    {&metrics::gst_throughput, legacy_metric_scope::multi_context, {}},
    {&metrics::gst_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::gst_transactions_per_request, legacy_metric_scope::multi_context, {}},
    {&metrics::half_precision_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_bit_convert, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_compute_ld_st, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_control, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_executed, legacy_metric_scope::multi_context, formulas::inst_executed},
    {&metrics::inst_executed_global_atomics, legacy_metric_scope::multi_context, formulas::inst_executed_global_atomics},
    {&metrics::inst_executed_global_loads, legacy_metric_scope::multi_context, formulas::inst_executed_global_loads},
    {&metrics::inst_executed_global_reductions, legacy_metric_scope::multi_context, formulas::inst_executed_global_reductions},
    {&metrics::inst_executed_global_stores, legacy_metric_scope::multi_context, formulas::inst_executed_global_stores},
    {&metrics::inst_executed_local_loads, legacy_metric_scope::multi_context, formulas::inst_executed_local_loads},
    {&metrics::inst_executed_local_stores, legacy_metric_scope::multi_context, formulas::inst_executed_local_stores},
    {&metrics::inst_executed_shared_atomics, legacy_metric_scope::multi_context, formulas_6x::inst_executed_shared_atomics},
    {&metrics::inst_executed_shared_loads, legacy_metric_scope::multi_context, formulas::inst_executed_shared_loads},
    {&metrics::inst_executed_shared_stores, legacy_metric_scope::multi_context, formulas::inst_executed_shared_stores},
    {&metrics::inst_executed_surface_atomics, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_executed_surface_loads, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_executed_surface_reductions, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_executed_surface_stores, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_executed_tex_ops, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_fp_16, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_fp_32, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_fp_64, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_integer, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_inter_thread_communication, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_issued, legacy_metric_scope::multi_context, formulas::dual_issue::inst_issued},
    {&metrics::inst_misc, legacy_metric_scope::multi_context, {}},
    {&metrics::inst_per_warp, legacy_metric_scope::multi_context, formulas::inst_per_warp},
    {&metrics::inst_replay_overhead, legacy_metric_scope::multi_context, formulas::dual_issue::inst_replay_overhead},
    {&metrics::ipc, legacy_metric_scope::multi_context, formulas::ipc},
    {&metrics::issue_slot_utilization, legacy_metric_scope::multi_context, formulas::dual_issue::issue_slot_utilization},
    {&metrics::issue_slots, legacy_metric_scope::multi_context, formulas::dual_issue::issue_slots},
    {&metrics::issued_ipc, legacy_metric_scope::multi_context, formulas::dual_issue::issued_ipc},
    {&metrics::l2_atomic_throughput, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_atomic_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_global_atomic_store_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_global_load_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_global_reduction_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_local_global_store_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_local_load_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_read_throughput, legacy_metric_scope::multi_context, formulas::two_slices::l2_read_throughput},
    {&metrics::l2_read_transactions, legacy_metric_scope::multi_context, formulas::two_slices::l2_read_transactions},
    {&metrics::l2_surface_atomic_store_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_surface_load_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_surface_reduction_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_surface_store_bytes, legacy_metric_scope::multi_context, {}},
    {&metrics::l2_tex_hit_rate, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_hit_rate},
    {&metrics::l2_tex_read_hit_rate, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_read_hit_rate, only_60_61},
    {&metrics::l2_tex_read_throughput, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_read_throughput},
    {&metrics::l2_tex_read_transactions, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_read_transactions},
    {&metrics::l2_tex_write_hit_rate, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_write_hit_rate, only_60_61},
    {&metrics::l2_tex_write_throughput, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_write_throughput},
    {&metrics::l2_tex_write_transactions, legacy_metric_scope::multi_context, formulas::two_slices::l2_tex_write_transactions},
    {&metrics::l2_utilization, legacy_metric_scope::multi_context, formulas_6x::l2_utilization},
    {&metrics::l2_write_throughput, legacy_metric_scope::multi_context, formulas::two_slices::l2_write_throughput},
    {&metrics::l2_write_transactions, legacy_metric_scope::multi_context, formulas::two_slices::l2_write_transactions},
    {&metrics::ldst_executed, legacy_metric_scope::multi_context, {}},
    {&metrics::ldst_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::ldst_issued, legacy_metric_scope::multi_context, {}},
    {&metrics::local_hit_rate, legacy_metric_scope::multi_context, {}},
    {&metrics::local_load_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::local_load_throughput, legacy_metric_scope::multi_context, {}},
    {&metrics::local_load_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::local_load_transactions_per_request, legacy_metric_scope::multi_context, {}},
    {&metrics::local_memory_overhead, legacy_metric_scope::multi_context, {}},
    {&metrics::local_store_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::local_store_throughput, legacy_metric_scope::multi_context, {}},
    {&metrics::local_store_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::local_store_transactions_per_request, legacy_metric_scope::multi_context, {}},
    {&metrics::nvlink_overhead_data_received, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_overhead_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_receive_throughput, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_total_data_received, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_total_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_total_nratom_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_total_ratom_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_total_response_data_received, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_total_write_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_transmit_throughput, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_user_data_received, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_user_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_user_nratom_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_user_ratom_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_user_response_data_received, legacy_metric_scope::device, {}, only_60},
    {&metrics::nvlink_user_write_data_transmitted, legacy_metric_scope::device, {}, only_60},
    {&metrics::pcie_total_data_received, legacy_metric_scope::device, {}},
    {&metrics::pcie_total_data_transmitted, legacy_metric_scope::device, {}},
    {&metrics::shared_efficiency, legacy_metric_scope::multi_context, {}},
    {&metrics::shared_load_throughput, legacy_metric_scope::multi_context, formulas::shared_load_throughput},
    {&metrics::shared_load_transactions, legacy_metric_scope::multi_context, formulas::shared_load_transactions},
    {&metrics::shared_load_transactions_per_request, legacy_metric_scope::multi_context, formulas::shared_load_transactions_per_request},
    {&metrics::shared_store_throughput, legacy_metric_scope::multi_context, formulas::shared_store_throughput},
    {&metrics::shared_store_transactions, legacy_metric_scope::multi_context, formulas::shared_store_transactions},
    {&metrics::shared_store_transactions_per_request, legacy_metric_scope::multi_context, formulas::shared_store_transactions_per_request},
    {&metrics::shared_utilization, legacy_metric_scope::multi_context, formulas::shared_utilization},
    {&metrics::single_precision_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::sm_efficiency, legacy_metric_scope::multi_context, formulas::sm_efficiency},
    {&metrics::special_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_constant_memory_dependency, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_exec_dependency, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_inst_fetch, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_memory_dependency, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_memory_throttle, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_not_selected, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_other, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_pipe_busy, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_sync, legacy_metric_scope::multi_context, {}},
    {&metrics::stall_texture, legacy_metric_scope::multi_context, {}},
    {&metrics::surface_atomic_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::surface_load_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::surface_reduction_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::surface_store_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::sysmem_read_bytes, legacy_metric_scope::multi_context, formulas::two_slices::sysmem_read_bytes},
    {&metrics::sysmem_read_throughput, legacy_metric_scope::multi_context, formulas::two_slices::sysmem_read_throughput},
    {&metrics::sysmem_read_transactions, legacy_metric_scope::multi_context, formulas::two_slices::sysmem_read_transactions},
    {&metrics::sysmem_read_utilization, legacy_metric_scope::multi_context, {}, only_60_61},
    {&metrics::sysmem_utilization, legacy_metric_scope::multi_context, {}, only_60_61},
    {&metrics::sysmem_write_bytes, legacy_metric_scope::multi_context, formulas::two_slices::sysmem_write_bytes},
    {&metrics::sysmem_write_throughput, legacy_metric_scope::multi_context, formulas::two_slices::sysmem_write_throughput},
    {&metrics::sysmem_write_transactions, legacy_metric_scope::multi_context, formulas::two_slices::sysmem_write_transactions},
    {&metrics::sysmem_write_utilization, legacy_metric_scope::multi_context, {}, only_60_61},
    {&metrics::tex_cache_hit_rate, legacy_metric_scope::multi_context, formulas_6x::tex_cache_hit_rate},
    {&metrics::tex_cache_throughput, legacy_metric_scope::multi_context, {}},
    {&metrics::tex_cache_transactions, legacy_metric_scope::multi_context, {}},
    {&metrics::tex_fu_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::tex_utilization, legacy_metric_scope::multi_context, {}},
    {&metrics::texture_load_requests, legacy_metric_scope::multi_context, {}},
    {&metrics::unique_warps_launched, legacy_metric_scope::multi_context, {}},
    {&metrics::warp_execution_efficiency, legacy_metric_scope::multi_context, formulas::warp_execution_efficiency},
    {&metrics::warp_nonpred_execution_efficiency, legacy_metric_scope::multi_context, formulas::warp_nonpred_execution_efficiency},
};
} // namespace legacy::detail

namespace legacy {
// All 178 metrics of table 5 (CUPTI 12.0, 2.6.1.2). CUPTI leaves out of inst_per_warp what preemption adds.
inline constexpr legacy_metric_set metrics_6x{capability_family::cc_6x, detail::rows_6x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_METRICS_6X_HPP
