// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares out the waiting time of a launch's warps to its instructions.
#ifndef GPUPROF_SRC_SIM_MODEL_STALL_MODEL_HPP
#define GPUPROF_SRC_SIM_MODEL_STALL_MODEL_HPP

#include <vector>

#include "../chip/chip_model.hpp"
#include "../code/kernel.hpp"
#include "../counters/raw_counter.hpp"
#include "../gpu/warp_waits.hpp"
#include "../sass/estimate.hpp"
#include "instruction_profile.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Shares out the cycles that time_model found for each state: to the instructions that cause it,
// or, for a result that arrives late, to the instructions that first read it. Sums by state are
// time_model's; the shares are an estimate.
// @param estimates, profile by code_map's numbers, the first of the estimates being number 1
[[nodiscard]] launch_waits share_out_waits(chip_model const& chip, kernel const& k,
                                           std::vector<sass_estimate> const& estimates,
                                           std::vector<instruction_count> const& profile,
                                           counter_values const& counted);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_STALL_MODEL_HPP
