// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an attribute of a device.
#ifndef GPUPROF_HW_ACTIVITY_DEVICE_ATTRIBUTE_HPP
#define GPUPROF_HW_ACTIVITY_DEVICE_ATTRIBUTE_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// An attribute of a device: the driver's if bit 0 of flags is set, else CUPTI's.
struct device_attribute {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityDeviceAttribute", 24}};

    std::uint32_t device = 0;
    std::uint32_t flags = 0;
    std::uint32_t attribute = 0; // CUdevice_attribute or CUpti_DeviceAttribute
    tagged_value value{};        // its type depends on the attribute

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("deviceId", 8, 4, device);
        row("flags", 4, 4, flags);
        row("attribute", 12, 4, attribute);
        row("value", 16, 8, value);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_DEVICE_ATTRIBUTE_HPP
