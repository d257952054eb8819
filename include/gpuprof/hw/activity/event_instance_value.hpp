// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a value of an instance of an event.
#ifndef GPUPROF_HW_ACTIVITY_EVENT_INSTANCE_VALUE_HPP
#define GPUPROF_HW_ACTIVITY_EVENT_INSTANCE_VALUE_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A value of an instance of an event. CUPTI never creates this record; tools do.
struct event_instance_value {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_EVENT_INSTANCE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityEventInstance", 32}};

    std::uint32_t id = 0;
    std::uint32_t domain = 0;
    std::uint32_t instance = 0;
    std::uint64_t value = 0;
    std::uint32_t correlation = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 4, 4, id);
        row("domain", 8, 4, domain);
        row("instance", 12, 4, instance);
        row("value", 16, 8, value);
        row("correlationId", 24, 4, correlation);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_EVENT_INSTANCE_VALUE_HPP
