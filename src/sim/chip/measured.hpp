// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Latencies and rates that were measured on an H200 (tests/hardware/last_time.txt; the last five latencies: last_short_launches.txt).
// Chips that nothing was measured on have them, too, but for arithmetic.
#ifndef GPUPROF_SRC_SIM_CHIP_MEASURED_HPP
#define GPUPROF_SRC_SIM_CHIP_MEASURED_HPP

#include <gpuprof/detail/config.hpp>

#include "chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr latency_traits h200_latency{.arithmetic = 4,
                                             .fp16 = 8,
                                             .fp64 = 8,
                                             .vote = 13,
                                             .matrix = 24,
                                             .special = 17,
                                             .shared = 23,
                                             .conflict = 2,
                                             .swap = 95,
                                             .constant = 11,
                                             .texture = 96,
                                             .l1 = 33,
                                             .l2 = 295,
                                             .dram = 660,
                                             .line = 2.2,
                                             .dram_line = 15,
                                             .most_sectors = 64,
                                             .branch = 20,
                                             .jump = 7,
                                             .parting = 15,
                                             .meeting = 10,
                                             .ret = 20,
                                             .barrier = 12.6,
                                             .barrier_per_warp = 2,
                                             .fence = 450,
                                             .cta_fence = 11,
                                             .next_cta = 200,
                                             .first_code = 2.3,
                                             .cold_jump = 120,
                                             .near_code = 2.2,
                                             .far_code = 5.7,
                                             .first_data = 220,
                                             .deviation = 125,
                                             .first_ctas = 40};

inline constexpr memory_rates h200_rates{.sm_loads = 2,
                                         .sm_stores = 1.1,
                                         .sm_store_requests = 0.92,
                                         .sm_reductions = 0.8,
                                         .l2_loads = 1.85,
                                         .l2_stores = 0.81,
                                         .l2_store_requests = 0.42,
                                         .l2_atomics = 0.55,
                                         .dram = 0.95,
                                         .dram_copies = 0.805,
                                         .dram_random = 0.6,
                                         .sm_swaps = 0.0232,
                                         .sm_constants = 0.5,
                                         .sm_textures = 0.25};

// The H200's latencies with those of another chip's arithmetic.
[[nodiscard]] constexpr latency_traits with_arithmetic(double words, double fp16, double fp64) noexcept {
    latency_traits made = h200_latency;
    made.arithmetic = words;
    made.fp16 = fp16;
    made.fp64 = fp64;
    return made;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_MEASURED_HPP
