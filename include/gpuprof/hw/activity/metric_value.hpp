// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a value of a metric.
#ifndef GPUPROF_HW_ACTIVITY_METRIC_VALUE_HPP
#define GPUPROF_HW_ACTIVITY_METRIC_VALUE_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A value of a metric. CUPTI never creates this record; tools do.
struct metric_value {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_METRIC};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMetric", 24}};

    std::uint32_t id = 0;
    tagged_value value{};
    std::uint32_t correlation = 0;
    std::uint32_t flags = 0; // bit 0: overflowed, bit 1: invalid

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 4, 4, id);
        row("value", 8, 8, value);
        row("correlationId", 16, 4, correlation);
        row("flags", 20, 1, flags);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_METRIC_VALUE_HPP
