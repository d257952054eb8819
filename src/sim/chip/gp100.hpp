// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Tesla P100 of 16 GiB, capability 6.0. Pure data.
#ifndef GPUPROF_SRC_SIM_CHIP_GP100_HPP
#define GPUPROF_SRC_SIM_CHIP_GP100_HPP

#include <cstddef>

#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/detail/config.hpp>
#include <gpuprof/legacy/event_rows.hpp>
#include "chip_model.hpp"
#include "measured.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr chip_model gp100{
    .chip_name = "GP100",
    .device_name = "gpuprof embedded GPU (GP100, runs any PTX)",
    .compute = compute_capability{6, 0},
    .instances = {.gpu = 1, .gpc = 6, .sm = 56, .smsp = 112, .l1tex = 56, .lts = 32, .dram = 32, .pcie = 1},
    .counters_per_pass = {.gpu = 0, .gpc = 0, .sm = 0, .smsp = 0, .l1tex = 0, .lts = 0, .dram = 0, .pcie = 0},
    .threads_per_sm = 2048,
    .ctas_per_sm = 32,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 65536,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 24576,
    .l2_bytes = 4194304,
    .launch_bytes = 0,
    .memory_bytes = std::size_t{16} << 30,
    .sys_hz = 1.1e9,
    .gpc_hz = 1.48e9,
    .l2_hz = 1.3e9,
    .dram_hz = 715e6,
    .pipes = {.alu = 2, .fma = 2, .imad = 2, .fp64 = 1, .xu = 0.5, .tensor = 0.25, .mma = 0.25},
    .peaks = {.dram_bytes = 32,
              .dram_sectors = 1,
              .fma = 2,
              .uniform = absent,
              .ldgsts = absent,
              .ldsm = absent,
              .later = absent},
    .lanes = {.issues = 4, .fp32 = 64, .fp64 = 32, .fp16 = 128},
    .shared_preferred = {.shared = 65536, .l1 = 65536, .equal = 65536},
    .shared = {.reserved = 0, .unit = 256},
    .l2 = {.partitions = 1, .reads_pairs = false, .joins = 1, .slice_bytes = 0, .dirty_ways = 16},
    .link = {.pcie_generation = 3, .megatransfers = 8000, .bytes_per_nanosecond = 12.8},
    .launch = {.empty_seconds = 1.5e-6, .begin_seconds = 0, .ctas_a_second = 1.1e9},
    // Unverified: nothing was measured.
    .latency = with_arithmetic(6, 6, 8),
    .rates = h200_rates,
    .sass = {.loads_constants = false,
             .sets_up_global_memory = false,
             .finds_shared_memory = false,
             .unrolls_loops = false,
             .converts_words_by_alu = false},
    .events = {.set = &legacy::events_6x,
               .memory_partitions = 8,
               .multiprocessor_counters = 8,
               .counts_half_of_its_first_domain = false,
               .halves_memory_partitions = false},
    .has_warpgroups = false,
    .has_clusters = false,
    .has_sass_metrics = false,
    .samples_program_counter = true,
    .samples_latency = true,
    .runs_any_ptx = true,
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_GP100_HPP
