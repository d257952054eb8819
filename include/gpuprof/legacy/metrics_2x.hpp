// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics of capability 2.x and their formulas. Layer: vocabulary, data; includes no CUDA header.
// clang-format off
#ifndef GPUPROF_LEGACY_METRICS_2X_HPP
#define GPUPROF_LEGACY_METRICS_2X_HPP

#include "formulas.hpp"
#include "metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

// From the capability-2.x metric formulas. Where the document spells an event in several ways or not as CUPTI does, CUPTI's
// spelling stands here; other corrections are beside their lines.
namespace legacy::formulas_2x {
using namespace formulas;

// A conflict replays its instruction once, and so does a line that misses.
inline constexpr quantity<unit_of(instruction) / unit_of(bank_conflict)> replay_per_conflict{1};
inline constexpr quantity<unit_of(instruction) / unit_of(line)> replay_per_line{1};

// The document's elapsed_clocks is no event of CUPTI's; it is how long the range took, in the multiprocessors' clock.
inline constexpr auto elapsed_cycles = in_unit(properties::gpu_time * properties::clock_rate, unit_of(cycle_gpc));
// Counted by pipeline on 2.0, where the document has one thread_inst_executed.
inline constexpr auto thread_inst_executed = events::thread_inst_executed_0 + events::thread_inst_executed_1;
inline constexpr auto l2_read_sectors = events::l2_subp0_read_sector_queries + events::l2_subp1_read_sector_queries;    // also l2_subp…_read_requests there
inline constexpr auto l2_write_sectors = events::l2_subp0_write_sector_queries + events::l2_subp1_write_sector_queries; // l2_subp…_write_requests there

inline constexpr auto sm_efficiency = percent{100} * (events::active_cycles / properties::multiprocessor_count) / elapsed_cycles;
// For one multiprocessor: calculated from the count of one domain instance.
inline constexpr auto sm_efficiency_instance = percent{100} * events::active_cycles / elapsed_cycles;
inline constexpr auto ipc = (events::inst_executed / properties::multiprocessor_count) / elapsed_cycles;
// For one multiprocessor, too.
inline constexpr auto ipc_instance = events::inst_executed / elapsed_cycles;
// Without the factor 100 in the document, though a percentage like its neighbours.
inline constexpr auto warp_execution_efficiency = percent{100} * thread_inst_executed / (events::inst_executed * properties::warp_size);
inline constexpr auto inst_replay_overhead = percent{100} * (events::inst_issued - events::inst_executed) / events::inst_issued;
inline constexpr auto shared_replay_overhead = percent{100} * (events::l1_shared_bank_conflict * replay_per_conflict) / events::inst_issued; // inst_issue there
inline constexpr auto global_cache_replay_overhead = percent{100} * (events::l1_global_load_miss * replay_per_line) / events::inst_issued; // global_load_miss there
inline constexpr auto local_replay_overhead = percent{100} * ((events::l1_local_load_miss + events::l1_local_store_miss) * replay_per_line) / events::inst_issued; // local_load_miss, local_store_miss there
// Reads of L2 serve local loads too: a line for each that missed.
inline constexpr auto gld_throughput = per_second(events::l1_global_load_hit * bytes_per_line + l2_read_sectors * bytes_per_sector - events::l1_local_load_miss * bytes_per_line); // global_load_hit, l1_local_ld_miss there
// A local load that misses evicts a line, which is written. The document lacks the opening bracket of the numerator.
inline constexpr auto gst_throughput = per_second(l2_write_sectors * bytes_per_sector - events::l1_local_load_miss * bytes_per_line);
inline constexpr auto gld_efficiency = percent{100} * gld_requested_throughput / gld_throughput;
inline constexpr auto gst_efficiency = percent{100} * gst_requested_throughput / gst_throughput;
inline constexpr auto l1_cache_global_hit_rate = percent{100} * events::l1_global_load_hit / (events::l1_global_load_hit + events::l1_global_load_miss); // l1_global_ld_… there
inline constexpr auto l1_cache_local_hit_rate = percent{100} * (events::l1_local_load_hit + events::l1_local_store_hit) / (events::l1_local_load_hit + events::l1_local_load_miss + events::l1_local_store_hit + events::l1_local_store_miss); // l1_local_ld_…, l1_local_st_… there
inline constexpr auto tex_cache_hit_rate = percent{100} * (events::tex0_cache_sector_queries - events::tex0_cache_sector_misses) / events::tex0_cache_sector_queries; // tex0_cache_misses there
inline constexpr auto tex_cache_throughput = per_second(events::tex0_cache_sector_queries * bytes_per_sector); // tex_cache_sector_queries there
inline constexpr auto l2_l1_read_hit_rate = percent{100} * (events::l2_subp0_read_hit_sectors + events::l2_subp1_read_hit_sectors) / l2_read_sectors;
inline constexpr auto l2_l1_read_throughput = per_second(l2_read_sectors * bytes_per_sector);
inline constexpr auto local_memory_overhead = percent{100} * (2 * events::l1_local_load_miss * bytes_per_line) / ((l2_read_sectors + l2_write_sectors) * bytes_per_sector);

// Not in the document: these follow from the events alone.
inline constexpr auto inst_issued = expression_of(events::inst_issued);

// Device memory whose partitions are counted by halves.
namespace two_halves {
inline constexpr auto dram_read_transactions = events::fb0_subp0_read_sectors + events::fb0_subp1_read_sectors + events::fb1_subp0_read_sectors + events::fb1_subp1_read_sectors;
inline constexpr auto dram_write_transactions = events::fb0_subp0_write_sectors + events::fb0_subp1_write_sectors + events::fb1_subp0_write_sectors + events::fb1_subp1_write_sectors;
inline constexpr auto dram_read_bytes = dram_read_transactions * bytes_per_sector;
inline constexpr auto dram_write_bytes = dram_write_transactions * bytes_per_sector;
inline constexpr auto dram_read_throughput = per_second(dram_read_bytes);
inline constexpr auto dram_write_throughput = per_second(dram_write_bytes);
inline constexpr auto dram_utilization = level((dram_read_bytes + dram_write_bytes) / properties::gpu_time / properties::memory_bandwidth);
} // namespace two_halves
} // namespace legacy::formulas_2x

