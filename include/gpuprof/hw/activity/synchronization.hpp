// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a synchronisation of the host or a stream.
#ifndef GPUPROF_HW_ACTIVITY_SYNCHRONIZATION_HPP
#define GPUPROF_HW_ACTIVITY_SYNCHRONIZATION_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// What waited for what.
enum class synchronization_type : unsigned {
    unknown = abi::CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN,
    event_synchronize = abi::CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE,
    stream_wait_event = abi::CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT,
    stream_synchronize = abi::CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,
    context_synchronize = abi::CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE
};
[[nodiscard]] constexpr std::string_view to_text(synchronization_type value) noexcept {
    switch (value) {
        case synchronization_type::unknown: return "unknown";
        case synchronization_type::event_synchronize: return "event synchronize";
        case synchronization_type::stream_wait_event: return "stream wait event";
        case synchronization_type::stream_synchronize: return "stream synchronize";
        case synchronization_type::context_synchronize: return "context synchronize";
    }
    return not_known;
}

// A synchronisation of the host or a stream.
struct synchronization {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_SYNCHRONIZATION};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivitySynchronization", 40},
                                            {release(12, 8), "CUpti_ActivitySynchronization2", 56}};

    synchronization_type type{};
    interval time{};
    std::uint32_t correlation = 0;
    std::uint32_t context = 0;
    std::optional<std::uint32_t> stream{}; // none: the call names no stream
    std::optional<std::uint32_t> event{};
    std::optional<std::uint64_t> event_synchronization{}; // the same in the awaited cuda_event record
    std::optional<std::uint32_t> status{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("type", 4, 4, type);
        row("start", 8, 8, time.start);
        row("end", 16, 8, time.end);
        row("correlationId", 24, 4, correlation);
        row("contextId", 28, 4, context);
        row("streamId", 32, 4, stream, releases{}, no_value{0xffffffff});
        row("cudaEventId", 36, 4, event, releases{}, no_value{0xffffffff});
        row("cudaEventSyncId", 40, 8, event_synchronization, since(12, 8), no_value{0xffffffff});
        row("returnValue", 48, 4, status, since(12, 8));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_SYNCHRONIZATION_HPP
