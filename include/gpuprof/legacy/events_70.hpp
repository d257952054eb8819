// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event domains and events of capability 7.0. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_EVENTS_70_HPP
#define GPUPROF_LEGACY_EVENTS_70_HPP

#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::detail {
inline constexpr event_domain domains_70[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Cycles, pipes and shared memory."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "Device memory."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions and warps."},
    {"domain_e", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache."},
    {"domain_p", event_collection::performance_monitor, event_instances::device, "PCIe."},
    {"domain_s", event_collection::performance_monitor, event_instances::device, "The system clock."},
};

inline constexpr event_place places_70[]{
    // domain_a
    {&events::active_cycles_pm, 0}, {&events::active_warps_pm, 0}, {&events::shared_ld_transactions, 0},
    {&events::shared_st_transactions, 0}, {&events::elapsed_cycles_sm, 0}, {&events::elapsed_cycles_pm, 0},
    {&events::inst_executed_fp16_pipe_s0, 0}, {&events::inst_executed_fp16_pipe_s1, 0},
    {&events::inst_executed_fp16_pipe_s2, 0}, {&events::inst_executed_fp16_pipe_s3, 0},
    {&events::inst_executed_fp64_pipe_s0, 0}, {&events::inst_executed_fp64_pipe_s1, 0},
    {&events::inst_executed_fp64_pipe_s2, 0}, {&events::inst_executed_fp64_pipe_s3, 0},
    {&events::inst_executed_fma_pipe_s0, 0}, {&events::inst_executed_fma_pipe_s1, 0},
    {&events::inst_executed_fma_pipe_s2, 0}, {&events::inst_executed_fma_pipe_s3, 0},
    {&events::shared_ld_bank_conflict, 0}, {&events::shared_st_bank_conflict, 0},
    {&events::tensor_pipe_active_cycles_s0, 0}, {&events::tensor_pipe_active_cycles_s1, 0},
    {&events::tensor_pipe_active_cycles_s2, 0}, {&events::tensor_pipe_active_cycles_s3, 0},
    // domain_b
    {&events::fb_subp0_read_sectors, 1}, {&events::fb_subp1_read_sectors, 1}, {&events::fb_subp0_write_sectors, 1},
    {&events::fb_subp1_write_sectors, 1},
    // domain_d
    {&events::active_cycles, 2}, {&events::active_warps, 2}, {&events::prof_trigger_00, 2},
    {&events::prof_trigger_01, 2}, {&events::prof_trigger_02, 2}, {&events::prof_trigger_03, 2},
    {&events::prof_trigger_04, 2}, {&events::prof_trigger_05, 2}, {&events::prof_trigger_06, 2},
    {&events::prof_trigger_07, 2}, {&events::inst_issued0, 2}, {&events::inst_issued1, 2},
    {&events::inst_executed, 2}, {&events::thread_inst_executed, 2},
    {&events::not_predicated_off_thread_inst_executed, 2}, {&events::generic_load, 2}, {&events::generic_store, 2},
    {&events::atom_count, 2}, {&events::global_atom_cas, 2}, {&events::gred_count, 2}, {&events::global_load, 2},
    {&events::global_store, 2}, {&events::local_load, 2}, {&events::local_store, 2}, {&events::shared_atom, 2},
    {&events::shared_atom_cas, 2}, {&events::shared_load, 2}, {&events::shared_store, 2},
    {&events::warps_launched, 2}, {&events::sm_cta_launched, 2},
    // domain_e
    {&events::l2_subp0_write_sector_misses, 3}, {&events::l2_subp1_write_sector_misses, 3},
    {&events::l2_subp0_read_sector_misses, 3}, {&events::l2_subp1_read_sector_misses, 3},
    {&events::l2_subp0_read_tex_sector_queries, 3}, {&events::l2_subp0_write_tex_sector_queries, 3},
    {&events::l2_subp0_read_tex_hit_sectors, 3}, {&events::l2_subp0_write_tex_hit_sectors, 3},
    {&events::l2_subp0_read_sysmem_sector_queries, 3}, {&events::l2_subp0_write_sysmem_sector_queries, 3},
    {&events::l2_subp0_total_read_sector_queries, 3}, {&events::l2_subp0_total_write_sector_queries, 3},
    {&events::l2_subp1_read_tex_sector_queries, 3}, {&events::l2_subp1_write_tex_sector_queries, 3},
    {&events::l2_subp1_read_tex_hit_sectors, 3}, {&events::l2_subp1_write_tex_hit_sectors, 3},
    {&events::l2_subp1_read_sysmem_sector_queries, 3}, {&events::l2_subp1_write_sysmem_sector_queries, 3},
    {&events::l2_subp1_total_read_sector_queries, 3}, {&events::l2_subp1_total_write_sector_queries, 3},
    // domain_p
    {&events::pcie_tx_active_pulse, 4}, {&events::pcie_rx_active_pulse, 4},
    // domain_s
    {&events::elapsed_cycles_sys, 5}, {&events::active_cycles_sys, 5},
};
} // namespace legacy::detail

namespace legacy {
// As CUPTI 11.8 and 12 list them for capability 7.0; 7.2 has fewer.
inline constexpr event_set events_70{capability_family::cc_70, detail::domains_70, detail::places_70};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENTS_70_HPP
