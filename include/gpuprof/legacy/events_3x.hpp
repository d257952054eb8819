// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event domains and events of capability 3.x. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_EVENTS_3X_HPP
#define GPUPROF_LEGACY_EVENTS_3X_HPP

#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::detail {
inline constexpr event_domain domains_3x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Texture and read-only caches."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache and device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions, warps and L1 cache."},
};

inline constexpr event_place places_3x[]{
    // domain_a
    {&events::tex0_cache_sector_queries, 0}, {&events::tex1_cache_sector_queries, 0},
    {&events::tex2_cache_sector_queries, 0}, {&events::tex3_cache_sector_queries, 0},
    {&events::tex0_cache_sector_misses, 0}, {&events::tex1_cache_sector_misses, 0},
    {&events::tex2_cache_sector_misses, 0}, {&events::tex3_cache_sector_misses, 0},
    {&events::rocache_subp0_gld_warp_count_32b, 0}, {&events::rocache_subp1_gld_warp_count_32b, 0},
    {&events::rocache_subp2_gld_warp_count_32b, 0}, {&events::rocache_subp3_gld_warp_count_32b, 0},
    {&events::rocache_subp0_gld_warp_count_64b, 0}, {&events::rocache_subp1_gld_warp_count_64b, 0},
    {&events::rocache_subp2_gld_warp_count_64b, 0}, {&events::rocache_subp3_gld_warp_count_64b, 0},
    {&events::rocache_subp0_gld_warp_count_128b, 0}, {&events::rocache_subp1_gld_warp_count_128b, 0},
    {&events::rocache_subp2_gld_warp_count_128b, 0}, {&events::rocache_subp3_gld_warp_count_128b, 0},
    {&events::rocache_subp0_gld_thread_count_32b, 0}, {&events::rocache_subp1_gld_thread_count_32b, 0},
    {&events::rocache_subp2_gld_thread_count_32b, 0}, {&events::rocache_subp3_gld_thread_count_32b, 0},
    {&events::rocache_subp0_gld_thread_count_64b, 0}, {&events::rocache_subp1_gld_thread_count_64b, 0},
    {&events::rocache_subp2_gld_thread_count_64b, 0}, {&events::rocache_subp3_gld_thread_count_64b, 0},
    {&events::rocache_subp0_gld_thread_count_128b, 0}, {&events::rocache_subp1_gld_thread_count_128b, 0},
    {&events::rocache_subp2_gld_thread_count_128b, 0}, {&events::rocache_subp3_gld_thread_count_128b, 0},
    {&events::elapsed_cycles_sm, 0},
    // domain_b
    {&events::fb_subp0_read_sectors, 1}, {&events::fb_subp1_read_sectors, 1}, {&events::fb_subp0_write_sectors, 1},
    {&events::fb_subp1_write_sectors, 1}, {&events::l2_subp0_write_sector_misses, 1},
    {&events::l2_subp1_write_sector_misses, 1}, {&events::l2_subp2_write_sector_misses, 1},
    {&events::l2_subp3_write_sector_misses, 1}, {&events::l2_subp0_read_sector_misses, 1},
    {&events::l2_subp1_read_sector_misses, 1}, {&events::l2_subp2_read_sector_misses, 1},
    {&events::l2_subp3_read_sector_misses, 1}, {&events::l2_subp0_write_l1_sector_queries, 1},
    {&events::l2_subp1_write_l1_sector_queries, 1}, {&events::l2_subp2_write_l1_sector_queries, 1},
    {&events::l2_subp3_write_l1_sector_queries, 1}, {&events::l2_subp0_read_l1_sector_queries, 1},
    {&events::l2_subp1_read_l1_sector_queries, 1}, {&events::l2_subp2_read_l1_sector_queries, 1},
    {&events::l2_subp3_read_l1_sector_queries, 1}, {&events::l2_subp0_read_l1_hit_sectors, 1},
    {&events::l2_subp1_read_l1_hit_sectors, 1}, {&events::l2_subp2_read_l1_hit_sectors, 1},
    {&events::l2_subp3_read_l1_hit_sectors, 1}, {&events::l2_subp0_read_tex_sector_queries, 1},
    {&events::l2_subp1_read_tex_sector_queries, 1}, {&events::l2_subp2_read_tex_sector_queries, 1},
    {&events::l2_subp3_read_tex_sector_queries, 1}, {&events::l2_subp0_read_tex_hit_sectors, 1},
    {&events::l2_subp1_read_tex_hit_sectors, 1}, {&events::l2_subp2_read_tex_hit_sectors, 1},
    {&events::l2_subp3_read_tex_hit_sectors, 1}, {&events::l2_subp0_read_sysmem_sector_queries, 1},
    {&events::l2_subp1_read_sysmem_sector_queries, 1}, {&events::l2_subp2_read_sysmem_sector_queries, 1},
    {&events::l2_subp3_read_sysmem_sector_queries, 1}, {&events::l2_subp0_write_sysmem_sector_queries, 1},
    {&events::l2_subp1_write_sysmem_sector_queries, 1}, {&events::l2_subp2_write_sysmem_sector_queries, 1},
    {&events::l2_subp3_write_sysmem_sector_queries, 1}, {&events::l2_subp0_total_read_sector_queries, 1},
    {&events::l2_subp1_total_read_sector_queries, 1}, {&events::l2_subp2_total_read_sector_queries, 1},
    {&events::l2_subp3_total_read_sector_queries, 1}, {&events::l2_subp0_total_write_sector_queries, 1},
    {&events::l2_subp1_total_write_sector_queries, 1}, {&events::l2_subp2_total_write_sector_queries, 1},
    {&events::l2_subp3_total_write_sector_queries, 1},
    // domain_c
    {&events::gld_inst_8bit, 2}, {&events::gld_inst_16bit, 2}, {&events::gld_inst_32bit, 2},
    {&events::gld_inst_64bit, 2}, {&events::gld_inst_128bit, 2}, {&events::gst_inst_8bit, 2},
    {&events::gst_inst_16bit, 2}, {&events::gst_inst_32bit, 2}, {&events::gst_inst_64bit, 2},
    {&events::gst_inst_128bit, 2}, {&events::rocache_gld_inst_8bit, 2}, {&events::rocache_gld_inst_16bit, 2},
    {&events::rocache_gld_inst_32bit, 2}, {&events::rocache_gld_inst_64bit, 2}, {&events::rocache_gld_inst_128bit, 2},
    // domain_d
    {&events::prof_trigger_00, 3}, {&events::prof_trigger_01, 3}, {&events::prof_trigger_02, 3},
    {&events::prof_trigger_03, 3}, {&events::prof_trigger_04, 3}, {&events::prof_trigger_05, 3},
    {&events::prof_trigger_06, 3}, {&events::prof_trigger_07, 3}, {&events::warps_launched, 3},
    {&events::threads_launched, 3}, {&events::inst_issued1, 3}, {&events::inst_issued2, 3},
    {&events::inst_executed, 3}, {&events::thread_inst_executed, 3},
    {&events::not_predicated_off_thread_inst_executed, 3}, {&events::atom_count, 3}, {&events::atom_cas_count, 3},
    {&events::gred_count, 3}, {&events::shared_load, 3}, {&events::shared_store, 3}, {&events::local_load, 3},
    {&events::local_store, 3}, {&events::gld_request, 3}, {&events::gst_request, 3}, {&events::active_cycles, 3},
    {&events::active_warps, 3}, {&events::sm_cta_launched, 3}, {&events::local_load_transactions, 3},
    {&events::local_store_transactions, 3}, {&events::l1_shared_load_transactions, 3},
    {&events::l1_shared_store_transactions, 3}, {&events::l1_global_load_transactions, 3},
    {&events::l1_global_store_transactions, 3}, {&events::l1_local_load_hit, 3}, {&events::l1_local_load_miss, 3},
    {&events::l1_local_store_hit, 3}, {&events::l1_local_store_miss, 3}, {&events::l1_global_load_hit, 3},
    {&events::l1_global_load_miss, 3}, {&events::uncached_global_load_transaction, 3},
    {&events::global_store_transaction, 3}, {&events::shared_load_replay, 3}, {&events::shared_store_replay, 3},
    {&events::global_ld_mem_divergence_replays, 3}, {&events::global_st_mem_divergence_replays, 3},
};
} // namespace legacy::detail

namespace legacy {
// As CUPTI 11.8 lists them for capability 3.5; 3.0 and 3.2 have fewer texture caches and L2 slices.
inline constexpr event_set events_3x{capability_family::cc_3x, detail::domains_3x, detail::places_3x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENTS_3X_HPP
