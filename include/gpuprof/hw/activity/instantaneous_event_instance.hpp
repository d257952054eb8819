// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a value of an instance of an event at a moment.
#ifndef GPUPROF_HW_ACTIVITY_INSTANTANEOUS_EVENT_INSTANCE_HPP
#define GPUPROF_HW_ACTIVITY_INSTANTANEOUS_EVENT_INSTANCE_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A value of an instance of an event at a moment. CUPTI never creates this record; tools do.
struct instantaneous_event_instance {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityInstantaneousEventInstance", 32}};

    std::uint32_t id = 0;
    std::uint64_t value = 0;
    timestamp time{};
    std::uint32_t device = 0;
    std::uint32_t instance = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 4, 4, id);
        row("value", 8, 8, value);
        row("timestamp", 16, 8, time);
        row("deviceId", 24, 4, device);
        row("instance", 28, 1, instance);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_INSTANTANEOUS_EVENT_INSTANCE_HPP
