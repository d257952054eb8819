// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an NVTX mark, or an end of an NVTX range.
#ifndef GPUPROF_HW_ACTIVITY_MARKER_HPP
#define GPUPROF_HW_ACTIVITY_MARKER_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"
#include "traced_object.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// An NVTX mark, or the beginning or end of an NVTX range.
struct marker {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MARKER};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityMarker2", 56}};

    std::uint32_t flags = 0; // CUpti_ActivityFlag: instantaneous, start, end, and those of synchronisation objects
    timestamp time{};
    std::uint32_t id = 0; // the same in both ends of a range and in its marker_data
    traced_object object{};
    std::string_view name{};   // null at the end of a range
    std::string_view domain{}; // null: the default domain

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("timestamp", 8, 8, time);
        row("id", 16, 4, id);
        row("objectKind", 20, 4, object.kind);
        row("objectId", 24, 12, object.ids);
        row("name", 40, 8, name);
        row("domain", 48, 8, domain);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MARKER_HPP
