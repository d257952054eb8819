// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a run of a graph that a kernel launched.
#ifndef GPUPROF_HW_ACTIVITY_DEVICE_GRAPH_TRACE_HPP
#define GPUPROF_HW_ACTIVITY_DEVICE_GRAPH_TRACE_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// How the kernel launched the graph.
enum class device_graph_launch : unsigned {
    invalid = abi::CUPTI_DEVICE_GRAPH_LAUNCH_MODE_INVALID,
    fire_and_forget = abi::CUPTI_DEVICE_GRAPH_LAUNCH_MODE_FIRE_AND_FORGET,
    tail = abi::CUPTI_DEVICE_GRAPH_LAUNCH_MODE_TAIL,
    fire_and_forget_as_sibling = abi::CUPTI_DEVICE_GRAPH_LAUNCH_MODE_FIRE_AND_FORGET_AS_SIBLING
};
[[nodiscard]] constexpr std::string_view to_text(device_graph_launch value) noexcept {
    switch (value) {
        case device_graph_launch::invalid: return "invalid";
        case device_graph_launch::fire_and_forget: return "fire and forget";
        case device_graph_launch::tail: return "tail";
        case device_graph_launch::fire_and_forget_as_sibling: return "fire and forget as sibling";
    }
    return not_known;
}

// A run of a graph that a kernel launched.
struct device_graph_trace {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE};
    static constexpr record_form forms[] = {{release(12, 8), "CUpti_ActivityDeviceGraphTrace", 56}};

    std::uint32_t device = 0;
    interval time{};
    std::uint32_t graph = 0;
    std::uint32_t launcher_graph = 0;
    device_graph_launch mode{};
    std::uint32_t context = 0;
    std::uint64_t stream = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("deviceId", 4, 4, device);
        row("start", 8, 8, time.start);
        row("end", 16, 8, time.end);
        row("graphId", 24, 4, graph);
        row("launcherGraphId", 28, 4, launcher_graph);
        row("deviceLaunchMode", 32, 4, mode);
        row("contextId", 36, 4, context);
        row("streamId", 40, 8, stream);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_DEVICE_GRAPH_TRACE_HPP