// The same formulas where there are four pipelines, two schedulers that issue one or two instructions, and two texture
// units: capability 2.1. The document names neither; the events do.
namespace legacy::formulas_21 {
using namespace formulas_2x;

inline constexpr auto inst_issued = events::inst_issued1_0 + events::inst_issued1_1 + (events::inst_issued2_0 + events::inst_issued2_1) * 2;
inline constexpr auto thread_inst_executed = events::thread_inst_executed_0 + events::thread_inst_executed_1 + events::thread_inst_executed_2 + events::thread_inst_executed_3;
inline constexpr auto warp_execution_efficiency = percent{100} * thread_inst_executed / (events::inst_executed * properties::warp_size);
inline constexpr auto inst_replay_overhead = percent{100} * (inst_issued - events::inst_executed) / inst_issued;
inline constexpr auto shared_replay_overhead = percent{100} * (events::l1_shared_bank_conflict * replay_per_conflict) / inst_issued;
inline constexpr auto global_cache_replay_overhead = percent{100} * (events::l1_global_load_miss * replay_per_line) / inst_issued;
inline constexpr auto local_replay_overhead = percent{100} * ((events::l1_local_load_miss + events::l1_local_store_miss) * replay_per_line) / inst_issued;
inline constexpr auto tex_queries = events::tex0_cache_sector_queries + events::tex1_cache_sector_queries;
inline constexpr auto tex_cache_hit_rate = percent{100} * (tex_queries - (events::tex0_cache_sector_misses + events::tex1_cache_sector_misses)) / tex_queries;
inline constexpr auto tex_cache_throughput = per_second(tex_queries * bytes_per_sector);
} // namespace legacy::formulas_21

