// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event domains and events of capability 2.x. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_EVENTS_2X_HPP
#define GPUPROF_LEGACY_EVENTS_2X_HPP

#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace legacy::detail {
inline constexpr event_domain domains_2x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "L1 and texture caches."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache and device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions and warps."},
};

inline constexpr capability_revisions only_20 = 1 << 0, only_21 = 1 << 1;
inline constexpr event_place places_2x[]{
    // domain_a
    {&events::sm_cta_launched, 0}, {&events::l1_local_load_hit, 0}, {&events::l1_local_load_miss, 0},
    {&events::l1_local_store_hit, 0}, {&events::l1_local_store_miss, 0}, {&events::l1_global_load_hit, 0},
    {&events::l1_global_load_miss, 0}, {&events::uncached_global_load_transaction, 0},
    {&events::global_store_transaction, 0}, {&events::l1_shared_bank_conflict, 0},
    {&events::tex0_cache_sector_queries, 0}, {&events::tex0_cache_sector_misses, 0},
    {&events::tex1_cache_sector_queries, 0, only_21}, {&events::tex1_cache_sector_misses, 0, only_21},
    // domain_b
    {&events::l2_subp0_write_sector_misses, 1}, {&events::l2_subp1_write_sector_misses, 1},
    {&events::l2_subp0_read_sector_misses, 1}, {&events::l2_subp1_read_sector_misses, 1},
    {&events::l2_subp0_write_sector_queries, 1}, {&events::l2_subp1_write_sector_queries, 1},
    {&events::l2_subp0_read_sector_queries, 1}, {&events::l2_subp1_read_sector_queries, 1},
    {&events::l2_subp0_read_hit_sectors, 1}, {&events::l2_subp1_read_hit_sectors, 1},
    {&events::l2_subp0_read_tex_sector_queries, 1}, {&events::l2_subp1_read_tex_sector_queries, 1},
    {&events::l2_subp0_read_tex_hit_sectors, 1}, {&events::l2_subp1_read_tex_hit_sectors, 1},
    {&events::fb_subp0_read_sectors, 1}, {&events::fb_subp1_read_sectors, 1}, {&events::fb_subp0_write_sectors, 1},
    {&events::fb_subp1_write_sectors, 1}, {&events::fb0_subp0_read_sectors, 1}, {&events::fb0_subp1_read_sectors, 1},
    {&events::fb0_subp0_write_sectors, 1}, {&events::fb0_subp1_write_sectors, 1},
    {&events::fb1_subp0_read_sectors, 1}, {&events::fb1_subp1_read_sectors, 1}, {&events::fb1_subp0_write_sectors, 1},
    {&events::fb1_subp1_write_sectors, 1},
    // domain_c
    {&events::gld_inst_8bit, 2}, {&events::gld_inst_16bit, 2}, {&events::gld_inst_32bit, 2},
    {&events::gld_inst_64bit, 2}, {&events::gld_inst_128bit, 2}, {&events::gst_inst_8bit, 2},
    {&events::gst_inst_16bit, 2}, {&events::gst_inst_32bit, 2}, {&events::gst_inst_64bit, 2},
    {&events::gst_inst_128bit, 2},
    // domain_d
    {&events::branch, 3}, {&events::divergent_branch, 3}, {&events::warps_launched, 3},
    {&events::threads_launched, 3}, {&events::active_warps, 3}, {&events::active_cycles, 3}, {&events::local_load, 3},
    {&events::local_store, 3}, {&events::gld_request, 3}, {&events::gst_request, 3}, {&events::shared_load, 3},
    {&events::shared_store, 3}, {&events::atom_count, 3}, {&events::gred_count, 3}, {&events::prof_trigger_00, 3},
    {&events::prof_trigger_01, 3}, {&events::prof_trigger_02, 3}, {&events::prof_trigger_03, 3},
    {&events::prof_trigger_04, 3}, {&events::prof_trigger_05, 3}, {&events::prof_trigger_06, 3},
    {&events::prof_trigger_07, 3}, {&events::inst_issued, 3, only_20}, {&events::inst_issued1_0, 3, only_21},
    {&events::inst_issued2_0, 3, only_21}, {&events::inst_issued1_1, 3, only_21}, {&events::inst_issued2_1, 3, only_21},
    {&events::inst_executed, 3}, {&events::thread_inst_executed_0, 3}, {&events::thread_inst_executed_1, 3},
    {&events::thread_inst_executed_2, 3, only_21}, {&events::thread_inst_executed_3, 3, only_21},
};
} // namespace legacy::detail

namespace legacy {
// As listed for capability 2.0 and 2.1; capability 2.1 has no inst_issued but the four counts by pipeline, and it alone
// has thread_inst_executed_2 and _3 and tex1. There is no event of elapsed cycles.
inline constexpr event_set events_2x{capability_family::cc_2x, detail::domains_2x, detail::places_2x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENTS_2X_HPP
