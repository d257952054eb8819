// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: the numbers of a kernel's samples.
#ifndef GPUPROF_HW_ACTIVITY_PC_SAMPLING_SUMMARY_HPP
#define GPUPROF_HW_ACTIVITY_PC_SAMPLING_SUMMARY_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The numbers of a kernel's samples, and of lost ones.
struct pc_sampling_summary {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityPCSamplingRecordInfo", 32}};

    std::uint32_t correlation = 0;
    std::uint64_t samples = 0;
    std::uint64_t dropped = 0;
    std::uint64_t period = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("correlationId", 4, 4, correlation);
        row("totalSamples", 8, 8, samples);
        row("droppedSamples", 16, 8, dropped);
        row("samplingPeriodInCycles", 24, 8, period);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_PC_SAMPLING_SUMMARY_HPP
