// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a decompression of memory on the GPU.
#ifndef GPUPROF_HW_ACTIVITY_DECOMPRESSION_HPP
#define GPUPROF_HW_ACTIVITY_DECOMPRESSION_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "channel_type.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A decompression of memory on the GPU.
struct decompression {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS};
    static constexpr record_form forms[] = {{release(12, 8), "CUpti_ActivityMemDecompress", 64}};

    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t channel = 0;
    channel_type channel_kind{};
    std::uint32_t correlation = 0;
    std::uint32_t operations = 0;
    gpuprof::bytes source_size{};
    interval time{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("deviceId", 4, 4, device);
        row("contextId", 8, 4, context);
        row("streamId", 12, 4, stream);
        row("channelID", 16, 4, channel);
        row("channelType", 20, 4, channel_kind);
        row("correlationId", 24, 4, correlation);
        row("numberOfOperations", 28, 4, operations);
        row("sourceBytes", 32, 8, source_size);
        row("start", 48, 8, time.start);
        row("end", 56, 8, time.end);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_DECOMPRESSION_HPP
