// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a copy of memory on the GPU.
#ifndef GPUPROF_HW_ACTIVITY_MEMCPY_HPP
#define GPUPROF_HW_ACTIVITY_MEMCPY_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "channel_type.hpp"
#include "field_reader.hpp"
#include "memory_kind.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A copy of memory on the GPU. peer_memcpy has copies between two devices.
struct memcpy {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEMCPY};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMemcpy4", 80},
                                            {release(11, 6), "CUpti_ActivityMemcpy5", 88},
                                            {release(12, 8), "CUpti_ActivityMemcpy6", 96},
                                            {release(13, 0), "CUpti_ActivityMemcpy6", 96},
                                            {release(13, 4), "CUpti_ActivityMemcpy7", 112}};

    interval time{};
    gpuprof::bytes size{};
    memcpy_kind direction{};
    memory_kind from{};
    memory_kind to{};
    std::uint32_t flags = 0; // bit 0: asynchronous
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0; // of the call
    std::uint32_t runtime_correlation = 0;
    std::optional<std::uint64_t> graph_node{}; // none: not launched by a graph
    std::optional<std::uint32_t> graph{};
    std::optional<std::uint32_t> source_graph{};
    std::optional<std::uint64_t> source_graph_node{};
    std::optional<std::uint32_t> channel{}; // none: launched by a kernel
    std::optional<channel_type> channel_kind{};
    std::optional<bool> device_launched{};
    std::optional<std::uint64_t> copies{}; // number of copies in a batch

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
        row("correlationId", 44, 4, correlation);
        row("runtimeCorrelationId", 48, 4, runtime_correlation);
        row("graphNodeId", 64, 8, graph_node, releases{}, no_value{0});
        row("graphId", 72, 4, graph, releases{}, no_value{0});
        row("sourceGraphId", 96, 4, source_graph, since(13, 4), no_value{0});
        row("sourceGraphNodeId", 104, 8, source_graph_node, since(13, 4), no_value{0});
        row("channelID", 76, 4, channel, since(11, 6), no_value{0xffffffff});
        row("channelType", 80, 4, channel_kind, since(11, 6));
        row("isDeviceLaunched", 84, 1, device_launched, since(13, 0));
        row("copyCount", 88, 8, copies, since(12, 8));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MEMCPY_HPP
