// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every metric of the event hardware by name.
// clang-format off
#ifndef GPUPROF_LEGACY_METRICS_HPP
#define GPUPROF_LEGACY_METRICS_HPP

#include "legacy_metric.hpp"

GPUPROF_NAMESPACE_BEGIN

// The metrics of all families (CUPTI 12.0, tables 4 to 7, the capability-2.x formulas, and what CUPTI 11.8 lists for 3.x).
// Sorted by name.
namespace legacy::metrics {
using enum dimension;
using category = legacy_metric_category;

inline constexpr unit byte_rate = unit_of(byte) / unit_of(second);
inline constexpr unit instruction_rate = unit_of(instruction) / unit_of(cycle_gpc);

inline constexpr legacy_metric_descriptor achieved_occupancy{"achieved_occupancy", percent_unit, one, category::multiprocessor, "Resident warps per active cycle, of the most that a multiprocessor can hold."};
inline constexpr legacy_metric_descriptor alu_fu_utilization{"alu_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the integer and single-precision units were."};
inline constexpr legacy_metric_descriptor atomic_replay_overhead{"atomic_replay_overhead", percent_unit, one, category::instruction, "Replays for atomics and reductions, of the instructions executed."};
inline constexpr legacy_metric_descriptor atomic_transactions{"atomic_transactions", unit_of(tag), unit_of(tag), category::memory, "Transactions of global atomics and reductions."};
inline constexpr legacy_metric_descriptor atomic_transactions_per_request{"atomic_transactions_per_request", unit_of(tag) / unit_of(request), unit_of(tag) / unit_of(request), category::memory, "Transactions, as in atomic_transactions, that a global atomic or reduction took on average."};
inline constexpr legacy_metric_descriptor branch_efficiency{"branch_efficiency", percent_unit, percent_unit, category::instruction, "Branches whose threads stayed together, of all branches; on 7.0 branches, over branches plus divergent ones."};
inline constexpr legacy_metric_descriptor cf_executed{"cf_executed", unit_of(instruction), unit_of(instruction), category::instruction, "Control-flow instructions executed."};
inline constexpr legacy_metric_descriptor cf_fu_utilization{"cf_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the control-flow units were."};
inline constexpr legacy_metric_descriptor cf_issued{"cf_issued", unit_of(instruction), unit_of(instruction), category::instruction, "Control-flow instructions issued."};
inline constexpr legacy_metric_descriptor double_precision_fu_utilization{"double_precision_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the double-precision units were."};
inline constexpr legacy_metric_descriptor dram_read_bytes{"dram_read_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes read from device memory."};
inline constexpr legacy_metric_descriptor dram_read_throughput{"dram_read_throughput", byte_rate, byte_rate, category::memory, "Bytes read from device memory in a second."};
inline constexpr legacy_metric_descriptor dram_read_transactions{"dram_read_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors read from device memory."};
inline constexpr legacy_metric_descriptor dram_utilization{"dram_utilization", tenth_unit, tenth_unit, category::memory, "How busy device memory was."};
inline constexpr legacy_metric_descriptor dram_write_bytes{"dram_write_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes written to device memory."};
inline constexpr legacy_metric_descriptor dram_write_throughput{"dram_write_throughput", byte_rate, byte_rate, category::memory, "Bytes written to device memory in a second."};
inline constexpr legacy_metric_descriptor dram_write_transactions{"dram_write_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors written to device memory."};
inline constexpr legacy_metric_descriptor ecc_throughput{"ecc_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that error correction adds between L2 and device memory."};
inline constexpr legacy_metric_descriptor ecc_transactions{"ecc_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors that error correction adds between L2 and device memory."};
inline constexpr legacy_metric_descriptor eligible_warps_per_cycle{"eligible_warps_per_cycle", unit_of(warp), unit_of(warp), category::multiprocessor, "Warps ready to issue, per active cycle of a multiprocessor."};
inline constexpr legacy_metric_descriptor flop_count_dp{"flop_count_dp", unit_of(operation), unit_of(operation), category::instruction, "Double-precision operations of unpredicated threads; a fused multiply-add is two."};
inline constexpr legacy_metric_descriptor flop_count_dp_add{"flop_count_dp_add", unit_of(operation), unit_of(operation), category::instruction, "Double-precision additions of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_count_dp_fma{"flop_count_dp_fma", unit_of(operation), unit_of(operation), category::instruction, "Double-precision fused multiply-adds of unpredicated threads, each counted once."};
inline constexpr legacy_metric_descriptor flop_count_dp_mul{"flop_count_dp_mul", unit_of(operation), unit_of(operation), category::instruction, "Double-precision multiplications of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_count_hp{"flop_count_hp", unit_of(operation), unit_of(operation), category::instruction, "Half-precision operations of unpredicated threads; a fused multiply-add is two, on 7.0 two or four by the number of inputs."};
inline constexpr legacy_metric_descriptor flop_count_hp_add{"flop_count_hp_add", unit_of(operation), unit_of(operation), category::instruction, "Half-precision additions of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_count_hp_fma{"flop_count_hp_fma", unit_of(operation), unit_of(operation), category::instruction, "Half-precision fused multiply-adds of unpredicated threads, each counted once; on 7.0 two or four by the number of inputs."};
inline constexpr legacy_metric_descriptor flop_count_hp_mul{"flop_count_hp_mul", unit_of(operation), unit_of(operation), category::instruction, "Half-precision multiplications of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_count_sp{"flop_count_sp", unit_of(operation), unit_of(operation), category::instruction, "Single-precision operations of unpredicated threads; a fused multiply-add is two, special functions none."};
inline constexpr legacy_metric_descriptor flop_count_sp_add{"flop_count_sp_add", unit_of(operation), unit_of(operation), category::instruction, "Single-precision additions of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_count_sp_fma{"flop_count_sp_fma", unit_of(operation), unit_of(operation), category::instruction, "Single-precision fused multiply-adds of unpredicated threads, each counted once."};
inline constexpr legacy_metric_descriptor flop_count_sp_mul{"flop_count_sp_mul", unit_of(operation), unit_of(operation), category::instruction, "Single-precision multiplications of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_count_sp_special{"flop_count_sp_special", unit_of(operation), unit_of(operation), category::instruction, "Single-precision special functions of unpredicated threads."};
inline constexpr legacy_metric_descriptor flop_dp_efficiency{"flop_dp_efficiency", percent_unit, percent_unit, category::instruction, "Double-precision operations, of the most that is possible."};
inline constexpr legacy_metric_descriptor flop_hp_efficiency{"flop_hp_efficiency", percent_unit, percent_unit, category::instruction, "Half-precision operations, of the most that is possible."};
inline constexpr legacy_metric_descriptor flop_sp_efficiency{"flop_sp_efficiency", percent_unit, percent_unit, category::instruction, "Single-precision operations, of the most that is possible."};
inline constexpr legacy_metric_descriptor gld_efficiency{"gld_efficiency", percent_unit, percent_unit, category::memory, "Bytes that global loads asked for, of the bytes moved for them."};
inline constexpr legacy_metric_descriptor gld_requested_throughput{"gld_requested_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that global loads asked for."};
inline constexpr legacy_metric_descriptor gld_throughput{"gld_throughput", byte_rate, byte_rate, category::memory, "Bytes a second moved for global loads."};
inline constexpr legacy_metric_descriptor gld_transactions{"gld_transactions", unit_of(sector), unit_of(sector), category::memory, "Transactions of global loads: sectors; on 2.x and 3.x lines of 128 bytes, too, where they go through L1."};
inline constexpr legacy_metric_descriptor gld_transactions_per_request{"gld_transactions_per_request", unit_of(sector) / unit_of(request), unit_of(sector) / unit_of(request), category::memory, "Transactions that a global load took on average."};
inline constexpr legacy_metric_descriptor global_atomic_requests{"global_atomic_requests", unit_of(request), unit_of(request), category::memory, "Global atomics from multiprocessors."};
inline constexpr legacy_metric_descriptor global_cache_replay_overhead{"global_cache_replay_overhead", percent_unit, one, category::instruction, "Replays for misses of global loads, of the instructions issued (2.x) or executed."};
inline constexpr legacy_metric_descriptor global_hit_rate{"global_hit_rate", percent_unit, percent_unit, category::cache, "Hits of global accesses in the unified cache: loads; from 7.0 on stores too. On 5.x and 6.x possibly wrong if a kernel uses malloc."};
inline constexpr legacy_metric_descriptor global_load_requests{"global_load_requests", unit_of(request), unit_of(request), category::memory, "Global loads from multiprocessors."};
inline constexpr legacy_metric_descriptor global_reduction_requests{"global_reduction_requests", unit_of(request), unit_of(request), category::memory, "Global reductions from multiprocessors."};
inline constexpr legacy_metric_descriptor global_replay_overhead{"global_replay_overhead", percent_unit, one, category::instruction, "Replays for global accesses of several lines, of the instructions executed."};
inline constexpr legacy_metric_descriptor global_store_requests{"global_store_requests", unit_of(request), unit_of(request), category::memory, "Global stores from multiprocessors, less atomics."};
inline constexpr legacy_metric_descriptor gst_efficiency{"gst_efficiency", percent_unit, percent_unit, category::memory, "Bytes that global stores asked for, of the bytes moved for them."};
inline constexpr legacy_metric_descriptor gst_requested_throughput{"gst_requested_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that global stores asked for."};
inline constexpr legacy_metric_descriptor gst_throughput{"gst_throughput", byte_rate, byte_rate, category::memory, "Bytes a second moved for global stores."};
inline constexpr legacy_metric_descriptor gst_transactions{"gst_transactions", unit_of(sector), unit_of(sector), category::memory, "Transactions of global stores."};
inline constexpr legacy_metric_descriptor gst_transactions_per_request{"gst_transactions_per_request", unit_of(sector) / unit_of(request), unit_of(sector) / unit_of(request), category::memory, "Transactions that a global store took on average."};
inline constexpr legacy_metric_descriptor half_precision_fu_utilization{"half_precision_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the units for half precision were, less tensor cores; on 5.3 integers count too."};
inline constexpr legacy_metric_descriptor inst_bit_convert{"inst_bit_convert", unit_of(instruction), unit_of(instruction), category::instruction, "Conversions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_compute_ld_st{"inst_compute_ld_st", unit_of(instruction), unit_of(instruction), category::instruction, "Loads and stores executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_control{"inst_control", unit_of(instruction), unit_of(instruction), category::instruction, "Control-flow instructions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_executed{"inst_executed", unit_of(instruction), unit_of(instruction), category::instruction, "Warp instructions executed."};
inline constexpr legacy_metric_descriptor inst_executed_global_atomics{"inst_executed_global_atomics", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: global atomics."};
inline constexpr legacy_metric_descriptor inst_executed_global_loads{"inst_executed_global_loads", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: global loads."};
inline constexpr legacy_metric_descriptor inst_executed_global_reductions{"inst_executed_global_reductions", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: global reductions."};
inline constexpr legacy_metric_descriptor inst_executed_global_stores{"inst_executed_global_stores", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: global stores."};
inline constexpr legacy_metric_descriptor inst_executed_local_loads{"inst_executed_local_loads", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: local loads."};
inline constexpr legacy_metric_descriptor inst_executed_local_stores{"inst_executed_local_stores", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: local stores."};
inline constexpr legacy_metric_descriptor inst_executed_shared_atomics{"inst_executed_shared_atomics", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: shared atomics."};
inline constexpr legacy_metric_descriptor inst_executed_shared_loads{"inst_executed_shared_loads", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: shared loads."};
inline constexpr legacy_metric_descriptor inst_executed_shared_stores{"inst_executed_shared_stores", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: shared stores."};
inline constexpr legacy_metric_descriptor inst_executed_surface_atomics{"inst_executed_surface_atomics", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: surface atomics."};
inline constexpr legacy_metric_descriptor inst_executed_surface_loads{"inst_executed_surface_loads", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: surface loads."};
inline constexpr legacy_metric_descriptor inst_executed_surface_reductions{"inst_executed_surface_reductions", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: surface reductions."};
inline constexpr legacy_metric_descriptor inst_executed_surface_stores{"inst_executed_surface_stores", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: surface stores."};
inline constexpr legacy_metric_descriptor inst_executed_tex_ops{"inst_executed_tex_ops", unit_of(instruction), unit_of(instruction), category::memory, "Warp instructions: texture fetches."};
inline constexpr legacy_metric_descriptor inst_fp_16{"inst_fp_16", unit_of(instruction), unit_of(instruction), category::instruction, "Half-precision instructions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_fp_32{"inst_fp_32", unit_of(instruction), unit_of(instruction), category::instruction, "Single-precision instructions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_fp_64{"inst_fp_64", unit_of(instruction), unit_of(instruction), category::instruction, "Double-precision instructions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_integer{"inst_integer", unit_of(instruction), unit_of(instruction), category::instruction, "Integer instructions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_inter_thread_communication{"inst_inter_thread_communication", unit_of(instruction), unit_of(instruction), category::instruction, "Instructions between threads executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_issued{"inst_issued", unit_of(instruction), unit_of(instruction), category::instruction, "Warp instructions issued, replays included."};
inline constexpr legacy_metric_descriptor inst_misc{"inst_misc", unit_of(instruction), unit_of(instruction), category::instruction, "Other instructions executed by unpredicated threads."};
inline constexpr legacy_metric_descriptor inst_per_warp{"inst_per_warp", unit_of(instruction) / unit_of(warp), unit_of(instruction) / unit_of(warp), category::instruction, "Instructions that a warp executed on average."};
inline constexpr legacy_metric_descriptor inst_replay_overhead{"inst_replay_overhead", percent_unit, one, category::instruction, "Replays for each instruction issued (2.x) or executed, as a percentage."};
inline constexpr legacy_metric_descriptor ipc{"ipc", instruction_rate, instruction_rate, category::instruction, "Instructions executed per cycle of a multiprocessor: elapsed (2.x) or active."};
inline constexpr legacy_metric_descriptor ipc_instance{"ipc_instance", instruction_rate, instruction_rate, category::instruction, "ipc of a single multiprocessor: the mean over those profiled, or of one of them."};
inline constexpr legacy_metric_descriptor issue_slot_utilization{"issue_slot_utilization", percent_unit, percent_unit, category::instruction, "Issue slots that issued at least one instruction, of all in all cycles with an active warp."};
inline constexpr legacy_metric_descriptor issue_slots{"issue_slots", unit_of(instruction), unit_of(instruction), category::instruction, "Issue slots that issued."};
inline constexpr legacy_metric_descriptor issued_ipc{"issued_ipc", instruction_rate, instruction_rate, category::instruction, "Instructions issued per active cycle of a multiprocessor."};
inline constexpr legacy_metric_descriptor l1_cache_global_hit_rate{"l1_cache_global_hit_rate", percent_unit, percent_unit, category::cache, "Hits of global loads in L1."};
inline constexpr legacy_metric_descriptor l1_cache_local_hit_rate{"l1_cache_local_hit_rate", percent_unit, percent_unit, category::cache, "Hits of local loads and stores in L1."};
inline constexpr legacy_metric_descriptor l1_shared_utilization{"l1_shared_utilization", tenth_unit, tenth_unit, category::cache, "How busy L1 and shared memory were."};
inline constexpr legacy_metric_descriptor l1_sm_lg_utilization{"l1_sm_lg_utilization", tenth_unit, tenth_unit, category::cache, "How busy the path from L1 to the multiprocessor was with local and global data."};
inline constexpr legacy_metric_descriptor l2_atomic_throughput{"l2_atomic_throughput", byte_rate, byte_rate, category::cache, "Bytes a second that atomics and reductions read from L2."};
inline constexpr legacy_metric_descriptor l2_atomic_transactions{"l2_atomic_transactions", unit_of(sector), unit_of(sector), category::cache, "Sectors that atomics and reductions read from L2."};
inline constexpr legacy_metric_descriptor l2_global_atomic_store_bytes{"l2_global_atomic_store_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes that global atomics wrote to L2."};
inline constexpr legacy_metric_descriptor l2_global_load_bytes{"l2_global_load_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes read from L2 for global loads that missed."};
inline constexpr legacy_metric_descriptor l2_global_reduction_bytes{"l2_global_reduction_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes that global reductions wrote to L2."};
inline constexpr legacy_metric_descriptor l2_l1_read_hit_rate{"l2_l1_read_hit_rate", percent_unit, percent_unit, category::cache, "Hits in L2 of reads by L1."};
inline constexpr legacy_metric_descriptor l2_l1_read_throughput{"l2_l1_read_throughput", byte_rate, byte_rate, category::cache, "Bytes a second that L1 read from L2."};
inline constexpr legacy_metric_descriptor l2_l1_read_transactions{"l2_l1_read_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors that L1 read from L2."};
inline constexpr legacy_metric_descriptor l2_l1_write_throughput{"l2_l1_write_throughput", byte_rate, byte_rate, category::cache, "Bytes a second that L1 wrote to L2."};
inline constexpr legacy_metric_descriptor l2_l1_write_transactions{"l2_l1_write_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors that L1 wrote to L2."};
inline constexpr legacy_metric_descriptor l2_local_global_store_bytes{"l2_local_global_store_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes that local and global stores wrote to L2, less atomics."};
inline constexpr legacy_metric_descriptor l2_local_load_bytes{"l2_local_load_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes read from L2 for local loads that missed."};
inline constexpr legacy_metric_descriptor l2_read_throughput{"l2_read_throughput", byte_rate, byte_rate, category::cache, "Bytes a second read from L2, whoever asked."};
inline constexpr legacy_metric_descriptor l2_read_transactions{"l2_read_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors read from L2, whoever asked."};
inline constexpr legacy_metric_descriptor l2_surface_atomic_store_bytes{"l2_surface_atomic_store_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes between the unified cache and L2 for surface atomics."};
inline constexpr legacy_metric_descriptor l2_surface_load_bytes{"l2_surface_load_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes read from L2 for surface loads that missed."};
inline constexpr legacy_metric_descriptor l2_surface_reduction_bytes{"l2_surface_reduction_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes that surface reductions wrote to L2."};
inline constexpr legacy_metric_descriptor l2_surface_store_bytes{"l2_surface_store_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes that surface stores wrote to L2, less atomics; the table of 7.0 says read from L2."};
inline constexpr legacy_metric_descriptor l2_tex_hit_rate{"l2_tex_hit_rate", percent_unit, percent_unit, category::cache, "Hits in L2 of all requests by the texture (unified) cache."};
inline constexpr legacy_metric_descriptor l2_tex_read_hit_rate{"l2_tex_read_hit_rate", percent_unit, percent_unit, category::cache, "Hits in L2 of reads by the texture (unified) cache."};
inline constexpr legacy_metric_descriptor l2_tex_read_throughput{"l2_tex_read_throughput", byte_rate, byte_rate, category::cache, "Bytes a second that the texture (unified) cache read from L2."};
inline constexpr legacy_metric_descriptor l2_tex_read_transactions{"l2_tex_read_transactions", unit_of(sector), unit_of(sector), category::cache, "Sectors that the texture (unified) cache read from L2."};
inline constexpr legacy_metric_descriptor l2_tex_write_hit_rate{"l2_tex_write_hit_rate", percent_unit, percent_unit, category::cache, "Hits in L2 of writes by the texture (unified) cache."};
inline constexpr legacy_metric_descriptor l2_tex_write_throughput{"l2_tex_write_throughput", byte_rate, byte_rate, category::cache, "Bytes a second that the texture (unified) cache wrote to L2."};
inline constexpr legacy_metric_descriptor l2_tex_write_transactions{"l2_tex_write_transactions", unit_of(sector), unit_of(sector), category::cache, "Sectors that the texture (unified) cache wrote to L2."};
inline constexpr legacy_metric_descriptor l2_texture_read_hit_rate{"l2_texture_read_hit_rate", percent_unit, percent_unit, category::cache, "l2_tex_read_hit_rate as capability 3.x calls it."};
inline constexpr legacy_metric_descriptor l2_texture_read_throughput{"l2_texture_read_throughput", byte_rate, byte_rate, category::cache, "l2_tex_read_throughput as capability 3.x calls it."};
inline constexpr legacy_metric_descriptor l2_utilization{"l2_utilization", tenth_unit, tenth_unit, category::cache, "How busy L2 was."};
inline constexpr legacy_metric_descriptor l2_write_throughput{"l2_write_throughput", byte_rate, byte_rate, category::cache, "Bytes a second written to L2, whoever asked."};
inline constexpr legacy_metric_descriptor l2_write_transactions{"l2_write_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors written to L2, whoever asked."};
inline constexpr legacy_metric_descriptor ldst_executed{"ldst_executed", unit_of(instruction), unit_of(instruction), category::instruction, "Loads and stores of local, global, shared and texture memory executed."};
inline constexpr legacy_metric_descriptor ldst_fu_utilization{"ldst_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the units for shared and constant accesses were."};
inline constexpr legacy_metric_descriptor ldst_issued{"ldst_issued", unit_of(instruction), unit_of(instruction), category::instruction, "Loads and stores of local, global, shared and texture memory issued."};
inline constexpr legacy_metric_descriptor local_hit_rate{"local_hit_rate", percent_unit, percent_unit, category::cache, "Hits of local loads and stores."};
inline constexpr legacy_metric_descriptor local_load_requests{"local_load_requests", unit_of(request), unit_of(request), category::memory, "Local loads from multiprocessors."};
inline constexpr legacy_metric_descriptor local_load_throughput{"local_load_throughput", byte_rate, byte_rate, category::memory, "Bytes a second moved for local loads."};
inline constexpr legacy_metric_descriptor local_load_transactions{"local_load_transactions", unit_of(sector), unit_of(sector), category::memory, "Transactions of local loads."};
inline constexpr legacy_metric_descriptor local_load_transactions_per_request{"local_load_transactions_per_request", unit_of(sector) / unit_of(request), unit_of(sector) / unit_of(request), category::memory, "Transactions that a local load took on average."};
inline constexpr legacy_metric_descriptor local_memory_overhead{"local_memory_overhead", percent_unit, percent_unit, category::memory, "Traffic for local memory, of all traffic between L1 and L2."};
inline constexpr legacy_metric_descriptor local_replay_overhead{"local_replay_overhead", percent_unit, one, category::instruction, "Replays for misses of local accesses, of the instructions issued (2.x) or executed."};
inline constexpr legacy_metric_descriptor local_store_requests{"local_store_requests", unit_of(request), unit_of(request), category::memory, "Local stores from multiprocessors."};
inline constexpr legacy_metric_descriptor local_store_throughput{"local_store_throughput", byte_rate, byte_rate, category::memory, "Bytes a second moved for local stores."};
inline constexpr legacy_metric_descriptor local_store_transactions{"local_store_transactions", unit_of(sector), unit_of(sector), category::memory, "Transactions of local stores."};
inline constexpr legacy_metric_descriptor local_store_transactions_per_request{"local_store_transactions_per_request", unit_of(sector) / unit_of(request), unit_of(sector) / unit_of(request), category::memory, "Transactions that a local store took on average."};
inline constexpr legacy_metric_descriptor nc_cache_global_hit_rate{"nc_cache_global_hit_rate", percent_unit, percent_unit, category::cache, "Hits of global loads in the read-only cache."};
inline constexpr legacy_metric_descriptor nc_gld_efficiency{"nc_gld_efficiency", percent_unit, percent_unit, category::memory, "Bytes that loads through the read-only cache asked for, of the bytes moved for them."};
inline constexpr legacy_metric_descriptor nc_gld_requested_throughput{"nc_gld_requested_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that loads through the read-only cache asked for."};
inline constexpr legacy_metric_descriptor nc_gld_throughput{"nc_gld_throughput", byte_rate, byte_rate, category::memory, "Bytes a second moved for loads through the read-only cache."};
inline constexpr legacy_metric_descriptor nc_l2_read_throughput{"nc_l2_read_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that the read-only cache read from L2."};
inline constexpr legacy_metric_descriptor nc_l2_read_transactions{"nc_l2_read_transactions", unit_of(sector), unit_of(sector), category::cache, "Sectors that the read-only cache read from L2."};
inline constexpr legacy_metric_descriptor nvlink_data_receive_efficiency{"nvlink_data_receive_efficiency", percent_unit, percent_unit, category::nvlink, "User data, of all data received over NVLink."};
inline constexpr legacy_metric_descriptor nvlink_data_transmission_efficiency{"nvlink_data_transmission_efficiency", percent_unit, percent_unit, category::nvlink, "User data, of all data sent over NVLink."};
inline constexpr legacy_metric_descriptor nvlink_overhead_data_received{"nvlink_overhead_data_received", percent_unit, percent_unit, category::nvlink, "Overhead, of all data received over NVLink."};
inline constexpr legacy_metric_descriptor nvlink_overhead_data_transmitted{"nvlink_overhead_data_transmitted", percent_unit, percent_unit, category::nvlink, "Overhead, of all data sent over NVLink."};
inline constexpr legacy_metric_descriptor nvlink_receive_throughput{"nvlink_receive_throughput", byte_rate, byte_rate, category::nvlink, "Bytes received over NVLink in a second."};
inline constexpr legacy_metric_descriptor nvlink_total_data_received{"nvlink_total_data_received", unit_of(byte), unit_of(byte), category::nvlink, "Bytes received over NVLink, headers included."};
inline constexpr legacy_metric_descriptor nvlink_total_data_transmitted{"nvlink_total_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "Bytes sent over NVLink, headers included."};
inline constexpr legacy_metric_descriptor nvlink_total_nratom_data_transmitted{"nvlink_total_nratom_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "Bytes sent over NVLink for atomics that return a value."};
inline constexpr legacy_metric_descriptor nvlink_total_ratom_data_transmitted{"nvlink_total_ratom_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "Bytes sent over NVLink for reductions."};
inline constexpr legacy_metric_descriptor nvlink_total_response_data_received{"nvlink_total_response_data_received", unit_of(byte), unit_of(byte), category::nvlink, "Bytes received over NVLink in answer to reads and atomics."};
inline constexpr legacy_metric_descriptor nvlink_total_write_data_transmitted{"nvlink_total_write_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "Bytes sent over NVLink for writes."};
inline constexpr legacy_metric_descriptor nvlink_transmit_throughput{"nvlink_transmit_throughput", byte_rate, byte_rate, category::nvlink, "Bytes sent over NVLink in a second."};
inline constexpr legacy_metric_descriptor nvlink_user_data_received{"nvlink_user_data_received", unit_of(byte), unit_of(byte), category::nvlink, "Bytes received over NVLink, less headers."};
inline constexpr legacy_metric_descriptor nvlink_user_data_transmitted{"nvlink_user_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "Bytes sent over NVLink, less headers."};
inline constexpr legacy_metric_descriptor nvlink_user_nratom_data_transmitted{"nvlink_user_nratom_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "User bytes sent over NVLink for atomics that return a value."};
inline constexpr legacy_metric_descriptor nvlink_user_ratom_data_transmitted{"nvlink_user_ratom_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "User bytes sent over NVLink for reductions."};
inline constexpr legacy_metric_descriptor nvlink_user_response_data_received{"nvlink_user_response_data_received", unit_of(byte), unit_of(byte), category::nvlink, "User bytes received over NVLink in answer to reads and atomics."};
inline constexpr legacy_metric_descriptor nvlink_user_write_data_transmitted{"nvlink_user_write_data_transmitted", unit_of(byte), unit_of(byte), category::nvlink, "Bytes sent over NVLink for writes, less headers."};
inline constexpr legacy_metric_descriptor pcie_total_data_received{"pcie_total_data_received", unit_of(byte), unit_of(byte), category::pcie, "Bytes received over PCIe."};
inline constexpr legacy_metric_descriptor pcie_total_data_transmitted{"pcie_total_data_transmitted", unit_of(byte), unit_of(byte), category::pcie, "Bytes sent over PCIe."};
inline constexpr legacy_metric_descriptor shared_efficiency{"shared_efficiency", percent_unit, percent_unit, category::memory, "Bytes asked of shared memory, of the bytes that its accesses could have moved."};
inline constexpr legacy_metric_descriptor shared_load_throughput{"shared_load_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that shared loads could have moved."};
inline constexpr legacy_metric_descriptor shared_load_transactions{"shared_load_transactions", unit_of(wavefront), unit_of(wavefront), category::memory, "Passes through shared memory that loads took."};
inline constexpr legacy_metric_descriptor shared_load_transactions_per_request{"shared_load_transactions_per_request", unit_of(wavefront) / unit_of(request), unit_of(wavefront) / unit_of(request), category::memory, "Passes that a shared load took on average."};
inline constexpr legacy_metric_descriptor shared_replay_overhead{"shared_replay_overhead", percent_unit, one, category::instruction, "Replays for shared memory conflicts, of the instructions issued (2.x) or executed."};
inline constexpr legacy_metric_descriptor shared_store_throughput{"shared_store_throughput", byte_rate, byte_rate, category::memory, "Bytes a second that shared stores could have moved."};
inline constexpr legacy_metric_descriptor shared_store_transactions{"shared_store_transactions", unit_of(wavefront), unit_of(wavefront), category::memory, "Passes through shared memory that stores took."};
inline constexpr legacy_metric_descriptor shared_store_transactions_per_request{"shared_store_transactions_per_request", unit_of(wavefront) / unit_of(request), unit_of(wavefront) / unit_of(request), category::memory, "Passes that a shared store took on average."};
inline constexpr legacy_metric_descriptor shared_utilization{"shared_utilization", tenth_unit, tenth_unit, category::cache, "How busy shared memory was."};
inline constexpr legacy_metric_descriptor single_precision_fu_utilization{"single_precision_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the single-precision units were; before 7.0 integers count too."};
inline constexpr legacy_metric_descriptor sm_efficiency{"sm_efficiency", percent_unit, percent_unit, category::multiprocessor, "Time with at least one warp on a specific multiprocessor: the mean over all of them."};
inline constexpr legacy_metric_descriptor sm_efficiency_instance{"sm_efficiency_instance", percent_unit, percent_unit, category::multiprocessor, "sm_efficiency of a single multiprocessor: the mean over those profiled, or of one of them."};
inline constexpr legacy_metric_descriptor sm_tex_utilization{"sm_tex_utilization", tenth_unit, tenth_unit, category::texture, "How busy the path from the multiprocessor to the texture unit was."};
inline constexpr legacy_metric_descriptor special_fu_utilization{"special_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the special-function units were."};
inline constexpr legacy_metric_descriptor stall_constant_memory_dependency{"stall_constant_memory_dependency", percent_unit, percent_unit, category::instruction, "Stalls for a miss of an immediate constant."};
inline constexpr legacy_metric_descriptor stall_exec_dependency{"stall_exec_dependency", percent_unit, percent_unit, category::instruction, "Stalls for an operand not yet computed."};
inline constexpr legacy_metric_descriptor stall_inst_fetch{"stall_inst_fetch", percent_unit, percent_unit, category::instruction, "Stalls for an instruction not yet fetched."};
inline constexpr legacy_metric_descriptor stall_memory_dependency{"stall_memory_dependency", percent_unit, percent_unit, category::instruction, "Stalls because a memory operation cannot start: what it needs is in use, or too many of its kind are under way."};
inline constexpr legacy_metric_descriptor stall_memory_throttle{"stall_memory_throttle", percent_unit, percent_unit, category::instruction, "Stalls for memory that takes no more requests."};
inline constexpr legacy_metric_descriptor stall_not_selected{"stall_not_selected", percent_unit, percent_unit, category::instruction, "Stalls because another warp was chosen."};
inline constexpr legacy_metric_descriptor stall_other{"stall_other", percent_unit, percent_unit, category::instruction, "Stalls for other reasons."};
inline constexpr legacy_metric_descriptor stall_pipe_busy{"stall_pipe_busy", percent_unit, percent_unit, category::instruction, "Stalls for a busy pipe."};
inline constexpr legacy_metric_descriptor stall_sleeping{"stall_sleeping", percent_unit, percent_unit, category::instruction, "Stalls of sleeping warps."};
inline constexpr legacy_metric_descriptor stall_sync{"stall_sync", percent_unit, percent_unit, category::instruction, "Stalls of warps blocked at __syncthreads()."};
inline constexpr legacy_metric_descriptor stall_texture{"stall_texture", percent_unit, percent_unit, category::instruction, "Stalls for a texture unit that takes no more requests."};
inline constexpr legacy_metric_descriptor surface_atomic_requests{"surface_atomic_requests", unit_of(request), unit_of(request), category::memory, "Surface atomics from multiprocessors."};
inline constexpr legacy_metric_descriptor surface_load_requests{"surface_load_requests", unit_of(request), unit_of(request), category::memory, "Surface loads from multiprocessors."};
inline constexpr legacy_metric_descriptor surface_reduction_requests{"surface_reduction_requests", unit_of(request), unit_of(request), category::memory, "Surface reductions from multiprocessors."};
inline constexpr legacy_metric_descriptor surface_store_requests{"surface_store_requests", unit_of(request), unit_of(request), category::memory, "Surface stores from multiprocessors."};
inline constexpr legacy_metric_descriptor sysmem_read_bytes{"sysmem_read_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes read from system memory."};
inline constexpr legacy_metric_descriptor sysmem_read_throughput{"sysmem_read_throughput", byte_rate, byte_rate, category::memory, "Bytes read from system memory in a second."};
inline constexpr legacy_metric_descriptor sysmem_read_transactions{"sysmem_read_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors read from system memory."};
inline constexpr legacy_metric_descriptor sysmem_read_utilization{"sysmem_read_utilization", tenth_unit, tenth_unit, category::memory, "How busy system memory was with reads."};
inline constexpr legacy_metric_descriptor sysmem_utilization{"sysmem_utilization", tenth_unit, tenth_unit, category::memory, "How busy system memory was."};
inline constexpr legacy_metric_descriptor sysmem_write_bytes{"sysmem_write_bytes", unit_of(byte), unit_of(byte), category::memory, "Bytes written to system memory."};
inline constexpr legacy_metric_descriptor sysmem_write_throughput{"sysmem_write_throughput", byte_rate, byte_rate, category::memory, "Bytes written to system memory in a second."};
inline constexpr legacy_metric_descriptor sysmem_write_transactions{"sysmem_write_transactions", unit_of(sector), unit_of(sector), category::memory, "Sectors written to system memory."};
inline constexpr legacy_metric_descriptor sysmem_write_utilization{"sysmem_write_utilization", tenth_unit, tenth_unit, category::memory, "How busy system memory was with writes."};
inline constexpr legacy_metric_descriptor tensor_int_fu_utilization{"tensor_int_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the tensor cores were with int8."};
inline constexpr legacy_metric_descriptor tensor_precision_fu_utilization{"tensor_precision_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the tensor cores were."};
inline constexpr legacy_metric_descriptor tex_cache_hit_rate{"tex_cache_hit_rate", percent_unit, percent_unit, category::texture, "Hits in the texture (unified) cache."};
inline constexpr legacy_metric_descriptor tex_cache_throughput{"tex_cache_throughput", byte_rate, byte_rate, category::texture, "Bytes a second from the texture (unified) cache; on 7.0 to multiprocessors that read."};
inline constexpr legacy_metric_descriptor tex_cache_transactions{"tex_cache_transactions", unit_of(access), unit_of(access), category::memory, "Reads of the texture (unified) cache; on 7.0 by multiprocessors."};
inline constexpr legacy_metric_descriptor tex_fu_utilization{"tex_fu_utilization", tenth_unit, tenth_unit, category::multiprocessor, "How busy the units for global, local and texture accesses were."};
inline constexpr legacy_metric_descriptor tex_sm_tex_utilization{"tex_sm_tex_utilization", tenth_unit, tenth_unit, category::texture, "How busy the path from the texture unit to the multiprocessor was, at the unit's end."};
inline constexpr legacy_metric_descriptor tex_sm_utilization{"tex_sm_utilization", tenth_unit, tenth_unit, category::texture, "How busy the path from the texture unit to the multiprocessor was."};
inline constexpr legacy_metric_descriptor tex_utilization{"tex_utilization", tenth_unit, tenth_unit, category::texture, "How busy the texture (unified) cache was."};
inline constexpr legacy_metric_descriptor texture_load_requests{"texture_load_requests", unit_of(request), unit_of(request), category::memory, "Texture fetches from multiprocessors."};
inline constexpr legacy_metric_descriptor unique_warps_launched{"unique_warps_launched", unit_of(warp), unit_of(warp), category::memory, "Warps launched; preemption does not count a warp twice."};
inline constexpr legacy_metric_descriptor warp_execution_efficiency{"warp_execution_efficiency", percent_unit, percent_unit, category::instruction, "Active threads per warp instruction, of a full warp."};
inline constexpr legacy_metric_descriptor warp_nonpred_execution_efficiency{"warp_nonpred_execution_efficiency", percent_unit, percent_unit, category::instruction, "Active unpredicated threads per warp instruction, of a full warp."};
} // namespace legacy::metrics

namespace legacy {
// Every legacy metric, by name.
inline constexpr legacy_metric_descriptor const* all_metrics[]{
    &metrics::achieved_occupancy, &metrics::alu_fu_utilization, &metrics::atomic_replay_overhead,
    &metrics::atomic_transactions, &metrics::atomic_transactions_per_request, &metrics::branch_efficiency,
    &metrics::cf_executed, &metrics::cf_fu_utilization, &metrics::cf_issued,
    &metrics::double_precision_fu_utilization, &metrics::dram_read_bytes, &metrics::dram_read_throughput,
    &metrics::dram_read_transactions, &metrics::dram_utilization, &metrics::dram_write_bytes,
    &metrics::dram_write_throughput, &metrics::dram_write_transactions, &metrics::ecc_throughput,
    &metrics::ecc_transactions, &metrics::eligible_warps_per_cycle, &metrics::flop_count_dp,
    &metrics::flop_count_dp_add, &metrics::flop_count_dp_fma, &metrics::flop_count_dp_mul, &metrics::flop_count_hp,
    &metrics::flop_count_hp_add, &metrics::flop_count_hp_fma, &metrics::flop_count_hp_mul, &metrics::flop_count_sp,
    &metrics::flop_count_sp_add, &metrics::flop_count_sp_fma, &metrics::flop_count_sp_mul,
    &metrics::flop_count_sp_special, &metrics::flop_dp_efficiency, &metrics::flop_hp_efficiency,
    &metrics::flop_sp_efficiency, &metrics::gld_efficiency, &metrics::gld_requested_throughput,
    &metrics::gld_throughput, &metrics::gld_transactions, &metrics::gld_transactions_per_request,
    &metrics::global_atomic_requests, &metrics::global_cache_replay_overhead, &metrics::global_hit_rate,
    &metrics::global_load_requests, &metrics::global_reduction_requests, &metrics::global_replay_overhead,
    &metrics::global_store_requests, &metrics::gst_efficiency, &metrics::gst_requested_throughput,
    &metrics::gst_throughput, &metrics::gst_transactions, &metrics::gst_transactions_per_request,
    &metrics::half_precision_fu_utilization, &metrics::inst_bit_convert, &metrics::inst_compute_ld_st,
    &metrics::inst_control, &metrics::inst_executed, &metrics::inst_executed_global_atomics,
    &metrics::inst_executed_global_loads, &metrics::inst_executed_global_reductions,
    &metrics::inst_executed_global_stores, &metrics::inst_executed_local_loads, &metrics::inst_executed_local_stores,
    &metrics::inst_executed_shared_atomics, &metrics::inst_executed_shared_loads,
    &metrics::inst_executed_shared_stores, &metrics::inst_executed_surface_atomics,
    &metrics::inst_executed_surface_loads, &metrics::inst_executed_surface_reductions,
    &metrics::inst_executed_surface_stores, &metrics::inst_executed_tex_ops, &metrics::inst_fp_16,
    &metrics::inst_fp_32, &metrics::inst_fp_64, &metrics::inst_integer, &metrics::inst_inter_thread_communication,
    &metrics::inst_issued, &metrics::inst_misc, &metrics::inst_per_warp, &metrics::inst_replay_overhead,
    &metrics::ipc, &metrics::ipc_instance, &metrics::issue_slot_utilization, &metrics::issue_slots,
    &metrics::issued_ipc, &metrics::l1_cache_global_hit_rate, &metrics::l1_cache_local_hit_rate,
    &metrics::l1_shared_utilization, &metrics::l1_sm_lg_utilization, &metrics::l2_atomic_throughput,
    &metrics::l2_atomic_transactions, &metrics::l2_global_atomic_store_bytes, &metrics::l2_global_load_bytes,
    &metrics::l2_global_reduction_bytes, &metrics::l2_l1_read_hit_rate, &metrics::l2_l1_read_throughput,
    &metrics::l2_l1_read_transactions, &metrics::l2_l1_write_throughput, &metrics::l2_l1_write_transactions,
    &metrics::l2_local_global_store_bytes, &metrics::l2_local_load_bytes, &metrics::l2_read_throughput,
    &metrics::l2_read_transactions, &metrics::l2_surface_atomic_store_bytes, &metrics::l2_surface_load_bytes,
    &metrics::l2_surface_reduction_bytes, &metrics::l2_surface_store_bytes, &metrics::l2_tex_hit_rate,
    &metrics::l2_tex_read_hit_rate, &metrics::l2_tex_read_throughput, &metrics::l2_tex_read_transactions,
    &metrics::l2_tex_write_hit_rate, &metrics::l2_tex_write_throughput, &metrics::l2_tex_write_transactions,
    &metrics::l2_texture_read_hit_rate, &metrics::l2_texture_read_throughput, &metrics::l2_utilization,
    &metrics::l2_write_throughput, &metrics::l2_write_transactions, &metrics::ldst_executed,
    &metrics::ldst_fu_utilization, &metrics::ldst_issued, &metrics::local_hit_rate, &metrics::local_load_requests,
    &metrics::local_load_throughput, &metrics::local_load_transactions, &metrics::local_load_transactions_per_request,
    &metrics::local_memory_overhead, &metrics::local_replay_overhead, &metrics::local_store_requests,
    &metrics::local_store_throughput, &metrics::local_store_transactions,
    &metrics::local_store_transactions_per_request, &metrics::nc_cache_global_hit_rate, &metrics::nc_gld_efficiency,
    &metrics::nc_gld_requested_throughput, &metrics::nc_gld_throughput, &metrics::nc_l2_read_throughput,
    &metrics::nc_l2_read_transactions, &metrics::nvlink_data_receive_efficiency,
    &metrics::nvlink_data_transmission_efficiency, &metrics::nvlink_overhead_data_received,
    &metrics::nvlink_overhead_data_transmitted, &metrics::nvlink_receive_throughput,
    &metrics::nvlink_total_data_received, &metrics::nvlink_total_data_transmitted,
    &metrics::nvlink_total_nratom_data_transmitted, &metrics::nvlink_total_ratom_data_transmitted,
    &metrics::nvlink_total_response_data_received, &metrics::nvlink_total_write_data_transmitted,
    &metrics::nvlink_transmit_throughput, &metrics::nvlink_user_data_received, &metrics::nvlink_user_data_transmitted,
    &metrics::nvlink_user_nratom_data_transmitted, &metrics::nvlink_user_ratom_data_transmitted,
    &metrics::nvlink_user_response_data_received, &metrics::nvlink_user_write_data_transmitted,
    &metrics::pcie_total_data_received, &metrics::pcie_total_data_transmitted, &metrics::shared_efficiency,
    &metrics::shared_load_throughput, &metrics::shared_load_transactions,
    &metrics::shared_load_transactions_per_request, &metrics::shared_replay_overhead,
    &metrics::shared_store_throughput, &metrics::shared_store_transactions,
    &metrics::shared_store_transactions_per_request, &metrics::shared_utilization,
    &metrics::single_precision_fu_utilization, &metrics::sm_efficiency, &metrics::sm_efficiency_instance,
    &metrics::sm_tex_utilization, &metrics::special_fu_utilization, &metrics::stall_constant_memory_dependency,
    &metrics::stall_exec_dependency, &metrics::stall_inst_fetch, &metrics::stall_memory_dependency,
    &metrics::stall_memory_throttle, &metrics::stall_not_selected, &metrics::stall_other, &metrics::stall_pipe_busy,
    &metrics::stall_sleeping, &metrics::stall_sync, &metrics::stall_texture, &metrics::surface_atomic_requests,
    &metrics::surface_load_requests, &metrics::surface_reduction_requests, &metrics::surface_store_requests,
    &metrics::sysmem_read_bytes, &metrics::sysmem_read_throughput, &metrics::sysmem_read_transactions,
    &metrics::sysmem_read_utilization, &metrics::sysmem_utilization, &metrics::sysmem_write_bytes,
    &metrics::sysmem_write_throughput, &metrics::sysmem_write_transactions, &metrics::sysmem_write_utilization,
    &metrics::tensor_int_fu_utilization, &metrics::tensor_precision_fu_utilization, &metrics::tex_cache_hit_rate,
    &metrics::tex_cache_throughput, &metrics::tex_cache_transactions, &metrics::tex_fu_utilization,
    &metrics::tex_sm_tex_utilization, &metrics::tex_sm_utilization, &metrics::tex_utilization,
    &metrics::texture_load_requests, &metrics::unique_warps_launched, &metrics::warp_execution_efficiency,
    &metrics::warp_nonpred_execution_efficiency,
};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_METRICS_HPP
