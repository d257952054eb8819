// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a created green context.
#ifndef GPUPROF_HW_ACTIVITY_GREEN_CONTEXT_HPP
#define GPUPROF_HW_ACTIVITY_GREEN_CONTEXT_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "lists.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A created green context: some of a device's multiprocessors.
struct green_context {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_GREEN_CONTEXT};
    static constexpr record_form forms[] = {{release(13, 2), "CUpti_ActivityGreenContext", 152},
                                            {release(13, 2, 1), "CUpti_ActivityGreenContext2", 168},
                                            {release(13, 4), "CUpti_ActivityGreenContext3", 304}};

    std::uint32_t id = 0;
    std::uint32_t parent = 0;
    std::uint32_t device = 0;
    std::uint32_t tpcs = 0;
    std::uint32_t multiprocessors = 0;
    std::uint32_t tpc_mask_words = 0;
    words_32 tpc_mask{};                       // one bit a TPC
    std::optional<std::uint64_t> work_queue{}; // this and the next two from 13.2 Update 1 on
    std::optional<std::uint32_t> work_queue_concurrency{};
    std::optional<std::uint32_t> work_queue_sharing{};
    std::optional<std::uint32_t> work_queue_channels{};
    std::optional<words_32> work_queue_channel_ids{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("contextId", 4, 4, id);
        row("parentContextId", 8, 4, parent);
        row("deviceId", 12, 4, device);
        row("numTpcs", 16, 4, tpcs);
        row("numMultiprocessors", 20, 2, multiprocessors);
        row("logicalTpcMaskSize", 22, 1, tpc_mask_words);
        row("logicalTpcMask", 24, 128, tpc_mask);
        row("workqueueResourceId", 152, 8, work_queue, since(13, 2, 1));
        row("workqueueConcurrencyLimit", 160, 4, work_queue_concurrency, since(13, 2, 1));
        row("workqueueSharingScope", 164, 4, work_queue_sharing, since(13, 2, 1));
        row("workqueueChannelCount", 168, 4, work_queue_channels, since(13, 4));
        row("workqueueChannelIds", 176, 128, work_queue_channel_ids, since(13, 4));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_GREEN_CONTEXT_HPP
