// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an external id of a call.
#ifndef GPUPROF_HW_ACTIVITY_EXTERNAL_CORRELATION_HPP
#define GPUPROF_HW_ACTIVITY_EXTERNAL_CORRELATION_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The id that the program had pushed when it made the call with this correlation.
struct external_correlation {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityExternalCorrelation", 24}};

    abi::CUpti_ExternalCorrelationKind kind{};
    std::uint64_t id = 0;
    std::uint32_t correlation = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("externalKind", 4, 4, kind);
        row("externalId", 8, 8, id);
        row("correlationId", 16, 4, correlation);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_EXTERNAL_CORRELATION_HPP
