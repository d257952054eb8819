// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simplified experiments: for each unit of a GPU the metrics that say how near it came to its peak, and the stall
// reasons of warps that waited for it. Pure data; docs/bottleneck.md is printed from it.
#ifndef GPUPROF_EXPLAIN_UNIT_EXPERIMENTS_HPP
#define GPUPROF_EXPLAIN_UNIT_EXPERIMENTS_HPP

#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// From the front of the machine to its back: what stands later is fed by what stands earlier.
enum class gpu_unit : unsigned char { issue, alu, fma, fp64, tensor, xu, lsu, tex, shared, l1, l2, dram };

// How many units `gpu_unit` names.
inline constexpr std::size_t gpu_units = 12;

// What "_not_selected" and the others say of a warp that did not issue: the name between smsp__warps_issue_stalled_ and .sum.
// Nsight Compute's guide, "Warp stall reasons". "selected" is a warp that did issue, and no wait.
inline constexpr std::string_view stall_reasons[] = {
    "barrier",        "branch_resolving", "dispatch_stall",     "drain",    "gmma",         "imc_miss",
    "lg_throttle",    "long_scoreboard",  "math_pipe_throttle", "membar",   "mio_throttle", "misc",
    "no_instruction", "not_selected",     "short_scoreboard",   "sleeping", "tex_throttle", "wait"};

// Speed of light: the highest of the metrics, those that the chip has, each as .avg.pct_of_peak_sustained_elapsed, over the
// share of the range in which kernels ran.
// Waiting: the warps that were stalled for the reasons, of all resident warps, as a percentage.
struct unit_experiment {
    gpu_unit unit;
    std::string_view name;              // "DRAM"
    std::string_view speed_of_light[3]; // an empty one is none
    std::string_view waits[4];
    std::string_view meaning; // of the unit, for people
};

// clang-format off
inline constexpr unit_experiment unit_experiments[] = {
    {gpu_unit::issue, "issue slots", {"sm__issue_active"}, {"not_selected", "dispatch_stall"},
     "the schedulers, which issue an instruction of one warp a cycle each"},
    {gpu_unit::alu, "ALU pipe", {"sm__pipe_alu_cycles_active"}, {"math_pipe_throttle", "not_selected"},
     "integer, logic and comparisons"},
    {gpu_unit::fma, "FMA pipe", {"sm__pipe_fma_cycles_active", "sm__pipe_fmaheavy_cycles_active", "sm__inst_executed_pipe_fma"},
     {"math_pipe_throttle", "not_selected"}, "single precision, integer multiplications"},
    {gpu_unit::fp64, "FP64 pipe", {"sm__pipe_fp64_cycles_active"}, {"math_pipe_throttle", "not_selected"},
     "double precision"},
    {gpu_unit::tensor, "tensor pipe", {"sm__pipe_tensor_cycles_active", "sm__pipe_tc_cycles_active"},
     {"math_pipe_throttle", "not_selected", "gmma"}, "matrix products"},
    {gpu_unit::xu, "XU pipe", {"sm__inst_executed_pipe_xu"}, {"mio_throttle", "short_scoreboard", "math_pipe_throttle"},
     "transcendental functions, conversions"},
    {gpu_unit::lsu, "LSU pipe", {"sm__inst_executed_pipe_lsu"}, {"mio_throttle", "lg_throttle"},
     "instructions that load and store"},
    {gpu_unit::tex, "TEX", {"l1tex__data_pipe_tex_wavefronts", "l1tex__f_wavefronts", "sm__inst_executed_pipe_tex"},
     {"tex_throttle", "long_scoreboard"},
     "texture fetches, and the texels that they are filtered from"},
    {gpu_unit::shared, "shared memory", {"l1tex__data_pipe_lsu_wavefronts_mem_shared", {}},
     {"short_scoreboard", "mio_throttle"}, "wavefronts of the data stage for shared memory"},
    {gpu_unit::l1, "L1", {"l1tex__throughput"}, {"long_scoreboard", "lg_throttle", "tex_throttle"},
     "L1 and texture cache"},
    {gpu_unit::l2, "L2", {"lts__throughput"}, {"long_scoreboard", "lg_throttle", "drain", "membar"}, "L2 cache"},
    {gpu_unit::dram, "DRAM", {"dram__throughput"}, {"long_scoreboard", "lg_throttle", "drain", "membar"},
     "device memory"},
};
// clang-format on
static_assert(std::size(unit_experiments) == gpu_units);

// The row of a unit.
[[nodiscard]] constexpr unit_experiment const& experiment_of(gpu_unit unit) noexcept {
    return unit_experiments[static_cast<std::size_t>(unit)];
}
// "DRAM": what PerfKit's GetGPUBottleneckName tells.
[[nodiscard]] constexpr std::string_view name(gpu_unit unit) noexcept { return experiment_of(unit).name; }

namespace detail {
[[nodiscard]] constexpr bool in_order() noexcept {
    for (std::size_t i = 0; i < gpu_units; ++i)
        if (static_cast<std::size_t>(unit_experiments[i].unit) != i) return false;
    return true;
}
static_assert(in_order(), "gpuprof: the rows of units are not in the order of gpu_unit");

inline constexpr std::string_view of_peak = ".avg.pct_of_peak_sustained_elapsed";
inline constexpr std::string_view stalled = "smsp__warps_issue_stalled_"; // and a reason, and .sum
inline constexpr std::string_view resident_warps = "smsp__warps_active.sum";
inline constexpr std::string_view active_cycles = "sm__cycles_active.avg";
inline constexpr std::string_view elapsed_cycles = "sm__cycles_elapsed.avg";
inline constexpr std::string_view busiest_sm_active = "sm__cycles_active.max";
inline constexpr std::string_view busiest_sm_elapsed = "sm__cycles_elapsed.max";
} // namespace detail

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_UNIT_EXPERIMENTS_HPP
