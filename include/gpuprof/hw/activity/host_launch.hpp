// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a run of a host function in a stream.
#ifndef GPUPROF_HW_ACTIVITY_HOST_LAUNCH_HPP
#define GPUPROF_HW_ACTIVITY_HOST_LAUNCH_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A run of a host function in a stream.
struct host_launch {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_HOST_LAUNCH};
    static constexpr record_form forms[] = {{release(13, 1), "CUpti_ActivityHostLaunch", 48}};

    std::uint32_t stream = 0;
    std::uint32_t context = 0;
    std::uint32_t device = 0;
    std::uint32_t correlation = 0;
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    interval time{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("streamId", 4, 4, stream);
        row("contextId", 8, 4, context);
        row("deviceId", 12, 4, device);
        row("correlationId", 16, 4, correlation);
        row("processId", 20, 4, process);
        row("threadId", 24, 4, thread);
        row("start", 32, 8, time.start);
        row("end", 40, 8, time.end);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_HOST_LAUNCH_HPP
