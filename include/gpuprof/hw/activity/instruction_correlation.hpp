// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: the source line of an instruction.
#ifndef GPUPROF_HW_ACTIVITY_INSTRUCTION_CORRELATION_HPP
#define GPUPROF_HW_ACTIVITY_INSTRUCTION_CORRELATION_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The source line of an instruction.
struct instruction_correlation {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityInstructionCorrelation", 24}};

    std::uint32_t flags = 0;
    std::uint32_t source = 0;
    std::uint32_t function = 0;
    std::uint64_t pc = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("sourceLocatorId", 8, 4, source);
        row("functionId", 12, 4, function);
        row("pcOffset", 16, 4, pc);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_INSTRUCTION_CORRELATION_HPP
