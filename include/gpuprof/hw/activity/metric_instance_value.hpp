// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a value of an instance of a metric.
#ifndef GPUPROF_HW_ACTIVITY_METRIC_INSTANCE_VALUE_HPP
#define GPUPROF_HW_ACTIVITY_METRIC_INSTANCE_VALUE_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A value of an instance of a metric. CUPTI never creates this record; tools do.
struct metric_instance_value {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_METRIC_INSTANCE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMetricInstance", 32}};

    std::uint32_t id = 0;
    tagged_value value{};
    std::uint32_t instance = 0;
    std::uint32_t correlation = 0;
    std::uint32_t flags = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 4, 4, id);
        row("value", 8, 8, value);
        row("instance", 16, 4, instance);
        row("correlationId", 20, 4, correlation);
        row("flags", 24, 1, flags);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_METRIC_INSTANCE_VALUE_HPP
