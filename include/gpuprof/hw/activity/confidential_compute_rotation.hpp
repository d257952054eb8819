// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a changed key of confidential computing.
#ifndef GPUPROF_HW_ACTIVITY_CONFIDENTIAL_COMPUTE_ROTATION_HPP
#define GPUPROF_HW_ACTIVITY_CONFIDENTIAL_COMPUTE_ROTATION_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "channel_type.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The event of the channel.
enum class rotation_event : unsigned {
    invalid = abi::CUPTI_CONFIDENTIAL_COMPUTE_INVALID_ROTATION_EVENT,
    channel_blocked = abi::CUPTI_CONFIDENTIAL_COMPUTE_KEY_ROTATION_CHANNEL_BLOCKED,
    channel_drained = abi::CUPTI_CONFIDENTIAL_COMPUTE_KEY_ROTATION_CHANNEL_DRAINED,
    channel_unblocked = abi::CUPTI_CONFIDENTIAL_COMPUTE_KEY_ROTATION_CHANNEL_UNBLOCKED
};
[[nodiscard]] constexpr std::string_view to_text(rotation_event value) noexcept {
    switch (value) {
        case rotation_event::invalid: return "invalid";
        case rotation_event::channel_blocked: return "channel blocked";
        case rotation_event::channel_drained: return "channel drained";
        case rotation_event::channel_unblocked: return "channel unblocked";
    }
    return not_known;
}

// A changed key of confidential computing.
struct confidential_compute_rotation {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION};
    static constexpr record_form forms[] = {{release(12, 9), "CUpti_ActivityConfidentialComputeRotation", 32}};

    rotation_event event{};
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t channel = 0;
    channel_type channel_kind{};
    timestamp time{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("eventType", 4, 4, event);
        row("deviceId", 8, 4, device);
        row("contextId", 12, 4, context);
        row("channelId", 16, 4, channel);
        row("channelType", 20, 4, channel_kind);
        row("timestamp", 24, 8, time);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CONFIDENTIAL_COMPUTE_ROTATION_HPP
