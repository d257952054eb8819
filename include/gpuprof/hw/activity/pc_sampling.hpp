// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: the samples of an instruction with a stall reason.
#ifndef GPUPROF_HW_ACTIVITY_PC_SAMPLING_HPP
#define GPUPROF_HW_ACTIVITY_PC_SAMPLING_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The reason of a warp's stall; none: it was issued.
enum class stall_reason : unsigned {
    invalid = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_INVALID,
    none = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_NONE,
    instruction_fetch = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_INST_FETCH,
    exec_dependency = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_EXEC_DEPENDENCY,
    memory_dependency = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_MEMORY_DEPENDENCY,
    texture = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_TEXTURE,
    sync = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_SYNC,
    constant_memory_dependency = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_CONSTANT_MEMORY_DEPENDENCY,
    pipe_busy = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_PIPE_BUSY,
    memory_throttle = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_MEMORY_THROTTLE,
    not_selected = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_NOT_SELECTED,
    other = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_OTHER,
    sleeping = abi::CUPTI_ACTIVITY_PC_SAMPLING_STALL_SLEEPING
};
[[nodiscard]] constexpr std::string_view to_text(stall_reason value) noexcept {
    switch (value) {
        case stall_reason::invalid: return "invalid";
        case stall_reason::none: return "none";
        case stall_reason::instruction_fetch: return "instruction fetch";
        case stall_reason::exec_dependency: return "exec dependency";
        case stall_reason::memory_dependency: return "memory dependency";
        case stall_reason::texture: return "texture";
        case stall_reason::sync: return "sync";
        case stall_reason::constant_memory_dependency: return "constant memory dependency";
        case stall_reason::pipe_busy: return "pipe busy";
        case stall_reason::memory_throttle: return "memory throttle";
        case stall_reason::not_selected: return "not selected";
        case stall_reason::other: return "other";
        case stall_reason::sleeping: return "sleeping";
    }
    return not_known;
}

// The samples of warps at an instruction, with a stall reason.
struct pc_sampling {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_PC_SAMPLING};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityPCSampling3", 40}};

    std::uint32_t flags = 0;
    std::uint32_t source = 0;
    std::uint32_t correlation = 0;
    std::uint32_t function = 0;
    std::uint32_t latency_samples = 0; // those in which no other warp was issued either
    std::uint32_t samples = 0;
    stall_reason reason{};
    std::uint64_t pc = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("sourceLocatorId", 8, 4, source);
        row("correlationId", 12, 4, correlation);
        row("functionId", 16, 4, function);
        row("latencySamples", 20, 4, latency_samples);
        row("samples", 24, 4, samples);
        row("stallReason", 28, 4, reason);
        row("pcOffset", 32, 8, pc);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_PC_SAMPLING_HPP
