// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stall reasons: what a sampled warp waited for.
#ifndef GPUPROF_HW_SAMPLERS_STALL_REASON_HPP
#define GPUPROF_HW_SAMPLERS_STALL_REASON_HPP

#include <cstddef>
#include <string_view>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// The state of a warp at the moment of a sample (CUPTI 12.0, 2.10.2; kernel profiling guide, "Warp
// Stall Reasons"). `unknown` is a reason of a later chip, whose name is in the collection.
enum class stall_reason : unsigned char {
    barrier,            // other warps of its block to arrive at a barrier
    branch_resolving,   // the target of a branch
    dispatch_stall,     // the dispatcher, which holds the instruction back
    drain,              // its stores to arrive, after the end of the kernel's code
    imc_miss,           // a miss of the cache of immediate constants
    lg_throttle,        // room in the queue for local and global memory
    long_scoreboard,    // data from global, local, texture or surface memory
    math_pipe_throttle, // an arithmetic pipeline
    membar,             // a memory barrier
    mio_throttle,       // room in the queue for shared memory, special functions and dynamic branches
    misc,               // something else of the hardware
    no_instructions,    // instructions to be fetched
    not_selected,       // nothing: the scheduler took another warp
    selected,           // nothing: it issued an instruction
    short_scoreboard,   // data from shared memory, or the result of a special function
    sleeping,           // the end of a sleep
    tex_throttle,       // room in the queue for textures and surfaces
    wait,               // the fixed latency of an instruction
    warpgroup_arrive,   // the other warps of its warp group (Hopper and later)
    unknown
};
// How many reasons `stall_reason` names, `unknown` among them.
inline constexpr std::size_t stall_reasons = static_cast<std::size_t>(stall_reason::unknown) + 1;

// "long_scoreboard", as in CUPTI's and Nsight Compute's names.
[[nodiscard]] constexpr std::string_view name(stall_reason of) noexcept {
    constexpr std::string_view names[stall_reasons]{"barrier",
                                                    "branch_resolving",
                                                    "dispatch_stall",
                                                    "drain",
                                                    "imc_miss",
                                                    "lg_throttle",
                                                    "long_scoreboard",
                                                    "math_pipe_throttle",
                                                    "membar",
                                                    "mio_throttle",
                                                    "misc",
                                                    "no_instructions",
                                                    "not_selected",
                                                    "selected",
                                                    "short_scoreboard",
                                                    "sleeping",
                                                    "tex_throttle",
                                                    "wait",
                                                    "warpgroup_arrive",
                                                    "unknown"};
    return names[static_cast<std::size_t>(of)];
}

// What the warp waits for, in a few words; empty for `unknown`.
[[nodiscard]] constexpr std::string_view meaning(stall_reason of) noexcept {
    constexpr std::string_view texts[stall_reasons]{"other warps to arrive at a barrier",
                                                    "the target of a branch",
                                                    "the dispatcher",
                                                    "its stores to arrive, at the end of the kernel",
                                                    "a constant that is not in the cache",
                                                    "room in the queue for local and global memory",
                                                    "data from global, local, texture or surface memory",
                                                    "an arithmetic pipeline",
                                                    "a memory barrier",
                                                    "room in the queue for shared memory and special functions",
                                                    "something else of the hardware",
                                                    "instructions to be fetched",
                                                    "nothing: the scheduler took another warp",
                                                    "nothing: it issues",
                                                    "data from shared memory, or a special function",
                                                    "the end of a sleep",
                                                    "room in the queue for textures and surfaces",
                                                    "the fixed latency of an instruction",
                                                    "the other warps of its warp group",
                                                    ""};
    return texts[static_cast<std::size_t>(of)];
}

// The reason of that name; unknown if there is none.
[[nodiscard]] constexpr stall_reason find_stall_reason(std::string_view called) noexcept {
    for (std::size_t i = 0; i + 1 < stall_reasons; ++i)
        if (name(static_cast<stall_reason>(i)) == called) return static_cast<stall_reason>(i);
    return stall_reason::unknown;
}
// Whether the warp could have issued: it is not stalled.
[[nodiscard]] constexpr bool is_stalled(stall_reason of) noexcept {
    return of != stall_reason::selected && of != stall_reason::not_selected;
}

namespace hw {

// CUPTI's name of a kind of samples, parsed: "smsp__pcsamp_warps_issue_stalled_wait_not_issued".
struct sampled_name {
    enum class kind : unsigned char {
        stalled, // all samples with the reason
        latency, // those among them in a cycle in which the warp's scheduler issued nothing
        samples, // all samples: smsp__pcsamp_sample_count
        dropped, // lost ones: smsp__pcsamp_samples_data_dropped
        other
    };
    kind meaning = kind::other;
    std::string_view reason; // "wait"; of `other`, the whole name
};

// Parses such a name.
[[nodiscard]] constexpr sampled_name parse_sampled_name(std::string_view cupti) noexcept {
    constexpr std::string_view prefix = "smsp__pcsamp_warps_issue_stalled_", suffix = "_not_issued";
    if (cupti == "smsp__pcsamp_sample_count") return {sampled_name::kind::samples, {}};
    if (cupti == "smsp__pcsamp_samples_data_dropped") return {sampled_name::kind::dropped, {}};
    if (!cupti.starts_with(prefix)) return {sampled_name::kind::other, cupti};
    cupti.remove_prefix(prefix.size());
    if (!cupti.ends_with(suffix)) return {sampled_name::kind::stalled, cupti};
    cupti.remove_suffix(suffix.size());
    return {sampled_name::kind::latency, cupti};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_STALL_REASON_HPP
