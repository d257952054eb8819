// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of metrics that one capability family computes in its own way.
// clang-format off
#ifndef GPUPROF_LEGACY_FAMILY_FORMULAS_HPP
#define GPUPROF_LEGACY_FAMILY_FORMULAS_HPP

#include "formulas.hpp"

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

namespace legacy::formulas_5x {
using namespace formulas;

inline constexpr quantity<unit_of(sector) / unit_of(cycle_gpc)> sectors_per_partition_cycle{8};
inline constexpr auto l2_utilization = level((four_slices::l2_read_transactions + four_slices::l2_write_transactions) * properties::multiprocessor_count / events::elapsed_cycles_sm / properties::frame_buffer_count / sectors_per_partition_cycle);
inline constexpr auto tex_queries = events::tex0_cache_sector_queries + events::tex1_cache_sector_queries;
// What L2 is asked for is what missed; writes always are.
inline constexpr auto tex_cache_hit_rate = percent{100} * (tex_queries - (four_slices::l2_tex_read_transactions + four_slices::l2_tex_write_transactions)) / tex_queries;
} // namespace legacy::formulas_5x

namespace legacy::formulas_6x {
using namespace formulas;

inline constexpr quantity<unit_of(sector) / unit_of(cycle_gpc)> sectors_per_unit_cycle{4};

// Device memory has two halves a partition, each with two sub-partitions.
inline constexpr auto dram_read_transactions = events::fb_subp0_read_sectors + events::fb_subp1_read_sectors + events::fb1_subp0_read_sectors + events::fb1_subp1_read_sectors;
inline constexpr auto dram_write_transactions = events::fb_subp0_write_sectors + events::fb_subp1_write_sectors + events::fb1_subp0_write_sectors + events::fb1_subp1_write_sectors;
inline constexpr auto dram_read_bytes = dram_read_transactions * bytes_per_sector;
inline constexpr auto dram_write_bytes = dram_write_transactions * bytes_per_sector;
inline constexpr auto dram_read_throughput = per_second(dram_read_bytes);
inline constexpr auto dram_write_throughput = per_second(dram_write_bytes);
inline constexpr auto dram_utilization = level((dram_read_bytes + dram_write_bytes) / properties::gpu_time / properties::memory_bandwidth);
inline constexpr auto inst_executed_shared_atomics = events::shared_atom + events::inst_executed_shared_atom_cas;
inline constexpr auto l2_utilization = level((two_slices::l2_read_transactions + two_slices::l2_write_transactions) * properties::multiprocessor_count / events::elapsed_cycles_sm / properties::l2_units / sectors_per_unit_cycle);
inline constexpr auto tex_queries = events::tex0_cache_sector_queries + events::tex1_cache_sector_queries;
// What L2 is asked for is what missed; writes always are.
inline constexpr auto tex_cache_hit_rate = percent{100} * (tex_queries - (two_slices::l2_tex_read_transactions + two_slices::l2_tex_write_transactions)) / tex_queries;
} // namespace legacy::formulas_6x

namespace legacy::formulas_70 {
using namespace formulas;

inline constexpr quantity<unit_of(sector) / unit_of(cycle_gpc)> sectors_per_unit_cycle{8};
inline constexpr quantity<unit_of(byte) / unit_of(cycle_pcie)> bytes_per_pulse{512};

// A scheduler issues one instruction a cycle.
inline constexpr auto inst_issued = expression_of(events::inst_issued1);
inline constexpr auto issue_slots = inst_issued;
inline constexpr auto issued_ipc = inst_issued / events::active_cycles;
inline constexpr auto issue_slot_utilization = percent{100} * issue_slots / events::active_cycles / properties::schedulers_per_multiprocessor;
inline constexpr auto inst_replay_overhead = percent{100} * (inst_issued - events::inst_executed) / events::inst_executed;
// CUPTI takes L2's misses, not the events of device memory.
inline constexpr auto dram_read_transactions = events::l2_subp0_read_sector_misses + events::l2_subp1_read_sector_misses;
inline constexpr auto dram_write_transactions = events::l2_subp0_write_sector_misses + events::l2_subp1_write_sector_misses;
inline constexpr auto dram_read_bytes = dram_read_transactions * bytes_per_sector;
inline constexpr auto dram_write_bytes = dram_write_transactions * bytes_per_sector;
inline constexpr auto dram_read_throughput = per_second(dram_read_bytes);
inline constexpr auto dram_write_throughput = per_second(dram_write_bytes);
inline constexpr auto dram_utilization = level((dram_read_bytes + dram_write_bytes) / properties::gpu_time / properties::memory_bandwidth);
inline constexpr auto pcie_total_data_received = events::pcie_rx_active_pulse * bytes_per_pulse;
inline constexpr auto pcie_total_data_transmitted = events::pcie_tx_active_pulse * bytes_per_pulse;
inline constexpr auto l2_utilization = level((two_slices::l2_read_transactions + two_slices::l2_write_transactions) * properties::multiprocessor_count / events::elapsed_cycles_sm / properties::l2_units / sectors_per_unit_cycle);
} // namespace legacy::formulas_70

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_FAMILY_FORMULAS_HPP
