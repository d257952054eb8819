// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event domains and events of capability 6.x. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_EVENTS_6X_HPP
#define GPUPROF_LEGACY_EVENTS_6X_HPP

#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::detail {
inline constexpr event_domain domains_6x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Texture caches and monitored cycles."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "Device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions and warps."},
    {"domain_e", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache."},
    {"domain_l", event_collection::multiprocessor, event_instances::multiprocessor, "The trap handler."},
    {"domain_p", event_collection::multiprocessor, event_instances::multiprocessor, "Shared memory."},
    {"domain_q", event_collection::performance_monitor, event_instances::multiprocessor, "Active and elapsed cycles."},
};

inline constexpr event_place places_6x[]{
    // domain_a
    {&events::active_cycles_pm, 0}, {&events::active_warps_pm, 0}, {&events::tex0_cache_sector_queries, 0},
    {&events::tex1_cache_sector_queries, 0}, {&events::tex0_cache_sector_misses, 0},
    {&events::tex1_cache_sector_misses, 0}, {&events::elapsed_cycles_pm, 0},
    // domain_b
    {&events::fb_subp0_read_sectors, 1}, {&events::fb_subp1_read_sectors, 1}, {&events::fb_subp0_write_sectors, 1},
    {&events::fb_subp1_write_sectors, 1}, {&events::fb1_subp0_read_sectors, 1}, {&events::fb1_subp1_read_sectors, 1},
    {&events::fb1_subp0_write_sectors, 1}, {&events::fb1_subp1_write_sectors, 1},
    // domain_c
    {&events::gld_inst_8bit, 2}, {&events::gld_inst_16bit, 2}, {&events::gld_inst_32bit, 2},
    {&events::gld_inst_64bit, 2}, {&events::gld_inst_128bit, 2}, {&events::gst_inst_8bit, 2},
    {&events::gst_inst_16bit, 2}, {&events::gst_inst_32bit, 2}, {&events::gst_inst_64bit, 2},
    {&events::gst_inst_128bit, 2},
    // domain_d
    {&events::prof_trigger_00, 3}, {&events::prof_trigger_01, 3}, {&events::prof_trigger_02, 3},
    {&events::prof_trigger_03, 3}, {&events::prof_trigger_04, 3}, {&events::prof_trigger_05, 3},
    {&events::prof_trigger_06, 3}, {&events::prof_trigger_07, 3}, {&events::warps_launched, 3},
    {&events::inst_issued0, 3}, {&events::inst_issued1, 3}, {&events::inst_issued2, 3}, {&events::inst_executed, 3},
    {&events::inst_executed_in_trap, 3}, {&events::thread_inst_executed, 3},
    {&events::not_predicated_off_thread_inst_executed, 3}, {&events::local_store, 3}, {&events::local_load, 3},
    {&events::shared_load, 3}, {&events::shared_store, 3}, {&events::inst_executed_shared_atom_cas, 3},
    {&events::shared_atom, 3}, {&events::global_atom_cas, 3}, {&events::atom_count, 3}, {&events::global_load, 3},
    {&events::global_store, 3}, {&events::generic_load, 3}, {&events::generic_store, 3}, {&events::gred_count, 3},
    {&events::divergent_branch, 3}, {&events::branch, 3}, {&events::active_warps, 3},
    // domain_e
    {&events::l2_subp0_write_sector_misses, 4}, {&events::l2_subp1_write_sector_misses, 4},
    {&events::l2_subp0_read_sector_misses, 4}, {&events::l2_subp1_read_sector_misses, 4},
    {&events::l2_subp0_read_tex_sector_queries, 4}, {&events::l2_subp0_write_tex_sector_queries, 4},
    {&events::l2_subp0_read_tex_hit_sectors, 4}, {&events::l2_subp0_write_tex_hit_sectors, 4},
    {&events::l2_subp0_read_sysmem_sector_queries, 4}, {&events::l2_subp0_write_sysmem_sector_queries, 4},
    {&events::l2_subp0_total_read_sector_queries, 4}, {&events::l2_subp0_total_write_sector_queries, 4},
    {&events::l2_subp1_read_tex_sector_queries, 4}, {&events::l2_subp1_write_tex_sector_queries, 4},
    {&events::l2_subp1_read_tex_hit_sectors, 4}, {&events::l2_subp1_write_tex_hit_sectors, 4},
    {&events::l2_subp1_read_sysmem_sector_queries, 4}, {&events::l2_subp1_write_sysmem_sector_queries, 4},
    {&events::l2_subp1_total_read_sector_queries, 4}, {&events::l2_subp1_total_write_sector_queries, 4},
    // domain_l
    {&events::active_cycles_in_trap, 5},
    // domain_p
    {&events::shared_ld_bank_conflict, 6}, {&events::shared_st_bank_conflict, 6},
    {&events::shared_ld_transactions, 6}, {&events::shared_st_transactions, 6},
    // domain_q
    {&events::active_cycles, 7}, {&events::elapsed_cycles_sm, 7},
};
} // namespace legacy::detail

namespace legacy {
// As CUPTI 11.8 lists them for capability 6.0; 6.1 and 6.2 have fewer domains, with the same names in others.
inline constexpr event_set events_6x{capability_family::cc_6x, detail::domains_6x, detail::places_6x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENTS_6X_HPP
