// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stall reasons of records of activity and those of samples of instructions, as data.
#ifndef GPUPROF_HW_SAMPLERS_STALL_MAPPING_HPP
#define GPUPROF_HW_SAMPLERS_STALL_MAPPING_HPP

#include "../../detail/config.hpp"
#include "../activity/pc_sampling.hpp"
#include "stall_reason.hpp"

GPUPROF_NAMESPACE_BEGIN

// A reason of activity::pc_sampling records (capability 5.2 to 7.2), and one of those that it became in samples of instructions.
struct stall_mapping {
    activity::stall_reason of_records;
    stall_reason of_samples;
};

// The rows of CUPTI 12.0, table 10. Latency samples (…_not_issued) of a reason go with it.
inline constexpr stall_mapping stall_mappings[]{
    {activity::stall_reason::none, stall_reason::selected},
    {activity::stall_reason::instruction_fetch, stall_reason::branch_resolving},
    {activity::stall_reason::instruction_fetch, stall_reason::no_instructions},
    {activity::stall_reason::exec_dependency, stall_reason::short_scoreboard},
    {activity::stall_reason::exec_dependency, stall_reason::wait},
    {activity::stall_reason::memory_dependency, stall_reason::long_scoreboard},
    {activity::stall_reason::texture, stall_reason::tex_throttle},
    {activity::stall_reason::sync, stall_reason::barrier},
    {activity::stall_reason::sync, stall_reason::membar},
    {activity::stall_reason::constant_memory_dependency, stall_reason::imc_miss},
    {activity::stall_reason::pipe_busy, stall_reason::mio_throttle},
    {activity::stall_reason::pipe_busy, stall_reason::math_pipe_throttle},
    {activity::stall_reason::memory_throttle, stall_reason::drain},
    {activity::stall_reason::memory_throttle, stall_reason::lg_throttle},
    {activity::stall_reason::not_selected, stall_reason::not_selected},
    {activity::stall_reason::other, stall_reason::misc},
    {activity::stall_reason::other, stall_reason::dispatch_stall},
    {activity::stall_reason::sleeping, stall_reason::sleeping},
};

// The reason of records that a sample's reason was part of: to compare samples with those of an older GPU. `other` for reasons
// that the table does not have, such as warpgroup_arrive.
[[nodiscard]] constexpr activity::stall_reason reason_in_records(stall_reason of) noexcept {
    for (stall_mapping const& each : stall_mappings)
        if (each.of_samples == of) return each.of_records;
    return activity::stall_reason::other;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_STALL_MAPPING_HPP
