// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas that several capability families share.
// clang-format off
#ifndef GPUPROF_LEGACY_FORMULAS_HPP
#define GPUPROF_LEGACY_FORMULAS_HPP

#include "expression.hpp"
#include "legacy_metric.hpp"
#include "events.hpp"

GPUPROF_NAMESPACE_BEGIN

// One line a metric. Counts are normalised: summed over all instances of their domain. Each formula gives what CUPTI 11.8
// computes for the same counts, but for levels, which CUPTI rounds up, and where a line says otherwise.
namespace legacy::formulas {
using enum dimension;

// The sizes and rates that turn counts of one thing into another.
inline constexpr quantity<unit_of(byte) / unit_of(sector)> bytes_per_sector{32};
inline constexpr quantity<unit_of(byte) / unit_of(line)> bytes_per_line{128};
inline constexpr quantity<unit_of(byte) / unit_of(wavefront)> bytes_per_wavefront{128}; // 32 banks of 4 bytes
inline constexpr quantity<unit_of(cycle_gpc) / unit_of(wavefront)> cycle_per_wavefront{1};
inline constexpr quantity<unit_of(instruction) / unit_of(request)> instruction_per_request{1};

// Something over the time it took, in "per second" whatever the unit of time.
template <class Amount>
[[nodiscard]] constexpr auto per_second(Amount const& amount) {
    auto const rate = amount / properties::gpu_time;
    return in_unit(rate, rate.value_unit * unit_of(second, -9) / unit_of(second));
}
// A plain ratio of 0 to 1 as a utilisation level of 0 to 10.
template <class Ratio>
[[nodiscard]] constexpr auto level(Ratio const& of) {
    return in_unit(of, tenth_unit);
}

inline constexpr auto achieved_occupancy = percent{100} * (events::active_warps / events::active_cycles) / properties::max_warps_per_multiprocessor;
inline constexpr auto sm_efficiency = percent{100} * events::active_cycles / events::elapsed_cycles_sm;
inline constexpr auto ipc = events::inst_executed / events::active_cycles;
inline constexpr auto inst_executed = expression_of(events::inst_executed);
inline constexpr auto inst_per_warp = events::inst_executed / events::warps_launched;
inline constexpr auto branch_efficiency = percent{100} * (events::branch - events::divergent_branch) / events::branch;
inline constexpr auto warp_execution_efficiency = percent{100} * events::thread_inst_executed / events::inst_executed / properties::warp_size;
inline constexpr auto warp_nonpred_execution_efficiency = percent{100} * events::not_predicated_off_thread_inst_executed / events::inst_executed / properties::warp_size;

// Schedulers that can issue two instructions at once: 3.x to 6.x.
namespace dual_issue {
inline constexpr auto issue_slots = events::inst_issued1 + events::inst_issued2;
inline constexpr auto inst_issued = events::inst_issued1 + events::inst_issued2 * 2;
inline constexpr auto issued_ipc = inst_issued / events::active_cycles;
inline constexpr auto issue_slot_utilization = percent{100} * issue_slots / events::active_cycles / properties::schedulers_per_multiprocessor;
inline constexpr auto inst_replay_overhead = percent{100} * (inst_issued - events::inst_executed) / events::inst_executed;
} // namespace dual_issue

// Memory instructions by warp. For loads and stores CUPTI reads counters of its own; the events say the same by their names.
inline constexpr auto inst_executed_global_loads = expression_of(events::global_load);
inline constexpr auto inst_executed_global_stores = expression_of(events::global_store);
inline constexpr auto inst_executed_local_loads = expression_of(events::local_load);
inline constexpr auto inst_executed_local_stores = expression_of(events::local_store);
inline constexpr auto inst_executed_shared_loads = expression_of(events::shared_load);
inline constexpr auto inst_executed_shared_stores = expression_of(events::shared_store);
inline constexpr auto inst_executed_global_atomics = events::atom_count + events::global_atom_cas;
inline constexpr auto inst_executed_global_reductions = expression_of(events::gred_count);
inline constexpr auto inst_executed_shared_atomics = events::shared_atom + events::shared_atom_cas;

// What threads asked for, by the width of the access.
namespace requested {
template <int Bytes>
inline constexpr quantity<unit_of(byte) / unit_of(instruction)> bytes_each{Bytes};
inline constexpr auto load_bytes = events::gld_inst_8bit * bytes_each<1> + events::gld_inst_16bit * bytes_each<2> + events::gld_inst_32bit * bytes_each<4> + events::gld_inst_64bit * bytes_each<8> + events::gld_inst_128bit * bytes_each<16>;
inline constexpr auto store_bytes = events::gst_inst_8bit * bytes_each<1> + events::gst_inst_16bit * bytes_each<2> + events::gst_inst_32bit * bytes_each<4> + events::gst_inst_64bit * bytes_each<8> + events::gst_inst_128bit * bytes_each<16>;
} // namespace requested
// From the capability-2.x formulas; on 5.x and 6.x CUPTI reads counters of its own.
inline constexpr auto gld_requested_throughput = per_second(requested::load_bytes);
inline constexpr auto gst_requested_throughput = per_second(requested::store_bytes);

inline constexpr auto shared_load_transactions = expression_of(events::shared_ld_transactions);
inline constexpr auto shared_store_transactions = expression_of(events::shared_st_transactions);
inline constexpr auto shared_load_throughput = per_second(events::shared_ld_transactions * bytes_per_wavefront);
inline constexpr auto shared_store_throughput = per_second(events::shared_st_transactions * bytes_per_wavefront);
inline constexpr auto shared_utilization = level((events::shared_ld_transactions + events::shared_st_transactions) * cycle_per_wavefront / events::elapsed_cycles_sm);
// By their descriptions; CUPTI reads counters of its own.
inline constexpr auto shared_load_transactions_per_request = events::shared_ld_transactions / events::shared_load * instruction_per_request;
inline constexpr auto shared_store_transactions_per_request = events::shared_st_transactions / events::shared_store * instruction_per_request;

// Device memory with two sub-partitions: 2.x to 5.x.
namespace two_subpartitions {
inline constexpr auto dram_read_transactions = events::fb_subp0_read_sectors + events::fb_subp1_read_sectors;
inline constexpr auto dram_write_transactions = events::fb_subp0_write_sectors + events::fb_subp1_write_sectors;
inline constexpr auto dram_read_bytes = dram_read_transactions * bytes_per_sector;
inline constexpr auto dram_write_bytes = dram_write_transactions * bytes_per_sector;
inline constexpr auto dram_read_throughput = per_second(dram_read_bytes);
inline constexpr auto dram_write_throughput = per_second(dram_write_bytes);
inline constexpr auto dram_utilization = level((dram_read_bytes + dram_write_bytes) / properties::gpu_time / properties::memory_bandwidth);
} // namespace two_subpartitions

// L2 with two slices a partition: 6.x and 7.0.
namespace two_slices {
inline constexpr auto l2_read_transactions = events::l2_subp0_total_read_sector_queries + events::l2_subp1_total_read_sector_queries;
inline constexpr auto l2_write_transactions = events::l2_subp0_total_write_sector_queries + events::l2_subp1_total_write_sector_queries;
inline constexpr auto l2_tex_read_transactions = events::l2_subp0_read_tex_sector_queries + events::l2_subp1_read_tex_sector_queries;
inline constexpr auto l2_tex_write_transactions = events::l2_subp0_write_tex_sector_queries + events::l2_subp1_write_tex_sector_queries;
inline constexpr auto l2_tex_read_hits = events::l2_subp0_read_tex_hit_sectors + events::l2_subp1_read_tex_hit_sectors;
inline constexpr auto l2_tex_write_hits = events::l2_subp0_write_tex_hit_sectors + events::l2_subp1_write_tex_hit_sectors;
inline constexpr auto sysmem_read_transactions = events::l2_subp0_read_sysmem_sector_queries + events::l2_subp1_read_sysmem_sector_queries; // CUPTI reads counters of its own
inline constexpr auto sysmem_write_transactions = events::l2_subp0_write_sysmem_sector_queries + events::l2_subp1_write_sysmem_sector_queries;
inline constexpr auto l2_read_throughput = per_second(l2_read_transactions * bytes_per_sector);
inline constexpr auto l2_write_throughput = per_second(l2_write_transactions * bytes_per_sector);
inline constexpr auto l2_tex_read_throughput = per_second(l2_tex_read_transactions * bytes_per_sector);
inline constexpr auto l2_tex_write_throughput = per_second(l2_tex_write_transactions * bytes_per_sector);
inline constexpr auto l2_tex_read_hit_rate = percent{100} * l2_tex_read_hits / l2_tex_read_transactions;
inline constexpr auto l2_tex_write_hit_rate = percent{100} * l2_tex_write_hits / l2_tex_write_transactions;
inline constexpr auto l2_tex_hit_rate = percent{100} * (l2_tex_read_hits + l2_tex_write_hits) / (l2_tex_read_transactions + l2_tex_write_transactions);
inline constexpr auto sysmem_read_bytes = sysmem_read_transactions * bytes_per_sector;
inline constexpr auto sysmem_write_bytes = sysmem_write_transactions * bytes_per_sector;
inline constexpr auto sysmem_read_throughput = per_second(sysmem_read_bytes);
inline constexpr auto sysmem_write_throughput = per_second(sysmem_write_bytes);
} // namespace two_slices

// L2 with four slices a partition: 3.x and 5.x.
namespace four_slices {
inline constexpr auto l2_read_transactions = two_slices::l2_read_transactions + events::l2_subp2_total_read_sector_queries + events::l2_subp3_total_read_sector_queries;
inline constexpr auto l2_write_transactions = two_slices::l2_write_transactions + events::l2_subp2_total_write_sector_queries + events::l2_subp3_total_write_sector_queries;
inline constexpr auto l2_tex_read_transactions = two_slices::l2_tex_read_transactions + events::l2_subp2_read_tex_sector_queries + events::l2_subp3_read_tex_sector_queries;
inline constexpr auto l2_tex_write_transactions = two_slices::l2_tex_write_transactions + events::l2_subp2_write_tex_sector_queries + events::l2_subp3_write_tex_sector_queries;
inline constexpr auto l2_tex_read_hits = two_slices::l2_tex_read_hits + events::l2_subp2_read_tex_hit_sectors + events::l2_subp3_read_tex_hit_sectors;
inline constexpr auto l2_tex_write_hits = two_slices::l2_tex_write_hits + events::l2_subp2_write_tex_hit_sectors + events::l2_subp3_write_tex_hit_sectors;
inline constexpr auto sysmem_read_transactions = two_slices::sysmem_read_transactions + events::l2_subp2_read_sysmem_sector_queries + events::l2_subp3_read_sysmem_sector_queries; // on 5.x CUPTI reads counters of its own
inline constexpr auto sysmem_write_transactions = two_slices::sysmem_write_transactions + events::l2_subp2_write_sysmem_sector_queries + events::l2_subp3_write_sysmem_sector_queries;
inline constexpr auto l2_read_throughput = per_second(l2_read_transactions * bytes_per_sector);
inline constexpr auto l2_write_throughput = per_second(l2_write_transactions * bytes_per_sector);
inline constexpr auto l2_tex_read_throughput = per_second(l2_tex_read_transactions * bytes_per_sector);
inline constexpr auto l2_tex_write_throughput = per_second(l2_tex_write_transactions * bytes_per_sector);
inline constexpr auto l2_tex_read_hit_rate = percent{100} * l2_tex_read_hits / l2_tex_read_transactions;
inline constexpr auto l2_tex_write_hit_rate = percent{100} * l2_tex_write_hits / l2_tex_write_transactions;
inline constexpr auto l2_tex_hit_rate = percent{100} * (l2_tex_read_hits + l2_tex_write_hits) / (l2_tex_read_transactions + l2_tex_write_transactions);
inline constexpr auto sysmem_read_bytes = sysmem_read_transactions * bytes_per_sector;
inline constexpr auto sysmem_write_bytes = sysmem_write_transactions * bytes_per_sector;
inline constexpr auto sysmem_read_throughput = per_second(sysmem_read_bytes);
inline constexpr auto sysmem_write_throughput = per_second(sysmem_write_bytes);

// What error correction adds is what device memory moved beyond L2's misses; CUPTI has it 0 where that is negative.
inline constexpr auto l2_read_misses = events::l2_subp0_read_sector_misses + events::l2_subp1_read_sector_misses + events::l2_subp2_read_sector_misses + events::l2_subp3_read_sector_misses;
inline constexpr auto l2_write_misses = events::l2_subp0_write_sector_misses + events::l2_subp1_write_sector_misses + events::l2_subp2_write_sector_misses + events::l2_subp3_write_sector_misses;
inline constexpr auto ecc_transactions = (two_subpartitions::dram_read_transactions + two_subpartitions::dram_write_transactions - (l2_read_misses + l2_write_misses)) * properties::ecc_enabled;
inline constexpr auto ecc_throughput = per_second(ecc_transactions * bytes_per_sector);
} // namespace four_slices

} // namespace legacy::formulas

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_FORMULAS_HPP
