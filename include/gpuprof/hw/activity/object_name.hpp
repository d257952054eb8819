// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a name of a process, thread, device, context or stream.
#ifndef GPUPROF_HW_ACTIVITY_OBJECT_NAME_HPP
#define GPUPROF_HW_ACTIVITY_OBJECT_NAME_HPP

#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "traced_object.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A name that a process, thread, device, context or stream was given, for example by NVTX.
struct object_name {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_NAME};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityName", 32}};

    traced_object object{};
    std::string_view name{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("objectKind", 4, 4, object.kind);
        row("objectId", 8, 12, object.ids);
        row("name", 24, 8, name);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_OBJECT_NAME_HPP
