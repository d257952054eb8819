// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which metrics each capability family has, and how it computes them.
// clang-format off
#ifndef GPUPROF_LEGACY_METRIC_ROWS_HPP
#define GPUPROF_LEGACY_METRIC_ROWS_HPP

#include <array>
#include <cstddef>

#include "family_formulas.hpp"
#include "metrics.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace legacy::detail {

// Families, a bit for each.
using capability_families = unsigned char;
inline constexpr capability_families on_2x = 1 << 0, on_3x = 1 << 1, on_5x = 1 << 2, on_6x = 1 << 3, on_70 = 1 << 4;
inline constexpr capability_families since_6x = on_6x | on_70, since_5x = on_5x | since_6x, since_3x = on_3x | since_5x, on_all = on_2x | since_3x;

// A metric on the families that have it in the same way. `scope` is what tables 4 to 6 say (CUPTI
// 12.0, 2.6.1); the documents of 2.x and 3.x state none.
struct metric_row {
    legacy_metric_descriptor const* metric;
    capability_families families;
    legacy_metric_scope scope;
    gpuprof::formula formula;
    capability_revisions only = any_revision;
    gpuprof::formula wider{};

    [[nodiscard]] constexpr bool is_on(capability_family family) const noexcept {
        return (families >> static_cast<unsigned>(family) & 1) != 0;
    }
    [[nodiscard]] constexpr legacy_metric_scope scope_on(capability_family family) const noexcept {
        using enum legacy_metric_scope;
        if (family == capability_family::cc_2x || family == capability_family::cc_3x) return unstated;
        return scope == multi_context_on_some && family != capability_family::cc_5x ? multi_context : scope;
    }
};