namespace legacy::detail {
inline constexpr legacy_metric_row rows_2x[]{
    {&metrics::achieved_occupancy, legacy_metric_scope::unstated, formulas::achieved_occupancy},
    {&metrics::branch_efficiency, legacy_metric_scope::unstated, formulas::branch_efficiency},
    {&metrics::dram_read_bytes, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_read_bytes, any_revision, formulas_2x::two_halves::dram_read_bytes},
    {&metrics::dram_read_throughput, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_read_throughput, any_revision, formulas_2x::two_halves::dram_read_throughput},
    {&metrics::dram_read_transactions, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_read_transactions, any_revision, formulas_2x::two_halves::dram_read_transactions},
    {&metrics::dram_utilization, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_utilization, any_revision, formulas_2x::two_halves::dram_utilization},
    {&metrics::dram_write_bytes, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_write_bytes, any_revision, formulas_2x::two_halves::dram_write_bytes},
    {&metrics::dram_write_throughput, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_write_throughput, any_revision, formulas_2x::two_halves::dram_write_throughput},
    {&metrics::dram_write_transactions, legacy_metric_scope::unstated, formulas::two_subpartitions::dram_write_transactions, any_revision, formulas_2x::two_halves::dram_write_transactions},
    {&metrics::gld_efficiency, legacy_metric_scope::unstated, formulas_2x::gld_efficiency},
    {&metrics::gld_requested_throughput, legacy_metric_scope::unstated, formulas::gld_requested_throughput},
    {&metrics::gld_throughput, legacy_metric_scope::unstated, formulas_2x::gld_throughput},
    {&metrics::global_cache_replay_overhead, legacy_metric_scope::unstated, formulas_2x::global_cache_replay_overhead, any_revision, formulas_21::global_cache_replay_overhead},
    {&metrics::gst_efficiency, legacy_metric_scope::unstated, formulas_2x::gst_efficiency},
    {&metrics::gst_requested_throughput, legacy_metric_scope::unstated, formulas::gst_requested_throughput},
    {&metrics::gst_throughput, legacy_metric_scope::unstated, formulas_2x::gst_throughput},
    {&metrics::inst_executed, legacy_metric_scope::unstated, formulas::inst_executed},
    {&metrics::inst_executed_local_loads, legacy_metric_scope::unstated, formulas::inst_executed_local_loads},
    {&metrics::inst_executed_local_stores, legacy_metric_scope::unstated, formulas::inst_executed_local_stores},
    {&metrics::inst_executed_shared_loads, legacy_metric_scope::unstated, formulas::inst_executed_shared_loads},
    {&metrics::inst_executed_shared_stores, legacy_metric_scope::unstated, formulas::inst_executed_shared_stores},
    {&metrics::inst_issued, legacy_metric_scope::unstated, formulas_2x::inst_issued, any_revision, formulas_21::inst_issued},
    {&metrics::inst_per_warp, legacy_metric_scope::unstated, formulas::inst_per_warp},
    {&metrics::inst_replay_overhead, legacy_metric_scope::unstated, formulas_2x::inst_replay_overhead, any_revision, formulas_21::inst_replay_overhead},
    {&metrics::ipc, legacy_metric_scope::unstated, formulas_2x::ipc},
    {&metrics::ipc_instance, legacy_metric_scope::unstated, formulas_2x::ipc_instance},
    {&metrics::l1_cache_global_hit_rate, legacy_metric_scope::unstated, formulas_2x::l1_cache_global_hit_rate},
    {&metrics::l1_cache_local_hit_rate, legacy_metric_scope::unstated, formulas_2x::l1_cache_local_hit_rate},
    {&metrics::l2_l1_read_hit_rate, legacy_metric_scope::unstated, formulas_2x::l2_l1_read_hit_rate},
    {&metrics::l2_l1_read_throughput, legacy_metric_scope::unstated, formulas_2x::l2_l1_read_throughput},
    {&metrics::l2_tex_read_hit_rate, legacy_metric_scope::unstated, formulas::two_slices::l2_tex_read_hit_rate},
    {&metrics::l2_tex_read_throughput, legacy_metric_scope::unstated, formulas::two_slices::l2_tex_read_throughput},
    {&metrics::l2_tex_read_transactions, legacy_metric_scope::unstated, formulas::two_slices::l2_tex_read_transactions},
    {&metrics::local_memory_overhead, legacy_metric_scope::unstated, formulas_2x::local_memory_overhead},
    {&metrics::local_replay_overhead, legacy_metric_scope::unstated, formulas_2x::local_replay_overhead, any_revision, formulas_21::local_replay_overhead},
    {&metrics::shared_replay_overhead, legacy_metric_scope::unstated, formulas_2x::shared_replay_overhead, any_revision, formulas_21::shared_replay_overhead},
    {&metrics::sm_efficiency, legacy_metric_scope::unstated, formulas_2x::sm_efficiency},
    {&metrics::sm_efficiency_instance, legacy_metric_scope::unstated, formulas_2x::sm_efficiency_instance},
    {&metrics::tex_cache_hit_rate, legacy_metric_scope::unstated, formulas_2x::tex_cache_hit_rate, any_revision, formulas_21::tex_cache_hit_rate},
    {&metrics::tex_cache_throughput, legacy_metric_scope::unstated, formulas_2x::tex_cache_throughput, any_revision, formulas_21::tex_cache_throughput},
    {&metrics::warp_execution_efficiency, legacy_metric_scope::unstated, formulas_2x::warp_execution_efficiency, any_revision, formulas_21::warp_execution_efficiency},
};
} // namespace legacy::detail

namespace legacy {
// All 28 metrics of the capability-2.x formulas, and what follows from their events. The document states no scopes.
inline constexpr legacy_metric_set metrics_2x{capability_family::cc_2x, detail::rows_2x};
} // namespace legacy

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_METRICS_2X_HPP
