// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Tesla K40, capability 3.5. Pure data.
#ifndef GPUPROF_SRC_SIM_CHIP_GK110B_HPP
#define GPUPROF_SRC_SIM_CHIP_GK110B_HPP

#include <cstddef>

#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/detail/config.hpp>
#include <gpuprof/legacy/event_rows.hpp>
#include "chip_model.hpp"
#include "measured.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr chip_model gk110b{
    .chip_name = "GK110B",
    .device_name = "gpuprof embedded GPU (GK110B, runs any PTX)",
    .compute = compute_capability{3, 5},
    .instances = {.gpu = 1, .gpc = 5, .sm = 15, .smsp = 60, .l1tex = 15, .lts = 24, .dram = 3, .pcie = 1},
    .counters_per_pass = {.gpu = 0, .gpc = 0, .sm = 0, .smsp = 0, .l1tex = 0, .lts = 0, .dram = 0, .pcie = 0},
    .threads_per_sm = 2048,
    .ctas_per_sm = 16,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 49152,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 65536,
    .l2_bytes = 1572864,
    .launch_bytes = 0,
    .memory_bytes = std::size_t{12} << 30,
    .sys_hz = 745e6,
    .gpc_hz = 875e6,
    .l2_hz = 745e6,
    .dram_hz = 3.004e9,
    .pipes = {.alu = 2, .fma = 2, .imad = 2, .fp64 = 1, .xu = 0.5, .tensor = 0.25, .mma = 0.25},
    .peaks = {.dram_bytes = 32,
              .dram_sectors = 1,
              .fma = 2,
              .uniform = absent,
              .ldgsts = absent,
              .ldsm = absent,
              .later = absent},
    .lanes = {.issues = 8, .fp32 = 192, .fp64 = 64, .fp16 = 0},
    .shared_preferred = {.shared = 49152, .l1 = 16384, .equal = 32768},
    .shared = {.reserved = 0, .unit = 256},
    .l2 = {.partitions = 1, .reads_pairs = false, .joins = 1, .slice_bytes = 0, .dirty_ways = 16},
    .link = {.pcie_generation = 3, .megatransfers = 8000, .bytes_per_nanosecond = 12.8},
    .launch = {.empty_seconds = 1.5e-6, .begin_seconds = 0, .ctas_a_second = 745e6},
    // Unverified: nothing was measured.
    .latency = with_arithmetic(11, 11, 11),
    .rates = h200_rates,
    .sass = {.loads_constants = false,
             .sets_up_global_memory = false,
             .finds_shared_memory = false,
             .unrolls_loops = false,
             .converts_words_by_alu = false},
    .events = {.set = &legacy::events_3x,
               .memory_partitions = 6,
               .multiprocessor_counters = 8,
               .counts_half_of_its_first_domain = false,
               .halves_memory_partitions = false},
    .has_warpgroups = false,
    .has_clusters = false,
    .has_sass_metrics = false,
    .samples_program_counter = false,
    .samples_latency = false,
    .runs_any_ptx = true,
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_GK110B_HPP