namespace rows {
using enum legacy_metric_scope;
// As tables 4 to 6 say.
inline constexpr capability_revisions only_50_52 = 1 << 0 | 1 << 2, only_53 = 1 << 3;
inline constexpr capability_revisions only_60_61 = 1 << 0 | 1 << 1, only_60 = 1 << 0, only_61 = 1 << 1;
inline constexpr capability_revisions only_72 = 1 << 2;

// Sorted by name.
inline constexpr metric_row metrics_by_family[]{
    {&metrics::achieved_occupancy, on_all, multi_context, formulas::achieved_occupancy},
    {&metrics::alu_fu_utilization, on_3x, unstated, {}},
    {&metrics::atomic_replay_overhead, on_3x, unstated, {}},
    {&metrics::atomic_transactions, since_5x, multi_context, {}},
    {&metrics::atomic_transactions_per_request, since_5x, multi_context, {}},
    {&metrics::branch_efficiency, on_2x | on_5x | on_6x, multi_context, formulas::branch_efficiency},
    {&metrics::branch_efficiency, on_3x | on_70, multi_context, {}},
    {&metrics::cf_executed, since_3x, multi_context, {}},
    {&metrics::cf_fu_utilization, since_3x, multi_context, {}},
    {&metrics::cf_issued, since_3x, multi_context, {}},
    {&metrics::double_precision_fu_utilization, since_5x, multi_context, {}},
    {&metrics::dram_read_bytes, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_read_bytes, any_revision, formulas_2x::two_halves::dram_read_bytes},
    {&metrics::dram_read_bytes, on_3x, multi_context_on_some, formulas::two_subpartitions::dram_read_bytes},
    {&metrics::dram_read_bytes, on_5x, multi_context_on_some, formulas::two_subpartitions::dram_read_bytes, only_50_52},
    {&metrics::dram_read_bytes, on_6x, multi_context_on_some, formulas_6x::dram_read_bytes},
    {&metrics::dram_read_bytes, on_70, multi_context_on_some, formulas_70::dram_read_bytes},
    {&metrics::dram_read_throughput, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_read_throughput, any_revision, formulas_2x::two_halves::dram_read_throughput},
    {&metrics::dram_read_throughput, on_3x, multi_context_on_some, formulas::two_subpartitions::dram_read_throughput},
    {&metrics::dram_read_throughput, on_5x, multi_context_on_some, formulas::two_subpartitions::dram_read_throughput, only_50_52},
    {&metrics::dram_read_throughput, on_6x, multi_context_on_some, formulas_6x::dram_read_throughput, only_60_61},
    {&metrics::dram_read_throughput, on_70, multi_context_on_some, formulas_70::dram_read_throughput},
    {&metrics::dram_read_transactions, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_read_transactions, any_revision, formulas_2x::two_halves::dram_read_transactions},
    {&metrics::dram_read_transactions, on_3x, multi_context_on_some, formulas::two_subpartitions::dram_read_transactions},
    {&metrics::dram_read_transactions, on_5x, multi_context_on_some, formulas::two_subpartitions::dram_read_transactions, only_50_52},
    {&metrics::dram_read_transactions, on_6x, multi_context_on_some, formulas_6x::dram_read_transactions, only_60_61},
    {&metrics::dram_read_transactions, on_70, multi_context_on_some, formulas_70::dram_read_transactions},
    {&metrics::dram_utilization, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_utilization, any_revision, formulas_2x::two_halves::dram_utilization},
    {&metrics::dram_utilization, on_3x | on_5x, multi_context_on_some, formulas::two_subpartitions::dram_utilization},
    {&metrics::dram_utilization, on_6x, multi_context_on_some, formulas_6x::dram_utilization},
    {&metrics::dram_utilization, on_70, multi_context_on_some, formulas_70::dram_utilization},
    {&metrics::dram_write_bytes, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_write_bytes, any_revision, formulas_2x::two_halves::dram_write_bytes},
    {&metrics::dram_write_bytes, on_3x, multi_context_on_some, formulas::two_subpartitions::dram_write_bytes},
    {&metrics::dram_write_bytes, on_5x, multi_context_on_some, formulas::two_subpartitions::dram_write_bytes, only_50_52},
    {&metrics::dram_write_bytes, on_6x, multi_context_on_some, formulas_6x::dram_write_bytes},
    {&metrics::dram_write_bytes, on_70, multi_context_on_some, formulas_70::dram_write_bytes},
    {&metrics::dram_write_throughput, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_write_throughput, any_revision, formulas_2x::two_halves::dram_write_throughput},
    {&metrics::dram_write_throughput, on_3x, multi_context_on_some, formulas::two_subpartitions::dram_write_throughput},
    {&metrics::dram_write_throughput, on_5x, multi_context_on_some, formulas::two_subpartitions::dram_write_throughput, only_50_52},
    {&metrics::dram_write_throughput, on_6x, multi_context_on_some, formulas_6x::dram_write_throughput, only_60_61},
    {&metrics::dram_write_throughput, on_70, multi_context_on_some, formulas_70::dram_write_throughput},
    {&metrics::dram_write_transactions, on_2x, multi_context_on_some, formulas::two_subpartitions::dram_write_transactions, any_revision, formulas_2x::two_halves::dram_write_transactions},
    {&metrics::dram_write_transactions, on_3x, multi_context_on_some, formulas::two_subpartitions::dram_write_transactions},
    {&metrics::dram_write_transactions, on_5x, multi_context_on_some, formulas::two_subpartitions::dram_write_transactions, only_50_52},
    {&metrics::dram_write_transactions, on_6x, multi_context_on_some, formulas_6x::dram_write_transactions, only_60_61},
    {&metrics::dram_write_transactions, on_70, multi_context_on_some, formulas_70::dram_write_transactions},
    {&metrics::ecc_throughput, on_3x, multi_context_on_some, formulas::four_slices::ecc_throughput},
    {&metrics::ecc_throughput, on_5x, multi_context_on_some, formulas::four_slices::ecc_throughput, only_50_52},
    {&metrics::ecc_throughput, on_6x, multi_context_on_some, {}, only_61},
    {&metrics::ecc_transactions, on_3x, multi_context_on_some, formulas::four_slices::ecc_transactions},
    {&metrics::ecc_transactions, on_5x, multi_context_on_some, formulas::four_slices::ecc_transactions, only_50_52},
    {&metrics::ecc_transactions, on_6x, multi_context_on_some, {}, only_61},
    {&metrics::eligible_warps_per_cycle, since_3x, multi_context, {}},
    {&metrics::flop_count_dp, since_3x, multi_context, {}},
    {&metrics::flop_count_dp_add, since_3x, multi_context, {}},
    {&metrics::flop_count_dp_fma, since_3x, multi_context, {}},
    {&metrics::flop_count_dp_mul, since_3x, multi_context, {}},
    {&metrics::flop_count_hp, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::flop_count_hp, since_6x, multi_context_on_some, {}},
    {&metrics::flop_count_hp_add, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::flop_count_hp_add, since_6x, multi_context_on_some, {}},
    {&metrics::flop_count_hp_fma, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::flop_count_hp_fma, since_6x, multi_context_on_some, {}},
    {&metrics::flop_count_hp_mul, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::flop_count_hp_mul, since_6x, multi_context_on_some, {}},
    {&metrics::flop_count_sp, since_3x, multi_context, {}},
    {&metrics::flop_count_sp_add, since_3x, multi_context, {}},
    {&metrics::flop_count_sp_fma, since_3x, multi_context, {}},
    {&metrics::flop_count_sp_mul, since_3x, multi_context, {}},
    {&metrics::flop_count_sp_special, since_3x, multi_context, {}},
    {&metrics::flop_dp_efficiency, since_3x, multi_context, {}},
    {&metrics::flop_hp_efficiency, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::flop_hp_efficiency, since_6x, multi_context_on_some, {}},
    {&metrics::flop_sp_efficiency, since_3x, multi_context, {}},
    {&metrics::gld_efficiency, on_2x, multi_context_on_some, formulas_2x::gld_efficiency},
    {&metrics::gld_efficiency, since_3x, multi_context_on_some, {}},
    {&metrics::gld_requested_throughput, on_2x | on_5x | on_6x, multi_context, formulas::gld_requested_throughput},
    {&metrics::gld_requested_throughput, on_3x | on_70, multi_context, {}},
    {&metrics::gld_throughput, on_2x, multi_context_on_some, formulas_2x::gld_throughput},
    {&metrics::gld_throughput, since_3x, multi_context_on_some, {}},
    {&metrics::gld_transactions, since_5x, multi_context_on_some, {}},
    {&metrics::gld_transactions_per_request, since_5x, multi_context_on_some, {}},
    {&metrics::global_atomic_requests, since_5x, multi_context, {}},
    {&metrics::global_cache_replay_overhead, on_2x, unstated, formulas_2x::global_cache_replay_overhead, any_revision, formulas_21::global_cache_replay_overhead},
    {&metrics::global_cache_replay_overhead, on_3x, unstated, formulas_3x::global_cache_replay_overhead},
    {&metrics::global_hit_rate, since_5x, multi_context_on_some, {}},
    {&metrics::global_load_requests, since_5x, multi_context, {}},
    {&metrics::global_reduction_requests, since_5x, multi_context, {}},
    {&metrics::global_replay_overhead, on_3x, unstated, formulas_3x::global_replay_overhead},
    {&metrics::global_store_requests, since_5x, multi_context, {}},
    {&metrics::gst_efficiency, on_2x, multi_context_on_some, formulas_2x::gst_efficiency},
    {&metrics::gst_efficiency, since_3x, multi_context_on_some, {}},
    {&metrics::gst_requested_throughput, on_2x | on_5x | on_6x, multi_context, formulas::gst_requested_throughput},
    {&metrics::gst_requested_throughput, on_3x | on_70, multi_context, {}},
    {&metrics::gst_throughput, on_2x, multi_context_on_some, formulas_2x::gst_throughput},
    {&metrics::gst_throughput, since_3x, multi_context_on_some, {}},
    {&metrics::gst_transactions, since_5x, multi_context_on_some, {}},
    {&metrics::gst_transactions_per_request, since_5x, multi_context_on_some, {}},
    {&metrics::half_precision_fu_utilization, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::half_precision_fu_utilization, since_6x, multi_context_on_some, {}},
    {&metrics::inst_bit_convert, since_3x, multi_context, {}},
    {&metrics::inst_compute_ld_st, since_3x, multi_context, {}},
    {&metrics::inst_control, since_3x, multi_context, {}},
    {&metrics::inst_executed, on_all, multi_context, formulas::inst_executed},
    {&metrics::inst_executed_global_atomics, since_5x, multi_context, formulas::inst_executed_global_atomics},
    {&metrics::inst_executed_global_loads, since_5x, multi_context, formulas::inst_executed_global_loads},
    {&metrics::inst_executed_global_reductions, since_5x, multi_context, formulas::inst_executed_global_reductions},
    {&metrics::inst_executed_global_stores, since_5x, multi_context, formulas::inst_executed_global_stores},
    {&metrics::inst_executed_local_loads, on_2x | on_5x | on_6x | on_70, multi_context, formulas::inst_executed_local_loads},
    {&metrics::inst_executed_local_stores, on_2x | on_5x | on_6x | on_70, multi_context, formulas::inst_executed_local_stores},
    {&metrics::inst_executed_shared_atomics, on_5x | on_70, multi_context, formulas::inst_executed_shared_atomics},
    {&metrics::inst_executed_shared_atomics, on_6x, multi_context, formulas_6x::inst_executed_shared_atomics},
    {&metrics::inst_executed_shared_loads, on_2x | on_5x | on_6x | on_70, multi_context, formulas::inst_executed_shared_loads},
    {&metrics::inst_executed_shared_stores, on_2x | on_5x | on_6x | on_70, multi_context, formulas::inst_executed_shared_stores},
    {&metrics::inst_executed_surface_atomics, since_5x, multi_context, {}},
    {&metrics::inst_executed_surface_loads, since_5x, multi_context, {}},
    {&metrics::inst_executed_surface_reductions, since_5x, multi_context, {}},
    {&metrics::inst_executed_surface_stores, since_5x, multi_context, {}},
    {&metrics::inst_executed_tex_ops, since_5x, multi_context, {}},
    {&metrics::inst_fp_16, on_5x, multi_context_on_some, {}, only_53},
    {&metrics::inst_fp_16, since_6x, multi_context_on_some, {}},
    {&metrics::inst_fp_32, since_3x, multi_context, {}},
    {&metrics::inst_fp_64, since_3x, multi_context, {}},
    {&metrics::inst_integer, since_3x, multi_context, {}},
    {&metrics::inst_inter_thread_communication, since_3x, multi_context, {}},
    {&metrics::inst_issued, on_2x, multi_context, formulas_2x::inst_issued, any_revision, formulas_21::inst_issued},
    {&metrics::inst_issued, on_3x | on_5x | on_6x, multi_context, formulas::dual_issue::inst_issued},
    {&metrics::inst_issued, on_70, multi_context, formulas_70::inst_issued},
    {&metrics::inst_misc, since_3x, multi_context, {}},
    {&metrics::inst_per_warp, on_all, multi_context, formulas::inst_per_warp},
    {&metrics::inst_replay_overhead, on_2x, multi_context, formulas_2x::inst_replay_overhead, any_revision, formulas_21::inst_replay_overhead},
    {&metrics::inst_replay_overhead, on_3x | on_5x | on_6x, multi_context, formulas::dual_issue::inst_replay_overhead},
    {&metrics::inst_replay_overhead, on_70, multi_context, formulas_70::inst_replay_overhead},
    {&metrics::ipc, on_2x, multi_context, formulas_2x::ipc},
    {&metrics::ipc, since_3x, multi_context, formulas::ipc},
    {&metrics::ipc_instance, on_2x, unstated, formulas_2x::ipc_instance},
    {&metrics::ipc_instance, on_3x, unstated, formulas_3x::ipc_instance},
    {&metrics::issue_slot_utilization, on_3x | on_5x | on_6x, multi_context, formulas::dual_issue::issue_slot_utilization},
    {&metrics::issue_slot_utilization, on_70, multi_context, formulas_70::issue_slot_utilization},
    {&metrics::issue_slots, on_3x | on_5x | on_6x, multi_context, formulas::dual_issue::issue_slots},
    {&metrics::issue_slots, on_70, multi_context, formulas_70::issue_slots},
    {&metrics::issued_ipc, on_3x | on_5x | on_6x, multi_context, formulas::dual_issue::issued_ipc},
    {&metrics::issued_ipc, on_70, multi_context, formulas_70::issued_ipc},
    {&metrics::l1_cache_global_hit_rate, on_2x, unstated, formulas_2x::l1_cache_global_hit_rate},
    {&metrics::l1_cache_global_hit_rate, on_3x, unstated, formulas_3x::l1_cache_global_hit_rate},
    {&metrics::l1_cache_local_hit_rate, on_2x, unstated, formulas_2x::l1_cache_local_hit_rate},
    {&metrics::l1_cache_local_hit_rate, on_3x, unstated, formulas_3x::l1_cache_local_hit_rate},
    {&metrics::l1_shared_utilization, on_3x, unstated, {}},
    {&metrics::l2_atomic_throughput, since_3x, multi_context, {}},
    {&metrics::l2_atomic_transactions, since_3x, multi_context_on_some, {}},
    {&metrics::l2_global_atomic_store_bytes, since_5x, multi_context_on_some, {}},
    {&metrics::l2_global_load_bytes, since_5x, multi_context_on_some, {}},
    {&metrics::l2_global_reduction_bytes, on_5x | on_6x, multi_context_on_some, {}},
    {&metrics::l2_l1_read_hit_rate, on_2x, unstated, formulas_2x::l2_l1_read_hit_rate},
    {&metrics::l2_l1_read_hit_rate, on_3x, unstated, formulas_3x::l2_l1_read_hit_rate},
    {&metrics::l2_l1_read_throughput, on_2x, unstated, formulas_2x::l2_l1_read_throughput},
    {&metrics::l2_l1_read_throughput, on_3x, unstated, formulas_3x::l2_l1_read_throughput},
    {&metrics::l2_l1_read_transactions, on_3x, unstated, formulas_3x::l2_l1_read_transactions},
    {&metrics::l2_l1_write_throughput, on_3x, unstated, formulas_3x::l2_l1_write_throughput},
    {&metrics::l2_l1_write_transactions, on_3x, unstated, formulas_3x::l2_l1_write_transactions},
    {&metrics::l2_local_global_store_bytes, since_5x, multi_context_on_some, {}},
    {&metrics::l2_local_load_bytes, since_5x, multi_context_on_some, {}},
    {&metrics::l2_read_throughput, on_3x | on_5x, multi_context_on_some, formulas::four_slices::l2_read_throughput},
    {&metrics::l2_read_throughput, since_6x, multi_context_on_some, formulas::two_slices::l2_read_throughput},
    {&metrics::l2_read_transactions, on_3x | on_5x, multi_context_on_some, formulas::four_slices::l2_read_transactions},
    {&metrics::l2_read_transactions, since_6x, multi_context_on_some, formulas::two_slices::l2_read_transactions},
    {&metrics::l2_surface_atomic_store_bytes, on_5x | on_6x, multi_context_on_some, {}},
    {&metrics::l2_surface_load_bytes, since_5x, multi_context_on_some, {}},
    {&metrics::l2_surface_reduction_bytes, on_5x | on_6x, multi_context_on_some, {}},
    {&metrics::l2_surface_store_bytes, since_5x, multi_context_on_some, {}},
    {&metrics::l2_tex_hit_rate, on_5x, multi_context_on_some, formulas::four_slices::l2_tex_hit_rate},
    {&metrics::l2_tex_hit_rate, since_6x, multi_context_on_some, formulas::two_slices::l2_tex_hit_rate},
    {&metrics::l2_tex_read_hit_rate, on_2x | on_70, multi_context_on_some, formulas::two_slices::l2_tex_read_hit_rate},
    {&metrics::l2_tex_read_hit_rate, on_3x, multi_context_on_some, formulas::four_slices::l2_tex_read_hit_rate},
    {&metrics::l2_tex_read_hit_rate, on_5x, multi_context_on_some, formulas::four_slices::l2_tex_read_hit_rate, only_50_52},
    {&metrics::l2_tex_read_hit_rate, on_6x, multi_context_on_some, formulas::two_slices::l2_tex_read_hit_rate, only_60_61},
    {&metrics::l2_tex_read_throughput, on_2x | on_6x | on_70, multi_context_on_some, formulas::two_slices::l2_tex_read_throughput},
    {&metrics::l2_tex_read_throughput, on_3x | on_5x, multi_context_on_some, formulas::four_slices::l2_tex_read_throughput},
    {&metrics::l2_tex_read_transactions, on_2x | on_6x | on_70, multi_context_on_some, formulas::two_slices::l2_tex_read_transactions},
    {&metrics::l2_tex_read_transactions, on_3x | on_5x, multi_context_on_some, formulas::four_slices::l2_tex_read_transactions},
    {&metrics::l2_tex_write_hit_rate, on_5x, multi_context_on_some, formulas::four_slices::l2_tex_write_hit_rate, only_50_52},
    {&metrics::l2_tex_write_hit_rate, on_6x, multi_context_on_some, formulas::two_slices::l2_tex_write_hit_rate, only_60_61},
    {&metrics::l2_tex_write_hit_rate, on_70, multi_context_on_some, formulas::two_slices::l2_tex_write_hit_rate},
    {&metrics::l2_tex_write_throughput, on_5x, multi_context_on_some, formulas::four_slices::l2_tex_write_throughput},
    {&metrics::l2_tex_write_throughput, since_6x, multi_context_on_some, formulas::two_slices::l2_tex_write_throughput},
    {&metrics::l2_tex_write_transactions, on_5x, multi_context_on_some, formulas::four_slices::l2_tex_write_transactions},
    {&metrics::l2_tex_write_transactions, since_6x, multi_context_on_some, formulas::two_slices::l2_tex_write_transactions},
    {&metrics::l2_texture_read_hit_rate, on_3x, unstated, formulas_3x::l2_texture_read_hit_rate},
    {&metrics::l2_texture_read_throughput, on_3x, unstated, formulas_3x::l2_texture_read_throughput},
    {&metrics::l2_utilization, on_3x, multi_context_on_some, formulas_3x::l2_utilization},
    {&metrics::l2_utilization, on_5x, multi_context_on_some, formulas_5x::l2_utilization},
    {&metrics::l2_utilization, on_6x, multi_context_on_some, formulas_6x::l2_utilization},
    {&metrics::l2_utilization, on_70, multi_context_on_some, formulas_70::l2_utilization},
    {&metrics::l2_write_throughput, on_3x | on_5x, multi_context_on_some, formulas::four_slices::l2_write_throughput},
    {&metrics::l2_write_throughput, since_6x, multi_context_on_some, formulas::two_slices::l2_write_throughput},
    {&metrics::l2_write_transactions, on_3x | on_5x, multi_context_on_some, formulas::four_slices::l2_write_transactions},
    {&metrics::l2_write_transactions, since_6x, multi_context_on_some, formulas::two_slices::l2_write_transactions},
    {&metrics::ldst_executed, since_3x, multi_context, {}},
    {&metrics::ldst_fu_utilization, since_3x, multi_context, {}},
    {&metrics::ldst_issued, since_3x, multi_context, {}},
    {&metrics::local_hit_rate, since_5x, multi_context_on_some, {}},
    {&metrics::local_load_requests, since_5x, multi_context_on_some, {}},
    {&metrics::local_load_throughput, on_3x, multi_context_on_some, formulas_3x::local_load_throughput},
    {&metrics::local_load_throughput, since_5x, multi_context_on_some, {}},
    {&metrics::local_load_transactions, since_5x, multi_context_on_some, {}},
    {&metrics::local_load_transactions_per_request, since_5x, multi_context_on_some, {}},
    {&metrics::local_memory_overhead, on_2x, multi_context_on_some, formulas_2x::local_memory_overhead},
    {&metrics::local_memory_overhead, since_3x, multi_context_on_some, {}},
    {&metrics::local_replay_overhead, on_2x, unstated, formulas_2x::local_replay_overhead, any_revision, formulas_21::local_replay_overhead},
    {&metrics::local_replay_overhead, on_3x, unstated, formulas_3x::local_replay_overhead},
    {&metrics::local_store_requests, since_5x, multi_context_on_some, {}},
    {&metrics::local_store_throughput, since_3x, multi_context_on_some, {}},
    {&metrics::local_store_transactions, since_5x, multi_context_on_some, {}},
    {&metrics::local_store_transactions_per_request, since_5x, multi_context_on_some, {}},
    {&metrics::nc_cache_global_hit_rate, on_3x, unstated, {}},
    {&metrics::nc_gld_efficiency, on_3x, unstated, {}},
    {&metrics::nc_gld_requested_throughput, on_3x, unstated, formulas_3x::nc_gld_requested_throughput},
    {&metrics::nc_gld_throughput, on_3x, unstated, {}},
    {&metrics::nc_l2_read_throughput, on_3x, unstated, {}},
    {&metrics::nc_l2_read_transactions, on_3x, unstated, {}},
    {&metrics::nvlink_overhead_data_received, on_6x, device, {}, only_60},
    {&metrics::nvlink_overhead_data_received, on_70, device, {}},
    {&metrics::nvlink_overhead_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_overhead_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_receive_throughput, on_6x, device, {}, only_60},
    {&metrics::nvlink_receive_throughput, on_70, device, {}},
    {&metrics::nvlink_total_data_received, on_6x, device, {}, only_60},
    {&metrics::nvlink_total_data_received, on_70, device, {}},
    {&metrics::nvlink_total_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_total_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_total_nratom_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_total_nratom_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_total_ratom_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_total_ratom_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_total_response_data_received, on_6x, device, {}, only_60},
    {&metrics::nvlink_total_response_data_received, on_70, device, {}},
    {&metrics::nvlink_total_write_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_total_write_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_transmit_throughput, on_6x, device, {}, only_60},
    {&metrics::nvlink_transmit_throughput, on_70, device, {}},
    {&metrics::nvlink_user_data_received, on_6x, device, {}, only_60},
    {&metrics::nvlink_user_data_received, on_70, device, {}},
    {&metrics::nvlink_user_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_user_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_user_nratom_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_user_nratom_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_user_ratom_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_user_ratom_data_transmitted, on_70, device, {}},
    {&metrics::nvlink_user_response_data_received, on_6x, device, {}, only_60},
    {&metrics::nvlink_user_response_data_received, on_70, device, {}},
    {&metrics::nvlink_user_write_data_transmitted, on_6x, device, {}, only_60},
    {&metrics::nvlink_user_write_data_transmitted, on_70, device, {}},
    {&metrics::pcie_total_data_received, on_5x | on_6x, device, {}},
    {&metrics::pcie_total_data_received, on_70, device, formulas_70::pcie_total_data_received},
    {&metrics::pcie_total_data_transmitted, on_5x | on_6x, device, {}},
    {&metrics::pcie_total_data_transmitted, on_70, device, formulas_70::pcie_total_data_transmitted},
    {&metrics::shared_efficiency, since_3x, multi_context_on_some, {}},
    {&metrics::shared_load_throughput, on_3x, multi_context_on_some, formulas_3x::shared_load_throughput},
    {&metrics::shared_load_throughput, since_5x, multi_context_on_some, formulas::shared_load_throughput},
    {&metrics::shared_load_transactions, on_3x, multi_context_on_some, formulas_3x::shared_load_transactions},
    {&metrics::shared_load_transactions, since_5x, multi_context_on_some, formulas::shared_load_transactions},
    {&metrics::shared_load_transactions_per_request, on_3x, multi_context_on_some, formulas_3x::shared_load_transactions_per_request},
    {&metrics::shared_load_transactions_per_request, since_5x, multi_context_on_some, formulas::shared_load_transactions_per_request},
    {&metrics::shared_replay_overhead, on_2x, unstated, formulas_2x::shared_replay_overhead, any_revision, formulas_21::shared_replay_overhead},
    {&metrics::shared_replay_overhead, on_3x, unstated, formulas_3x::shared_replay_overhead},
    {&metrics::shared_store_throughput, on_3x, multi_context_on_some, formulas_3x::shared_store_throughput},
    {&metrics::shared_store_throughput, since_5x, multi_context_on_some, formulas::shared_store_throughput},
    {&metrics::shared_store_transactions, on_3x, multi_context_on_some, formulas_3x::shared_store_transactions},
    {&metrics::shared_store_transactions, since_5x, multi_context_on_some, formulas::shared_store_transactions},
    {&metrics::shared_store_transactions_per_request, on_3x, multi_context_on_some, formulas_3x::shared_store_transactions_per_request},
    {&metrics::shared_store_transactions_per_request, since_5x, multi_context_on_some, formulas::shared_store_transactions_per_request},
    {&metrics::shared_utilization, since_5x, multi_context_on_some, formulas::shared_utilization},
    {&metrics::single_precision_fu_utilization, since_5x, multi_context, {}},
    {&metrics::sm_efficiency, on_2x, multi_context_on_some, formulas_2x::sm_efficiency},
    {&metrics::sm_efficiency, since_3x, multi_context_on_some, formulas::sm_efficiency},
    {&metrics::sm_efficiency_instance, on_2x, unstated, formulas_2x::sm_efficiency_instance},
    {&metrics::sm_efficiency_instance, on_3x, unstated, formulas_3x::sm_efficiency_instance},
    {&metrics::special_fu_utilization, since_5x, multi_context, {}},
    {&metrics::stall_constant_memory_dependency, since_3x, multi_context, {}},
    {&metrics::stall_exec_dependency, since_3x, multi_context, {}},
    {&metrics::stall_inst_fetch, since_3x, multi_context, {}},
    {&metrics::stall_memory_dependency, since_3x, multi_context, {}},
    {&metrics::stall_memory_throttle, since_3x, multi_context, {}},
    {&metrics::stall_not_selected, since_3x, multi_context, {}},
    {&metrics::stall_other, since_3x, multi_context, {}},
    {&metrics::stall_pipe_busy, since_3x, multi_context, {}},
    {&metrics::stall_sleeping, on_70, multi_context, {}},
    {&metrics::stall_sync, since_3x, multi_context, {}},
    {&metrics::stall_texture, since_3x, multi_context, {}},
    {&metrics::surface_atomic_requests, since_5x, multi_context, {}},
    {&metrics::surface_load_requests, since_5x, multi_context, {}},
    {&metrics::surface_reduction_requests, since_5x, multi_context, {}},
    {&metrics::surface_store_requests, since_5x, multi_context, {}},
    {&metrics::sysmem_read_bytes, on_3x | on_5x, multi_context_on_some, formulas::four_slices::sysmem_read_bytes},
    {&metrics::sysmem_read_bytes, since_6x, multi_context_on_some, formulas::two_slices::sysmem_read_bytes},
    {&metrics::sysmem_read_throughput, on_3x | on_5x, multi_context_on_some, formulas::four_slices::sysmem_read_throughput},
    {&metrics::sysmem_read_throughput, since_6x, multi_context_on_some, formulas::two_slices::sysmem_read_throughput},
    {&metrics::sysmem_read_transactions, on_3x | on_5x, multi_context_on_some, formulas::four_slices::sysmem_read_transactions},
    {&metrics::sysmem_read_transactions, since_6x, multi_context_on_some, formulas::two_slices::sysmem_read_transactions},
    {&metrics::sysmem_read_utilization, on_3x | on_70, multi_context, {}},
    {&metrics::sysmem_read_utilization, on_5x, multi_context, {}, only_50_52},
    {&metrics::sysmem_read_utilization, on_6x, multi_context, {}, only_60_61},
    {&metrics::sysmem_utilization, on_3x | on_70, multi_context_on_some, {}},
    {&metrics::sysmem_utilization, on_5x, multi_context_on_some, {}, only_50_52},
    {&metrics::sysmem_utilization, on_6x, multi_context_on_some, {}, only_60_61},
    {&metrics::sysmem_write_bytes, on_3x | on_5x, multi_context_on_some, formulas::four_slices::sysmem_write_bytes},
    {&metrics::sysmem_write_bytes, since_6x, multi_context_on_some, formulas::two_slices::sysmem_write_bytes},
    {&metrics::sysmem_write_throughput, on_3x | on_5x, multi_context_on_some, formulas::four_slices::sysmem_write_throughput},
    {&metrics::sysmem_write_throughput, since_6x, multi_context_on_some, formulas::two_slices::sysmem_write_throughput},
    {&metrics::sysmem_write_transactions, on_3x | on_5x, multi_context_on_some, formulas::four_slices::sysmem_write_transactions},
    {&metrics::sysmem_write_transactions, since_6x, multi_context_on_some, formulas::two_slices::sysmem_write_transactions},
    {&metrics::sysmem_write_utilization, on_3x | on_70, multi_context_on_some, {}},
    {&metrics::sysmem_write_utilization, on_5x, multi_context_on_some, {}, only_50_52},
    {&metrics::sysmem_write_utilization, on_6x, multi_context_on_some, {}, only_60_61},
    {&metrics::tensor_int_fu_utilization, on_70, multi_context, {}, only_72},
    {&metrics::tensor_precision_fu_utilization, on_70, multi_context, {}},
    {&metrics::tex_cache_hit_rate, on_2x, multi_context_on_some, formulas_2x::tex_cache_hit_rate, any_revision, formulas_21::tex_cache_hit_rate},
    {&metrics::tex_cache_hit_rate, on_3x, multi_context_on_some, formulas_3x::tex_cache_hit_rate},
    {&metrics::tex_cache_hit_rate, on_5x, multi_context_on_some, formulas_5x::tex_cache_hit_rate},
    {&metrics::tex_cache_hit_rate, on_6x, multi_context_on_some, formulas_6x::tex_cache_hit_rate},
    {&metrics::tex_cache_hit_rate, on_70, multi_context_on_some, {}},
    {&metrics::tex_cache_throughput, on_2x, multi_context_on_some, formulas_2x::tex_cache_throughput, any_revision, formulas_21::tex_cache_throughput},
    {&metrics::tex_cache_throughput, since_3x, multi_context_on_some, {}},
    {&metrics::tex_cache_transactions, since_3x, multi_context_on_some, {}},
    {&metrics::tex_fu_utilization, since_3x, multi_context, {}},
    {&metrics::tex_utilization, since_3x, multi_context_on_some, {}},
    {&metrics::texture_load_requests, since_5x, multi_context, {}},
    {&metrics::unique_warps_launched, on_6x, multi_context, {}},
    {&metrics::warp_execution_efficiency, on_2x, multi_context, formulas_2x::warp_execution_efficiency, any_revision, formulas_21::warp_execution_efficiency},
    {&metrics::warp_execution_efficiency, since_3x, multi_context, formulas::warp_execution_efficiency},
    {&metrics::warp_nonpred_execution_efficiency, since_3x, multi_context, formulas::warp_nonpred_execution_efficiency},
};
} // namespace rows

