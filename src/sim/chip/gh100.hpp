// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An H200, capability 9.0. Pure data. Unit counts, counters a pass and peaks as an H200 under CUPTI
// 13.0 reported them.
#ifndef GPUPROF_SRC_SIM_CHIP_GH100_HPP
#define GPUPROF_SRC_SIM_CHIP_GH100_HPP

#include <cstddef>

#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/detail/config.hpp>
#include "chip_model.hpp"
#include "measured.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr chip_model gh100{
    .chip_name = "GH100",
    .device_name = "gpuprof embedded GPU (GH100)",
    .compute = compute_capability{9, 0},
    .instances = {.gpu = 1, .gpc = 8, .sm = 132, .smsp = 528, .l1tex = 132, .lts = 94, .dram = 48, .pcie = 1},
    .counters_per_pass = {.gpu = 8, .gpc = 4, .sm = 4, .smsp = 4, .l1tex = 2, .lts = 5, .dram = 6, .pcie = 2},
    .threads_per_sm = 2048,
    .ctas_per_sm = 32,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 233472,
    .shared_bytes_per_cta = 232448,
    .l1_bytes = 262144,
    .l2_bytes = 62914560,
    .launch_bytes = 2304,
    .memory_bytes = std::size_t{141} << 30,
    .sys_hz = 1.6e9,
    .gpc_hz = 1.98e9,
    .l2_hz = 1.755e9,
    .dram_hz = 3.201e9,
    .pipes = {.alu = 2, .fma = 4, .imad = 2, .fp64 = 2, .xu = 0.5, .tensor = 0.5, .mma = 0.655},
    .peaks = {.dram_bytes = 31.3333333,
              .dram_sectors = 0.979166667,
              .fma = 4,
              .uniform = 2,
              .ldgsts = 1,
              .ldsm = 1,
              .later = 1},
    .lanes = {.issues = 4, .fp32 = 128, .fp64 = 64, .fp16 = 256},
    .shared_preferred = {.shared = 233472, .l1 = 32768, .equal = 65536},
    .shared = {.reserved = 1024, .unit = 128},
    .l2 = {.partitions = 2, .reads_pairs = true, .joins = 4, .slice_bytes = 512, .dirty_ways = 7},
    .link = {.pcie_generation = 5, .megatransfers = 32000, .bytes_per_nanosecond = 51.2},
    .launch = {.empty_seconds = 1.54e-6, .begin_seconds = 0.08e-6, .ctas_a_second = 1.66e9},
    .latency = h200_latency,
    .rates = h200_rates,
    .sass = {.loads_constants = true,
             .sets_up_global_memory = true,
             .finds_shared_memory = true,
             .unrolls_loops = true,
             .converts_words_by_alu = true},
    .events = no_events,
    .has_warpgroups = true,
    .has_clusters = true,
    .has_sass_metrics = true,
    .samples_program_counter = true,
    .samples_latency = true,
    .runs_any_ptx = false,
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_GH100_HPP
