// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: the executions of an instruction.
#ifndef GPUPROF_HW_ACTIVITY_INSTRUCTION_EXECUTION_HPP
#define GPUPROF_HW_ACTIVITY_INSTRUCTION_EXECUTION_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The class of an instruction, in flags.
enum class instruction_class : unsigned {
    unknown = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_UNKNOWN,
    fp32 = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_FP_32,
    fp64 = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_FP_64,
    integer = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_INTEGER,
    bit_conversion = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_BIT_CONVERSION,
    control_flow = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_CONTROL_FLOW,
    global = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_GLOBAL,
    shared = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_SHARED,
    local = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_LOCAL,
    generic = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_GENERIC,
    surface = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_SURFACE,
    constant = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_CONSTANT,
    texture = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_TEXTURE,
    global_atomic = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_GLOBAL_ATOMIC,
    shared_atomic = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_SHARED_ATOMIC,
    surface_atomic = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_SURFACE_ATOMIC,
    inter_thread_communication = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_INTER_THREAD_COMMUNICATION,
    barrier = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_BARRIER,
    miscellaneous = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_MISCELLANEOUS,
    fp16 = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_FP_16,
    uniform = abi::CUPTI_ACTIVITY_INSTRUCTION_CLASS_UNIFORM
};
[[nodiscard]] constexpr std::string_view to_text(instruction_class value) noexcept {
    switch (value) {
        case instruction_class::unknown: return "unknown";
        case instruction_class::fp32: return "fp32";
        case instruction_class::fp64: return "fp64";
        case instruction_class::integer: return "integer";
        case instruction_class::bit_conversion: return "bit conversion";
        case instruction_class::control_flow: return "control flow";
        case instruction_class::global: return "global";
        case instruction_class::shared: return "shared";
        case instruction_class::local: return "local";
        case instruction_class::generic: return "generic";
        case instruction_class::surface: return "surface";
        case instruction_class::constant: return "constant";
        case instruction_class::texture: return "texture";
        case instruction_class::global_atomic: return "global atomic";
        case instruction_class::shared_atomic: return "shared atomic";
        case instruction_class::surface_atomic: return "surface atomic";
        case instruction_class::inter_thread_communication: return "inter thread communication";
        case instruction_class::barrier: return "barrier";
        case instruction_class::miscellaneous: return "miscellaneous";
        case instruction_class::fp16: return "fp16";
        case instruction_class::uniform: return "uniform";
    }
    return not_known;
}

// The executions of an instruction.
struct instruction_execution {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityInstructionExecution", 48}};

    std::uint32_t flags = 0; // bit 0: the counts are invalid; bits 1 to 8: the class
    std::uint32_t source = 0;
    std::uint32_t correlation = 0;
    std::uint32_t function = 0;
    std::uint64_t pc = 0;
    std::uint64_t threads_executed = 0;
    std::uint64_t threads_not_predicated_off = 0;
    std::uint32_t warps_executed = 0;

    [[nodiscard]] constexpr instruction_class kind() const noexcept {
        return static_cast<instruction_class>(flags >> 1 & 0xff);
    }

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("sourceLocatorId", 8, 4, source);
        row("correlationId", 12, 4, correlation);
        row("functionId", 16, 4, function);
        row("pcOffset", 20, 4, pc);
        row("threadsExecuted", 24, 8, threads_executed);
        row("notPredOffThreadsExecuted", 32, 8, threads_not_predicated_off);
        row("executed", 40, 4, warps_executed);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_INSTRUCTION_EXECUTION_HPP