[[nodiscard]] consteval std::size_t count_metrics(capability_family family) noexcept {
    std::size_t count = 0;
    for (metric_row const& row : rows::metrics_by_family) count += row.is_on(family);
    return count;
}
template <capability_family Family>
[[nodiscard]] consteval auto metrics_in() noexcept {
    std::array<legacy_metric_row, count_metrics(Family)> found{};
    std::size_t at = 0;
    for (metric_row const& row : rows::metrics_by_family)
        if (row.is_on(Family)) found[at++] = {row.metric, row.scope_on(Family), row.formula, row.only, row.wider};
    return found;
}

inline constexpr auto rows_2x = metrics_in<capability_family::cc_2x>();
inline constexpr auto rows_3x = metrics_in<capability_family::cc_3x>();
inline constexpr auto rows_5x = metrics_in<capability_family::cc_5x>();
inline constexpr auto rows_6x = metrics_in<capability_family::cc_6x>();
inline constexpr auto rows_70 = metrics_in<capability_family::cc_70>();
} // namespace legacy::detail

namespace legacy {
// All 28 metrics of the capability-2.x formulas, and what follows from their events.
inline constexpr legacy_metric_set metrics_2x{capability_family::cc_2x, detail::rows_2x};
// As CUPTI 11.8 lists them for capability 3.5. Left out are the transactions of global and local
// accesses (gld_transactions and the like): 3.x counts accesses of 32 to 128 bytes there, later
// capabilities sectors, and a name has one unit.
inline constexpr legacy_metric_set metrics_3x{capability_family::cc_3x, detail::rows_3x};
// All 161 metrics of table 4 (CUPTI 12.0, 2.6.1.1).
inline constexpr legacy_metric_set metrics_5x{capability_family::cc_5x, detail::rows_5x};
// All 178 metrics of table 5 (CUPTI 12.0, 2.6.1.2). CUPTI leaves out of inst_per_warp what
// preemption adds.
inline constexpr legacy_metric_set metrics_6x{capability_family::cc_6x, detail::rows_6x};
// All 175 metrics of table 6 (CUPTI 12.0, 2.6.1.3), which is of 7.0 and 7.2.
inline constexpr legacy_metric_set metrics_70{capability_family::cc_70, detail::rows_70};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_METRIC_ROWS_HPP
