// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a copy of memory between two devices.
#ifndef GPUPROF_HW_ACTIVITY_PEER_MEMCPY_HPP
#define GPUPROF_HW_ACTIVITY_PEER_MEMCPY_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "channel_type.hpp"
#include "field_reader.hpp"
#include "memory_kind.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A copy of memory between two devices.
struct peer_memcpy {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEMCPY2};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMemcpyPtoP3", 88},
                                            {release(11, 6), "CUpti_ActivityMemcpyPtoP4", 96}};

    interval time{};
    gpuprof::bytes size{};
    memcpy_kind direction{};
    memory_kind from{};
    memory_kind to{};
    std::uint32_t flags = 0;  // bit 0: asynchronous
    std::uint32_t device = 0; // that ran the copy
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t from_device = 0;
    std::uint32_t from_context = 0;
    std::uint32_t to_device = 0;
    std::uint32_t to_context = 0;
    std::uint32_t correlation = 0;
    std::optional<std::uint64_t> graph_node{};
    std::optional<std::uint32_t> graph{};
    std::optional<std::uint32_t> channel{}; // none: launched by a kernel
    std::optional<channel_type> channel_kind{};

    [[nodiscard]] constexpr bool asynchronous() const noexcept { return (flags & 1) != 0; }

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("start", 16, 8, time.start);
        row("end", 24, 8, time.end);
        row("bytes", 8, 8, size);
        row("copyKind", 4, 1, direction);
        row("srcKind", 5, 1, from);
        row("dstKind", 6, 1, to);
        row("flags", 7, 1, flags);
        row("deviceId", 32, 4, device);
        row("contextId", 36, 4, context);
        row("streamId", 40, 4, stream);
        row("srcDeviceId", 44, 4, from_device);
        row("srcContextId", 48, 4, from_context);
        row("dstDeviceId", 52, 4, to_device);
        row("dstContextId", 56, 4, to_context);
        row("correlationId", 60, 4, correlation);
        row("graphNodeId", 72, 8, graph_node, releases{}, no_value{0});
        row("graphId", 80, 4, graph, releases{}, no_value{0});
        row("channelID", 84, 4, channel, since(11, 6), no_value{0xffffffff});
        row("channelType", 88, 4, channel_kind, since(11, 6));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_PEER_MEMCPY_HPP
