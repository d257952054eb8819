// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event domains and events of capability 5.x. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_EVENTS_5X_HPP
#define GPUPROF_LEGACY_EVENTS_5X_HPP

#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::detail {
inline constexpr event_domain domains_5x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Texture caches and elapsed cycles."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "Device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions, warps and shared memory."},
    {"domain_e", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache, slices 0 and 1."},
    {"domain_f", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache, slices 2 and 3."},
};

inline constexpr event_place places_5x[]{
    // domain_a
    {&events::tex0_cache_sector_queries, 0}, {&events::tex1_cache_sector_queries, 0},
    {&events::tex0_cache_sector_misses, 0}, {&events::tex1_cache_sector_misses, 0}, {&events::elapsed_cycles_sm, 0},
    // domain_b
    {&events::fb_subp0_read_sectors, 1}, {&events::fb_subp1_read_sectors, 1}, {&events::fb_subp0_write_sectors, 1},
    {&events::fb_subp1_write_sectors, 1},
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
    {&events::thread_inst_executed, 3}, {&events::not_predicated_off_thread_inst_executed, 3},
    {&events::local_store, 3}, {&events::local_load, 3}, {&events::shared_load, 3}, {&events::shared_store, 3},
    {&events::shared_atom_cas, 3}, {&events::shared_atom, 3}, {&events::global_atom_cas, 3}, {&events::atom_count, 3},
    {&events::gred_count, 3}, {&events::global_load, 3}, {&events::global_store, 3}, {&events::divergent_branch, 3},
    {&events::branch, 3}, {&events::active_cycles, 3}, {&events::active_warps, 3}, {&events::active_ctas, 3},
    {&events::sm_cta_launched, 3}, {&events::shared_ld_bank_conflict, 3}, {&events::shared_st_bank_conflict, 3},
    {&events::shared_ld_transactions, 3}, {&events::shared_st_transactions, 3},
    // domain_e
    {&events::l2_subp0_write_sector_misses, 4}, {&events::l2_subp0_read_sector_misses, 4},
    {&events::l2_subp1_write_sector_misses, 4}, {&events::l2_subp1_read_sector_misses, 4},
    {&events::l2_subp0_read_tex_sector_queries, 4}, {&events::l2_subp0_write_tex_sector_queries, 4},
    {&events::l2_subp0_read_tex_hit_sectors, 4}, {&events::l2_subp0_write_tex_hit_sectors, 4},
    {&events::l2_subp0_read_sysmem_sector_queries, 4}, {&events::l2_subp0_write_sysmem_sector_queries, 4},
    {&events::l2_subp0_total_read_sector_queries, 4}, {&events::l2_subp0_total_write_sector_queries, 4},
    {&events::l2_subp1_read_tex_sector_queries, 4}, {&events::l2_subp1_write_tex_sector_queries, 4},
    {&events::l2_subp1_read_tex_hit_sectors, 4}, {&events::l2_subp1_write_tex_hit_sectors, 4},
    {&events::l2_subp1_read_sysmem_sector_queries, 4}, {&events::l2_subp1_write_sysmem_sector_queries, 4},
    {&events::l2_subp1_total_read_sector_queries, 4}, {&events::l2_subp1_total_write_sector_queries, 4},
    // domain_f
    {&events::l2_subp2_write_sector_misses, 5}, {&events::l2_subp2_read_sector_misses, 5},
    {&events::l2_subp3_write_sector_misses, 5}, {&events::l2_subp3_read_sector_misses, 5},
    {&events::l2_subp2_read_tex_sector_queries, 5}, {&events::l2_subp2_write_tex_sector_queries, 5},
    {&events::l2_subp2_read_tex_hit_sectors, 5}, {&events::l2_subp2_write_tex_hit_sectors, 5},
    {&events::l2_subp2_read_sysmem_sector_queries, 5}, {&events::l2_subp2_write_sysmem_sector_queries, 5},
    {&events::l2_subp2_total_read_sector_queries, 5}, {&events::l2_subp2_total_write_sector_queries, 5},
    {&events::l2_subp3_read_tex_sector_queries, 5}, {&events::l2_subp3_write_tex_sector_queries, 5},
    {&events::l2_subp3_read_tex_hit_sectors, 5}, {&events::l2_subp3_write_tex_hit_sectors, 5},
    {&events::l2_subp3_read_sysmem_sector_queries, 5}, {&events::l2_subp3_write_sysmem_sector_queries, 5},
    {&events::l2_subp3_total_read_sector_queries, 5}, {&events::l2_subp3_total_write_sector_queries, 5},
};
} // namespace legacy::detail

namespace legacy {
// As CUPTI 11.8 lists them for capability 5.0 and 5.2; 5.3 has no device memory, domain_c or domain_f.
inline constexpr event_set events_5x{capability_family::cc_5x, detail::domains_5x, detail::places_5x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENTS_5X_HPP
