// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: colour, category and payload of a marker.
#ifndef GPUPROF_HW_ACTIVITY_MARKER_DATA_HPP
#define GPUPROF_HW_ACTIVITY_MARKER_DATA_HPP

#include <cstdint>
#include <optional>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Colour, category and payload of a marker.
struct marker_data {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MARKER_DATA};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMarkerData", 32},
                                            {release(13, 0), "CUpti_ActivityMarkerData2", 40}};

    std::uint32_t flags = 0;        // bit 0: no colour, bit 1: ARGB
    std::uint32_t id = 0;           // of the marker
    std::uint32_t payload_kind = 0; // CUpti_MetricValueKind
    tagged_value payload{};
    std::uint32_t color = 0; // 0xAARRGGBB
    std::uint32_t category = 0;
    std::optional<std::uint32_t> domain{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("id", 8, 4, id);
        row("payloadKind", 12, 4, payload_kind);
        row("payload", 16, 8, payload);
        row("color", 24, 4, color);
        row("category", 28, 4, category);
        row("cuptiDomainId", 32, 4, domain, since(13, 0));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MARKER_DATA_HPP
