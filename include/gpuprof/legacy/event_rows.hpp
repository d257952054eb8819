// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which events and event domains each capability family has.
#ifndef GPUPROF_LEGACY_EVENT_ROWS_HPP
#define GPUPROF_LEGACY_EVENT_ROWS_HPP

#include <array>
#include <cstddef>
#include <span>

#include "../detail/config.hpp"
#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace legacy::detail {

// clang-format off
inline constexpr event_domain domains_2x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "L1 and texture caches."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache and device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions and warps."},
};
inline constexpr event_domain domains_3x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Texture and read-only caches."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache and device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions, warps and L1 cache."},
};
inline constexpr event_domain domains_5x[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Texture caches and elapsed cycles."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "Device memory."},
    {"domain_c", event_collection::instrumented, event_instances::device, "Memory instructions by width, counted by added code."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions, warps and shared memory."},
    {"domain_e", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache, slices 0 and 1."},
    {"domain_f", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache, slices 2 and 3."},
};
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
inline constexpr event_domain domains_70[]{
    {"domain_a", event_collection::performance_monitor, event_instances::multiprocessor, "Cycles, pipes and shared memory."},
    {"domain_b", event_collection::performance_monitor, event_instances::memory_partition, "Device memory."},
    {"domain_d", event_collection::multiprocessor, event_instances::multiprocessor, "Instructions and warps."},
    {"domain_e", event_collection::performance_monitor, event_instances::memory_partition, "L2 cache."},
    {"domain_p", event_collection::performance_monitor, event_instances::device, "PCIe."},
    {"domain_s", event_collection::performance_monitor, event_instances::device, "The system clock."},
};

// An event, and the letter of its domain on 2.x, 3.x, 5.x, 6.x and 7.0, in this order; '-' where a
// family lacks it. A row for some devices of a family alone is about that family alone.
struct event_row {
    event_descriptor const* event;
    char const* domains;
    capability_revisions only = any_revision;
};

inline constexpr capability_revisions only_20 = 1 << 0, only_21 = 1 << 1;
inline constexpr event_row event_rows[]{
    // Launches and activity.
    {&events::warps_launched, "ddddd"},
    {&events::threads_launched, "dd---"},
    {&events::sm_cta_launched, "add-d"},
    {&events::active_cycles, "dddqd"},
    {&events::active_warps, "ddddd"},
    {&events::active_ctas, "--d--"},
    {&events::active_cycles_pm, "---aa"},
    {&events::active_warps_pm, "---aa"},
    {&events::active_cycles_sys, "----s"},
    {&events::active_cycles_in_trap, "---l-"},
    {&events::elapsed_cycles_sm, "-aaqa"},
    {&events::elapsed_cycles_pm, "---aa"},
    {&events::elapsed_cycles_sys, "----s"},
    // Instructions: executed counts leave out replays, issued counts have them in.
    {&events::inst_executed, "ddddd"},
    {&events::inst_executed_in_trap, "---d-"},
    {&events::inst_issued, "d----", only_20},
    {&events::inst_issued0, "--ddd"},
    {&events::inst_issued1, "-dddd"},
    {&events::inst_issued2, "-ddd-"},
    {&events::inst_issued1_0, "d----", only_21},
    {&events::inst_issued2_0, "d----", only_21},
    {&events::inst_issued1_1, "d----", only_21},
    {&events::inst_issued2_1, "d----", only_21},
    {&events::thread_inst_executed, "-dddd"},
    {&events::thread_inst_executed_0, "d----"},
    {&events::thread_inst_executed_1, "d----"},
    {&events::thread_inst_executed_2, "d----", only_21},
    {&events::thread_inst_executed_3, "d----", only_21},
    {&events::not_predicated_off_thread_inst_executed, "-dddd"},
    {&events::branch, "d-dd-"},
    {&events::divergent_branch, "d-dd-"},
    {&events::inst_executed_fma_pipe_s0, "----a"},
    {&events::inst_executed_fma_pipe_s1, "----a"},
    {&events::inst_executed_fma_pipe_s2, "----a"},
    {&events::inst_executed_fma_pipe_s3, "----a"},
    {&events::inst_executed_fp16_pipe_s0, "----a"},
    {&events::inst_executed_fp16_pipe_s1, "----a"},
    {&events::inst_executed_fp16_pipe_s2, "----a"},
    {&events::inst_executed_fp16_pipe_s3, "----a"},
    {&events::inst_executed_fp64_pipe_s0, "----a"},
    {&events::inst_executed_fp64_pipe_s1, "----a"},
    {&events::inst_executed_fp64_pipe_s2, "----a"},
    {&events::inst_executed_fp64_pipe_s3, "----a"},
    {&events::tensor_pipe_active_cycles_s0, "----a"},
    {&events::tensor_pipe_active_cycles_s1, "----a"},
    {&events::tensor_pipe_active_cycles_s2, "----a"},
    {&events::tensor_pipe_active_cycles_s3, "----a"},
    {&events::prof_trigger_00, "ddddd"},
    {&events::prof_trigger_01, "ddddd"},
    {&events::prof_trigger_02, "ddddd"},
    {&events::prof_trigger_03, "ddddd"},
    {&events::prof_trigger_04, "ddddd"},
    {&events::prof_trigger_05, "ddddd"},
    {&events::prof_trigger_06, "ddddd"},
    {&events::prof_trigger_07, "ddddd"},
    // Memory instructions, by warp.
    {&events::gld_request, "dd---"},
    {&events::gst_request, "dd---"},
    {&events::generic_load, "---dd"},
    {&events::generic_store, "---dd"},
    {&events::global_load, "--ddd"},
    {&events::global_store, "--ddd"},
    {&events::local_load, "ddddd"},
    {&events::local_store, "ddddd"},
    {&events::shared_load, "ddddd"},
    {&events::shared_store, "ddddd"},
    {&events::atom_count, "ddddd"},
    {&events::atom_cas_count, "-d---"},
    {&events::global_atom_cas, "--ddd"},
    {&events::gred_count, "ddddd"},
    {&events::shared_atom, "--ddd"},
    {&events::shared_atom_cas, "--d-d"},
    {&events::inst_executed_shared_atom_cas, "---d-"},
    // Memory instructions, by thread and width of the access.
    {&events::gld_inst_8bit, "cccc-"},
    {&events::gld_inst_16bit, "cccc-"},
    {&events::gld_inst_32bit, "cccc-"},
    {&events::gld_inst_64bit, "cccc-"},
    {&events::gld_inst_128bit, "cccc-"},
    {&events::gst_inst_8bit, "cccc-"},
    {&events::gst_inst_16bit, "cccc-"},
    {&events::gst_inst_32bit, "cccc-"},
    {&events::gst_inst_64bit, "cccc-"},
    {&events::gst_inst_128bit, "cccc-"},
    {&events::rocache_gld_inst_8bit, "-c---"},
    {&events::rocache_gld_inst_16bit, "-c---"},
    {&events::rocache_gld_inst_32bit, "-c---"},
    {&events::rocache_gld_inst_64bit, "-c---"},
    {&events::rocache_gld_inst_128bit, "-c---"},
    // Shared memory.
    {&events::l1_shared_bank_conflict, "a----"},
    {&events::shared_ld_bank_conflict, "--dpa"},
    {&events::shared_st_bank_conflict, "--dpa"},
    {&events::shared_ld_transactions, "--dpa"},
    {&events::shared_st_transactions, "--dpa"},
    {&events::l1_shared_load_transactions, "-d---"},
    {&events::l1_shared_store_transactions, "-d---"},
    {&events::shared_load_replay, "-d---"},
    {&events::shared_store_replay, "-d---"},
    // L1 cache; a line is 128 bytes, a transaction one access of 32 to 128 bytes.
    {&events::l1_local_load_hit, "ad---"},
    {&events::l1_local_load_miss, "ad---"},
    {&events::l1_local_store_hit, "ad---"},
    {&events::l1_local_store_miss, "ad---"},
    {&events::l1_global_load_hit, "ad---"},
    {&events::l1_global_load_miss, "ad---"},
    {&events::local_load_transactions, "-d---"},
    {&events::local_store_transactions, "-d---"},
    {&events::l1_global_load_transactions, "-d---"},
    {&events::l1_global_store_transactions, "-d---"},
    {&events::uncached_global_load_transaction, "ad---"},
    {&events::global_store_transaction, "ad---"},
    {&events::global_ld_mem_divergence_replays, "-d---"},
    {&events::global_st_mem_divergence_replays, "-d---"},
    // Texture and read-only caches.
    {&events::tex0_cache_sector_queries, "aaaa-"},
    {&events::tex1_cache_sector_queries, "-aaa-"},
    {&events::tex1_cache_sector_queries, "a----", only_21},
    {&events::tex2_cache_sector_queries, "-a---"},
    {&events::tex3_cache_sector_queries, "-a---"},
    {&events::tex0_cache_sector_misses, "aaaa-"},
    {&events::tex1_cache_sector_misses, "-aaa-"},
    {&events::tex1_cache_sector_misses, "a----", only_21},
    {&events::tex2_cache_sector_misses, "-a---"},
    {&events::tex3_cache_sector_misses, "-a---"},
    {&events::rocache_subp0_gld_warp_count_32b, "-a---"},
    {&events::rocache_subp1_gld_warp_count_32b, "-a---"},
    {&events::rocache_subp2_gld_warp_count_32b, "-a---"},
    {&events::rocache_subp3_gld_warp_count_32b, "-a---"},
    {&events::rocache_subp0_gld_warp_count_64b, "-a---"},
    {&events::rocache_subp1_gld_warp_count_64b, "-a---"},
    {&events::rocache_subp2_gld_warp_count_64b, "-a---"},
    {&events::rocache_subp3_gld_warp_count_64b, "-a---"},
    {&events::rocache_subp0_gld_warp_count_128b, "-a---"},
    {&events::rocache_subp1_gld_warp_count_128b, "-a---"},
    {&events::rocache_subp2_gld_warp_count_128b, "-a---"},
    {&events::rocache_subp3_gld_warp_count_128b, "-a---"},
    {&events::rocache_subp0_gld_thread_count_32b, "-a---"},
    {&events::rocache_subp1_gld_thread_count_32b, "-a---"},
    {&events::rocache_subp2_gld_thread_count_32b, "-a---"},
    {&events::rocache_subp3_gld_thread_count_32b, "-a---"},
    {&events::rocache_subp0_gld_thread_count_64b, "-a---"},
    {&events::rocache_subp1_gld_thread_count_64b, "-a---"},
    {&events::rocache_subp2_gld_thread_count_64b, "-a---"},
    {&events::rocache_subp3_gld_thread_count_64b, "-a---"},
    {&events::rocache_subp0_gld_thread_count_128b, "-a---"},
    {&events::rocache_subp1_gld_thread_count_128b, "-a---"},
    {&events::rocache_subp2_gld_thread_count_128b, "-a---"},
    {&events::rocache_subp3_gld_thread_count_128b, "-a---"},
    // L2 cache, by slice.
    {&events::l2_subp0_read_sector_misses, "bbeee"},
    {&events::l2_subp1_read_sector_misses, "bbeee"},
    {&events::l2_subp2_read_sector_misses, "-bf--"},
    {&events::l2_subp3_read_sector_misses, "-bf--"},
    {&events::l2_subp0_write_sector_misses, "bbeee"},
    {&events::l2_subp1_write_sector_misses, "bbeee"},
    {&events::l2_subp2_write_sector_misses, "-bf--"},
    {&events::l2_subp3_write_sector_misses, "-bf--"},
    {&events::l2_subp0_read_sector_queries, "b----"},
    {&events::l2_subp1_read_sector_queries, "b----"},
    {&events::l2_subp0_write_sector_queries, "b----"},
    {&events::l2_subp1_write_sector_queries, "b----"},
    {&events::l2_subp0_read_hit_sectors, "b----"},
    {&events::l2_subp1_read_hit_sectors, "b----"},
    {&events::l2_subp0_read_l1_sector_queries, "-b---"},
    {&events::l2_subp1_read_l1_sector_queries, "-b---"},
    {&events::l2_subp2_read_l1_sector_queries, "-b---"},
    {&events::l2_subp3_read_l1_sector_queries, "-b---"},
    {&events::l2_subp0_write_l1_sector_queries, "-b---"},
    {&events::l2_subp1_write_l1_sector_queries, "-b---"},
    {&events::l2_subp2_write_l1_sector_queries, "-b---"},
    {&events::l2_subp3_write_l1_sector_queries, "-b---"},
    {&events::l2_subp0_read_l1_hit_sectors, "-b---"},
    {&events::l2_subp1_read_l1_hit_sectors, "-b---"},
    {&events::l2_subp2_read_l1_hit_sectors, "-b---"},
    {&events::l2_subp3_read_l1_hit_sectors, "-b---"},
    {&events::l2_subp0_read_tex_sector_queries, "bbeee"},
    {&events::l2_subp1_read_tex_sector_queries, "bbeee"},
    {&events::l2_subp2_read_tex_sector_queries, "-bf--"},
    {&events::l2_subp3_read_tex_sector_queries, "-bf--"},
    {&events::l2_subp0_write_tex_sector_queries, "--eee"},
    {&events::l2_subp1_write_tex_sector_queries, "--eee"},
    {&events::l2_subp2_write_tex_sector_queries, "--f--"},
    {&events::l2_subp3_write_tex_sector_queries, "--f--"},
    {&events::l2_subp0_read_tex_hit_sectors, "bbeee"},
    {&events::l2_subp1_read_tex_hit_sectors, "bbeee"},
    {&events::l2_subp2_read_tex_hit_sectors, "-bf--"},
    {&events::l2_subp3_read_tex_hit_sectors, "-bf--"},
    {&events::l2_subp0_write_tex_hit_sectors, "--eee"},
    {&events::l2_subp1_write_tex_hit_sectors, "--eee"},
    {&events::l2_subp2_write_tex_hit_sectors, "--f--"},
    {&events::l2_subp3_write_tex_hit_sectors, "--f--"},
    {&events::l2_subp0_read_sysmem_sector_queries, "-beee"},
    {&events::l2_subp1_read_sysmem_sector_queries, "-beee"},
    {&events::l2_subp2_read_sysmem_sector_queries, "-bf--"},
    {&events::l2_subp3_read_sysmem_sector_queries, "-bf--"},
    {&events::l2_subp0_write_sysmem_sector_queries, "-beee"},
    {&events::l2_subp1_write_sysmem_sector_queries, "-beee"},
    {&events::l2_subp2_write_sysmem_sector_queries, "-bf--"},
    {&events::l2_subp3_write_sysmem_sector_queries, "-bf--"},
    {&events::l2_subp0_total_read_sector_queries, "-beee"},
    {&events::l2_subp1_total_read_sector_queries, "-beee"},
    {&events::l2_subp2_total_read_sector_queries, "-bf--"},
    {&events::l2_subp3_total_read_sector_queries, "-bf--"},
    {&events::l2_subp0_total_write_sector_queries, "-beee"},
    {&events::l2_subp1_total_write_sector_queries, "-beee"},
    {&events::l2_subp2_total_write_sector_queries, "-bf--"},
    {&events::l2_subp3_total_write_sector_queries, "-bf--"},
    // Device memory and PCIe.
    {&events::fb_subp0_read_sectors, "bbbbb"},
    {&events::fb_subp1_read_sectors, "bbbbb"},
    {&events::fb_subp0_write_sectors, "bbbbb"},
    {&events::fb_subp1_write_sectors, "bbbbb"},
    {&events::fb0_subp0_read_sectors, "b----"},
    {&events::fb0_subp1_read_sectors, "b----"},
    {&events::fb0_subp0_write_sectors, "b----"},
    {&events::fb0_subp1_write_sectors, "b----"},
    {&events::fb1_subp0_read_sectors, "b--b-"},
    {&events::fb1_subp1_read_sectors, "b--b-"},
    {&events::fb1_subp0_write_sectors, "b--b-"},
    {&events::fb1_subp1_write_sectors, "b--b-"},
    {&events::pcie_rx_active_pulse, "----p"},
    {&events::pcie_tx_active_pulse, "----p"},
};
// clang-format on

// Whether a row is about an event of the family that the domain counts.
[[nodiscard]] constexpr bool is_counted_in(event_row const& row, capability_family family,
                                           event_domain const& domain) noexcept {
    return row.domains[static_cast<unsigned>(family)] == domain.name[sizeof "domain_" - 1];
}

[[nodiscard]] consteval std::size_t count_events(capability_family family) noexcept {
    std::size_t count = 0;
    for (event_row const& row : event_rows) count += row.domains[static_cast<unsigned>(family)] != '-';
    return count;
}

// The events of a family, domain by domain.
template <capability_family Family>
[[nodiscard]] consteval auto events_in(std::span<event_domain const> domains) noexcept {
    std::array<event_place, count_events(Family)> places{};
    std::size_t at = 0;
    for (std::size_t domain = 0; domain < domains.size(); ++domain)
        for (event_row const& row : event_rows)
            if (is_counted_in(row, Family, domains[domain]))
                places[at++] = {row.event, static_cast<unsigned char>(domain), row.only};
    return places;
}

inline constexpr auto places_2x = events_in<capability_family::cc_2x>(domains_2x);
inline constexpr auto places_3x = events_in<capability_family::cc_3x>(domains_3x);
inline constexpr auto places_5x = events_in<capability_family::cc_5x>(domains_5x);
inline constexpr auto places_6x = events_in<capability_family::cc_6x>(domains_6x);
inline constexpr auto places_70 = events_in<capability_family::cc_70>(domains_70);
} // namespace legacy::detail

namespace legacy {
// As listed for capability 2.0 and 2.1; capability 2.1 has no inst_issued but the four counts by
// pipeline, and it alone has thread_inst_executed_2 and _3 and tex1. There is no event of elapsed
// cycles.
inline constexpr event_set events_2x{capability_family::cc_2x, detail::domains_2x, detail::places_2x};
// As CUPTI 11.8 lists them for capability 3.5; 3.0 and 3.2 have fewer texture caches and L2 slices.
inline constexpr event_set events_3x{capability_family::cc_3x, detail::domains_3x, detail::places_3x};
// As CUPTI 11.8 lists them for capability 5.0 and 5.2; 5.3 has no device memory, domain_c or
// domain_f.
inline constexpr event_set events_5x{capability_family::cc_5x, detail::domains_5x, detail::places_5x};
// As CUPTI 11.8 lists them for capability 6.0; 6.1 and 6.2 have fewer domains, with the same names
// in others.
inline constexpr event_set events_6x{capability_family::cc_6x, detail::domains_6x, detail::places_6x};
// As CUPTI 11.8 and 12 list them for capability 7.0; 7.2 has fewer.
inline constexpr event_set events_70{capability_family::cc_70, detail::domains_70, detail::places_70};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EVENT_ROWS_HPP
