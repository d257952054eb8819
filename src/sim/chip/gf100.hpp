// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Tesla C2050, capability 2.0. Pure data.
#ifndef GPUPROF_SRC_SIM_CHIP_GF100_HPP
#define GPUPROF_SRC_SIM_CHIP_GF100_HPP

#include <cstddef>

#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/detail/config.hpp>
#include <gpuprof/legacy/event_rows.hpp>
#include "chip_model.hpp"
#include "measured.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr chip_model gf100{
    .chip_name = "GF100",
    .device_name = "gpuprof embedded GPU (GF100, runs any PTX)",
    .compute = compute_capability{2, 0},
    .instances = {.gpu = 1, .gpc = 4, .sm = 14, .smsp = 28, .l1tex = 14, .lts = 12, .dram = 3, .pcie = 1},
    .counters_per_pass = {.gpu = 0, .gpc = 0, .sm = 0, .smsp = 0, .l1tex = 0, .lts = 0, .dram = 0, .pcie = 0},
    .threads_per_sm = 1536,
    .ctas_per_sm = 8,
    .registers_per_sm = 32768,
    .shared_bytes_per_sm = 49152,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 65536,
    .l2_bytes = 786432,
    .launch_bytes = 0,
    .memory_bytes = std::size_t{3} << 30,
    .sys_hz = 575e6,
    .gpc_hz = 1.15e9,
    .l2_hz = 575e6,
    .dram_hz = 1.5e9,
    .pipes = {.alu = 2, .fma = 2, .imad = 2, .fp64 = 1, .xu = 0.5, .tensor = 0.25, .mma = 0.25},
    .peaks = {.dram_bytes = 32,
              .dram_sectors = 1,
              .fma = 2,
              .uniform = absent,
              .ldgsts = absent,
              .ldsm = absent,
              .later = absent},
    .lanes = {.issues = 2, .fp32 = 32, .fp64 = 16, .fp16 = 0},
    .shared_preferred = {.shared = 49152, .l1 = 16384, .equal = 49152},
    .shared = {.reserved = 0, .unit = 256},
    .l2 = {.partitions = 1, .reads_pairs = false, .joins = 1, .slice_bytes = 0, .dirty_ways = 16},
    // Copies take as long as on the PCIe 3 of later chips.
    .link = {.pcie_generation = 2, .megatransfers = 5000, .bytes_per_nanosecond = 12.8},
    .launch = {.empty_seconds = 1.5e-6, .begin_seconds = 0, .ctas_a_second = 575e6},
    // Unverified: nothing was measured.
    .latency = with_arithmetic(22, 22, 22),
    .rates = h200_rates,
    .sass = {.loads_constants = false,
             .sets_up_global_memory = false,
             .finds_shared_memory = false,
             .unrolls_loops = false,
             .converts_words_by_alu = false},
    .events = {.set = &legacy::events_2x,
               .memory_partitions = 6,
               .multiprocessor_counters = 4,
               .counts_half_of_its_first_domain = true,
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

#endif // GPUPROF_SRC_SIM_CHIP_GF100_HPP
