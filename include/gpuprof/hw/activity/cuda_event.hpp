// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a recorded CUDA event.
#ifndef GPUPROF_HW_ACTIVITY_CUDA_EVENT_HPP
#define GPUPROF_HW_ACTIVITY_CUDA_EVENT_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A recorded CUDA event.
struct cuda_event {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_CUDA_EVENT};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityCudaEvent", 24},
                                            {release(12, 8), "CUpti_ActivityCudaEvent2", 56},
                                            {release(13, 5), "CUpti_ActivityCudaEvent3", 80}};

    std::uint32_t correlation = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t event = 0;
    std::optional<std::uint32_t> device{};
    std::optional<timestamp> time{}; // when the GPU recorded it; only with device timestamps
    std::optional<std::uint64_t> event_synchronization{};
    std::optional<std::uint64_t> graph_node{};
    std::optional<std::uint32_t> graph{};
    std::optional<std::uint32_t> source_graph{};
    std::optional<std::uint64_t> source_graph_node{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("correlationId", 4, 4, correlation);
        row("contextId", 8, 4, context);
        row("streamId", 12, 4, stream);
        row("eventId", 16, 4, event);
        row("deviceId", 24, 4, device, since(12, 8));
        row("deviceTimestamp", 40, 8, time, since(12, 8));
        row("cudaEventSyncId", 48, 8, event_synchronization, since(12, 8));
        row("graphNodeId", 56, 8, graph_node, since(13, 5), no_value{0});
        row("graphId", 64, 4, graph, since(13, 5), no_value{0});
        row("sourceGraphId", 68, 4, source_graph, since(13, 5), no_value{0});
        row("sourceGraphNodeId", 72, 8, source_graph_node, since(13, 5), no_value{0});
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CUDA_EVENT_HPP
