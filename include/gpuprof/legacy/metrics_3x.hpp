// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics of capability 3.x and their formulas. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_METRICS_3X_HPP
#define GPUPROF_LEGACY_METRICS_3X_HPP

#include "formulas.hpp"
#include "metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::formulas_3x {
using namespace formulas;

inline constexpr quantity<unit_of(instruction) / unit_of(line)> replay_per_line{1};
inline constexpr quantity<unit_of(byte) / unit_of(wavefront)> bytes_per_pass{256}; // 32 banks of 8 bytes
inline constexpr quantity<unit_of(sector) / unit_of(cycle_gpc)> sectors_per_partition_cycle{8};

inline constexpr auto shared_replay_overhead = percent{100} * (events::shared_load_replay + events::shared_store_replay) / events::inst_executed;
inline constexpr auto global_replay_overhead = percent{100} * (events::global_ld_mem_divergence_replays + events::global_st_mem_divergence_replays) / events::inst_executed;
inline constexpr auto global_cache_replay_overhead = percent{100} * (events::l1_global_load_miss * replay_per_line) / events::inst_executed;
inline constexpr auto local_replay_overhead = percent{100} * ((events::l1_local_load_miss + events::l1_local_store_miss) * replay_per_line) / events::inst_executed;
// For one multiprocessor: evaluate them with the counts of one domain instance.
inline constexpr auto sm_efficiency_instance = sm_efficiency;
inline constexpr auto ipc_instance = ipc;
inline constexpr auto l1_cache_global_hit_rate = percent{100} * events::l1_global_load_hit / (events::l1_global_load_hit + events::l1_global_load_miss);
inline constexpr auto l1_cache_local_hit_rate = percent{100} * (events::l1_local_load_hit + events::l1_local_store_hit) / (events::l1_local_load_hit + events::l1_local_load_miss + events::l1_local_store_hit + events::l1_local_store_miss);
inline constexpr auto local_load_throughput = per_second((events::l1_local_load_hit + events::l1_local_load_miss) * bytes_per_line);
inline constexpr auto shared_load_transactions = expression_of(events::l1_shared_load_transactions);
inline constexpr auto shared_store_transactions = expression_of(events::l1_shared_store_transactions);
inline constexpr auto shared_load_throughput = per_second(events::l1_shared_load_transactions * bytes_per_pass);
inline constexpr auto shared_store_throughput = per_second(events::l1_shared_store_transactions * bytes_per_pass);
inline constexpr auto shared_load_transactions_per_request = events::l1_shared_load_transactions / events::shared_load * instruction_per_request;
inline constexpr auto shared_store_transactions_per_request = events::l1_shared_store_transactions / events::shared_store * instruction_per_request;
inline constexpr auto l2_l1_read_transactions = events::l2_subp0_read_l1_sector_queries + events::l2_subp1_read_l1_sector_queries + events::l2_subp2_read_l1_sector_queries + events::l2_subp3_read_l1_sector_queries;
inline constexpr auto l2_l1_write_transactions = events::l2_subp0_write_l1_sector_queries + events::l2_subp1_write_l1_sector_queries + events::l2_subp2_write_l1_sector_queries + events::l2_subp3_write_l1_sector_queries;
inline constexpr auto l2_l1_read_throughput = per_second(l2_l1_read_transactions * bytes_per_sector);
inline constexpr auto l2_l1_write_throughput = per_second(l2_l1_write_transactions * bytes_per_sector);
inline constexpr auto l2_l1_read_hit_rate = percent{100} * (events::l2_subp0_read_l1_hit_sectors + events::l2_subp1_read_l1_hit_sectors + events::l2_subp2_read_l1_hit_sectors + events::l2_subp3_read_l1_hit_sectors) / l2_l1_read_transactions;
inline constexpr auto l2_texture_read_hit_rate = four_slices::l2_tex_read_hit_rate;
inline constexpr auto l2_texture_read_throughput = four_slices::l2_tex_read_throughput;
inline constexpr auto l2_utilization = level((four_slices::l2_read_transactions + four_slices::l2_write_transactions) * properties::multiprocessor_count / events::elapsed_cycles_sm / properties::frame_buffer_count / sectors_per_partition_cycle);
inline constexpr auto nc_gld_requested_throughput = per_second(events::rocache_gld_inst_8bit * requested::bytes_each<1> + events::rocache_gld_inst_16bit * requested::bytes_each<2> + events::rocache_gld_inst_32bit * requested::bytes_each<4> + events::rocache_gld_inst_64bit * requested::bytes_each<8> + events::rocache_gld_inst_128bit * requested::bytes_each<16>);
inline constexpr auto tex_queries = events::tex0_cache_sector_queries + events::tex1_cache_sector_queries + events::tex2_cache_sector_queries + events::tex3_cache_sector_queries;
inline constexpr auto tex_misses = events::tex0_cache_sector_misses + events::tex1_cache_sector_misses + events::tex2_cache_sector_misses + events::tex3_cache_sector_misses;
inline constexpr auto tex_cache_hit_rate = percent{100} * (tex_queries - tex_misses) / tex_queries;
} // namespace legacy::formulas_3x

