// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a run of a graph as a whole.
#ifndef GPUPROF_HW_ACTIVITY_GRAPH_TRACE_HPP
#define GPUPROF_HW_ACTIVITY_GRAPH_TRACE_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A run of a graph as a whole: its nodes are not traced.
struct graph_trace {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_GRAPH_TRACE};
    static constexpr record_form forms[] = {{release(11, 6), "CUpti_ActivityGraphTrace", 48},
                                            {release(12, 3), "CUpti_ActivityGraphTrace2", 56}};

    std::uint32_t correlation = 0;
    interval time{};
    std::uint32_t device = 0;
    std::uint32_t graph = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::optional<std::uint32_t> end_device{}; // of its last node
    std::optional<std::uint32_t> end_context{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("correlationId", 4, 4, correlation);
        row("start", 8, 8, time.start);
        row("end", 16, 8, time.end);
        row("deviceId", 24, 4, device);
        row("graphId", 28, 4, graph);
        row("contextId", 32, 4, context);
        row("streamId", 36, 4, stream);
        row("endDeviceId", 48, 4, end_device, since(12, 3));
        row("endContextId", 52, 4, end_context, since(12, 3));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_GRAPH_TRACE_HPP
