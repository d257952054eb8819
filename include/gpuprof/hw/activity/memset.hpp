// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a memset on the GPU.
#ifndef GPUPROF_HW_ACTIVITY_MEMSET_HPP
#define GPUPROF_HW_ACTIVITY_MEMSET_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "channel_type.hpp"
#include "field_reader.hpp"
#include "memory_kind.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A memset on the GPU.
struct memset {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEMSET};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMemset3", 80},
                                            {release(11, 6), "CUpti_ActivityMemset4", 88},
                                            {release(13, 0), "CUpti_ActivityMemset4", 88},
                                            {release(13, 4), "CUpti_ActivityMemset5", 104}};

    interval time{};
    std::uint32_t value = 0;
    gpuprof::bytes size{};
    memory_kind memory{};
    std::uint32_t flags = 0; // bit 0: asynchronous
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::optional<std::uint64_t> graph_node{};
    std::optional<std::uint32_t> graph{};
    std::optional<std::uint32_t> source_graph{};
    std::optional<std::uint64_t> source_graph_node{};
    std::optional<std::uint32_t> channel{}; // none: launched by a kernel
    std::optional<channel_type> channel_kind{};
    std::optional<bool> device_launched{};

    [[nodiscard]] constexpr bool asynchronous() const noexcept { return (flags & 1) != 0; }

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("start", 16, 8, time.start);
        row("end", 24, 8, time.end);
        row("value", 4, 4, value);
        row("bytes", 8, 8, size);
        row("memoryKind", 50, 2, memory);
        row("flags", 48, 2, flags);
        row("deviceId", 32, 4, device);
        row("contextId", 36, 4, context);
        row("streamId", 40, 4, stream);
        row("correlationId", 44, 4, correlation);
        row("graphNodeId", 64, 8, graph_node, releases{}, no_value{0});
        row("graphId", 72, 4, graph, releases{}, no_value{0});
        row("sourceGraphId", 88, 4, source_graph, since(13, 4), no_value{0});
        row("sourceGraphNodeId", 96, 8, source_graph_node, since(13, 4), no_value{0});
        row("channelID", 76, 4, channel, since(11, 6), no_value{0xffffffff});
        row("channelType", 80, 4, channel_kind, since(11, 6));
        row("isDeviceLaunched", 84, 1, device_launched, since(13, 0));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MEMSET_HPP