namespace legacy::detail {
inline constexpr legacy_metric_row rows_3x[]{
    {&metrics::achieved_occupancy, legacy_metric_scope::unstated, formulas::achieved_occupancy},
    {&metrics::alu_fu_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::atomic_replay_overhead, legacy_metric_scope::unstated, {}},
    {&metrics::branch_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::cf_executed, legacy_metric_scope::unstated, {}},
    {&metrics::cf_fu_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::cf_issued, legacy_metric_scope::unstated, {}},
    {&metrics::dram_read_bytes, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_read_bytes},
    {&metrics::dram_read_throughput, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_read_throughput},
    {&metrics::dram_read_transactions, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_read_transactions},
    {&metrics::dram_utilization, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_utilization},
    {&metrics::dram_write_bytes, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_write_bytes},
    {&metrics::dram_write_throughput, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_write_throughput},
    {&metrics::dram_write_transactions, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_write_transactions},
    {&metrics::ecc_throughput, legacy_metric_scope::unstated, formulas::four_slices::ecc_throughput},
    {&metrics::ecc_transactions, legacy_metric_scope::unstated, formulas::four_slices::ecc_transactions},
    {&metrics::eligible_warps_per_cycle, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_dp, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_dp_add, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_dp_fma, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_dp_mul, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_sp, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_sp_add, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_sp_fma, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_sp_mul, legacy_metric_scope::unstated, {}},
    {&metrics::flop_count_sp_special, legacy_metric_scope::unstated, {}},
    {&metrics::flop_dp_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::flop_sp_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::gld_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::gld_requested_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::gld_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::global_cache_replay_overhead, legacy_metric_scope::unstated, formulas_3x::global_cache_replay_overhead},
    {&metrics::global_replay_overhead, legacy_metric_scope::unstated, formulas_3x::global_replay_overhead},
    {&metrics::gst_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::gst_requested_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::gst_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::inst_bit_convert, legacy_metric_scope::unstated, {}},
    {&metrics::inst_compute_ld_st, legacy_metric_scope::unstated, {}},
    {&metrics::inst_control, legacy_metric_scope::unstated, {}},
    {&metrics::inst_executed, legacy_metric_scope::unstated, formulas::inst_executed},
    {&metrics::inst_fp_32, legacy_metric_scope::unstated, {}},
    {&metrics::inst_fp_64, legacy_metric_scope::unstated, {}},
    {&metrics::inst_integer, legacy_metric_scope::unstated, {}},
    {&metrics::inst_inter_thread_communication, legacy_metric_scope::unstated, {}},
    {&metrics::inst_issued, legacy_metric_scope::unstated, formulas::dual_issue::inst_issued},
    {&metrics::inst_misc, legacy_metric_scope::unstated, {}},
    {&metrics::inst_per_warp, legacy_metric_scope::unstated, formulas::inst_per_warp},
    {&metrics::inst_replay_overhead, legacy_metric_scope::unstated, formulas::dual_issue::inst_replay_overhead},
    {&metrics::ipc, legacy_metric_scope::unstated, formulas::ipc},
    {&metrics::ipc_instance, legacy_metric_scope::unstated, formulas_3x::ipc_instance},
    {&metrics::issue_slot_utilization, legacy_metric_scope::unstated, formulas::dual_issue::issue_slot_utilization},
    {&metrics::issue_slots, legacy_metric_scope::unstated, formulas::dual_issue::issue_slots},
    {&metrics::issued_ipc, legacy_metric_scope::unstated, formulas::dual_issue::issued_ipc},
    {&metrics::l1_cache_global_hit_rate, legacy_metric_scope::unstated, formulas_3x::l1_cache_global_hit_rate},
    {&metrics::l1_cache_local_hit_rate, legacy_metric_scope::unstated, formulas_3x::l1_cache_local_hit_rate},
    {&metrics::l1_shared_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::l2_atomic_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::l2_atomic_transactions, legacy_metric_scope::unstated, {}},
    {&metrics::l2_l1_read_hit_rate, legacy_metric_scope::unstated, formulas_3x::l2_l1_read_hit_rate},
    {&metrics::l2_l1_read_throughput, legacy_metric_scope::unstated, formulas_3x::l2_l1_read_throughput},
    {&metrics::l2_l1_read_transactions, legacy_metric_scope::unstated, formulas_3x::l2_l1_read_transactions},
    {&metrics::l2_l1_write_throughput, legacy_metric_scope::unstated, formulas_3x::l2_l1_write_throughput},
    {&metrics::l2_l1_write_transactions, legacy_metric_scope::unstated, formulas_3x::l2_l1_write_transactions},
    {&metrics::l2_read_throughput, legacy_metric_scope::unstated, formulas::four_slices::l2_read_throughput},
    {&metrics::l2_read_transactions, legacy_metric_scope::unstated, formulas::four_slices::l2_read_transactions},
    {&metrics::l2_tex_read_hit_rate, legacy_metric_scope::unstated, formulas::four_slices::l2_tex_read_hit_rate},
    {&metrics::l2_tex_read_throughput, legacy_metric_scope::unstated, formulas::four_slices::l2_tex_read_throughput},
    {&metrics::l2_tex_read_transactions, legacy_metric_scope::unstated, formulas::four_slices::l2_tex_read_transactions},
    {&metrics::l2_texture_read_hit_rate, legacy_metric_scope::unstated, formulas_3x::l2_texture_read_hit_rate},
    {&metrics::l2_texture_read_throughput, legacy_metric_scope::unstated, formulas_3x::l2_texture_read_throughput},
    {&metrics::l2_utilization, legacy_metric_scope::unstated, formulas_3x::l2_utilization},
    {&metrics::l2_write_throughput, legacy_metric_scope::unstated, formulas::four_slices::l2_write_throughput},
    {&metrics::l2_write_transactions, legacy_metric_scope::unstated, formulas::four_slices::l2_write_transactions},
    {&metrics::ldst_executed, legacy_metric_scope::unstated, {}},
    {&metrics::ldst_fu_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::ldst_issued, legacy_metric_scope::unstated, {}},
    {&metrics::local_load_throughput, legacy_metric_scope::unstated, formulas_3x::local_load_throughput},
    {&metrics::local_memory_overhead, legacy_metric_scope::unstated, {}},
    {&metrics::local_replay_overhead, legacy_metric_scope::unstated, formulas_3x::local_replay_overhead},
    {&metrics::local_store_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::nc_cache_global_hit_rate, legacy_metric_scope::unstated, {}},
    {&metrics::nc_gld_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::nc_gld_requested_throughput, legacy_metric_scope::unstated, formulas_3x::nc_gld_requested_throughput},
    {&metrics::nc_gld_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::nc_l2_read_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::nc_l2_read_transactions, legacy_metric_scope::unstated, {}},
    {&metrics::shared_efficiency, legacy_metric_scope::unstated, {}},
    {&metrics::shared_load_throughput, legacy_metric_scope::unstated, formulas_3x::shared_load_throughput},
    {&metrics::shared_load_transactions, legacy_metric_scope::unstated, formulas_3x::shared_load_transactions},
    {&metrics::shared_load_transactions_per_request, legacy_metric_scope::unstated, formulas_3x::shared_load_transactions_per_request},
    {&metrics::shared_replay_overhead, legacy_metric_scope::unstated, formulas_3x::shared_replay_overhead},
    {&metrics::shared_store_throughput, legacy_metric_scope::unstated, formulas_3x::shared_store_throughput},
    {&metrics::shared_store_transactions, legacy_metric_scope::unstated, formulas_3x::shared_store_transactions},
    {&metrics::shared_store_transactions_per_request, legacy_metric_scope::unstated, formulas_3x::shared_store_transactions_per_request},
    {&metrics::sm_efficiency, legacy_metric_scope::unstated, formulas::sm_efficiency},
    {&metrics::sm_efficiency_instance, legacy_metric_scope::unstated, formulas_3x::sm_efficiency_instance},
    {&metrics::stall_constant_memory_dependency, legacy_metric_scope::unstated, {}},
    {&metrics::stall_exec_dependency, legacy_metric_scope::unstated, {}},
    {&metrics::stall_inst_fetch, legacy_metric_scope::unstated, {}},
    {&metrics::stall_memory_dependency, legacy_metric_scope::unstated, {}},
    {&metrics::stall_memory_throttle, legacy_metric_scope::unstated, {}},
    {&metrics::stall_not_selected, legacy_metric_scope::unstated, {}},
    {&metrics::stall_other, legacy_metric_scope::unstated, {}},
    {&metrics::stall_pipe_busy, legacy_metric_scope::unstated, {}},
    {&metrics::stall_sync, legacy_metric_scope::unstated, {}},
    {&metrics::stall_texture, legacy_metric_scope::unstated, {}},
    {&metrics::sysmem_read_bytes, legacy_metric_scope::unstated, formulas::four_slices::sysmem_read_bytes},
    {&metrics::sysmem_read_throughput, legacy_metric_scope::unstated, formulas::four_slices::sysmem_read_throughput},
    {&metrics::sysmem_read_transactions, legacy_metric_scope::unstated, formulas::four_slices::sysmem_read_transactions},
    {&metrics::sysmem_read_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::sysmem_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::sysmem_write_bytes, legacy_metric_scope::unstated, formulas::four_slices::sysmem_write_bytes},
    {&metrics::sysmem_write_throughput, legacy_metric_scope::unstated, formulas::four_slices::sysmem_write_throughput},
    {&metrics::sysmem_write_transactions, legacy_metric_scope::unstated, formulas::four_slices::sysmem_write_transactions},
    {&metrics::sysmem_write_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::tex_cache_hit_rate, legacy_metric_scope::unstated, formulas_3x::tex_cache_hit_rate},
    {&metrics::tex_cache_throughput, legacy_metric_scope::unstated, {}},
    {&metrics::tex_cache_transactions, legacy_metric_scope::unstated, {}},
    {&metrics::tex_fu_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::tex_utilization, legacy_metric_scope::unstated, {}},
    {&metrics::warp_execution_efficiency, legacy_metric_scope::unstated, formulas::warp_execution_efficiency},
    {&metrics::warp_nonpred_execution_efficiency, legacy_metric_scope::unstated, formulas::warp_nonpred_execution_efficiency},
};
} // namespace legacy::detail

namespace legacy {
// As CUPTI 11.8 lists them for capability 3.5, in alphabetical order. Left out are the transactions of global and local
// accesses (gld_transactions and the like): 3.x counts accesses of 32 to 128 bytes there, later capabilities sectors, and a
// name has one unit. No document at hand states scopes.
inline constexpr legacy_metric_set metrics_3x{capability_family::cc_3x, detail::rows_3x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_METRICS_3X_HPP
