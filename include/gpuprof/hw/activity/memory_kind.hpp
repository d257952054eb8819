// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of memory, and directions of copies.
#ifndef GPUPROF_HW_ACTIVITY_MEMORY_KIND_HPP
#define GPUPROF_HW_ACTIVITY_MEMORY_KIND_HPP

#include <string_view>

#include "../abi/cupti_activity_enums.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The kind of memory.
enum class memory_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN,
    pageable = abi::CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
    pinned = abi::CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
    device = abi::CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
    array = abi::CUPTI_ACTIVITY_MEMORY_KIND_ARRAY,
    managed = abi::CUPTI_ACTIVITY_MEMORY_KIND_MANAGED,
    device_static = abi::CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC,
    managed_static = abi::CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC
};
[[nodiscard]] constexpr std::string_view to_text(memory_kind value) noexcept {
    switch (value) {
        case memory_kind::unknown: return "unknown";
        case memory_kind::pageable: return "pageable";
        case memory_kind::pinned: return "pinned";
        case memory_kind::device: return "device";
        case memory_kind::array: return "array";
        case memory_kind::managed: return "managed";
        case memory_kind::device_static: return "device static";
        case memory_kind::managed_static: return "managed static";
    }
    return not_known;
}

// The direction of a copy; "array" is a CUDA array.
enum class memcpy_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN,
    host_to_device = abi::CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
    device_to_host = abi::CUPTI_ACTIVITY_MEMCPY_KIND_DTOH,
    host_to_array = abi::CUPTI_ACTIVITY_MEMCPY_KIND_HTOA,
    array_to_host = abi::CUPTI_ACTIVITY_MEMCPY_KIND_ATOH,
    array_to_array = abi::CUPTI_ACTIVITY_MEMCPY_KIND_ATOA,
    array_to_device = abi::CUPTI_ACTIVITY_MEMCPY_KIND_ATOD,
    device_to_array = abi::CUPTI_ACTIVITY_MEMCPY_KIND_DTOA,
    device_to_device = abi::CUPTI_ACTIVITY_MEMCPY_KIND_DTOD,
    host_to_host = abi::CUPTI_ACTIVITY_MEMCPY_KIND_HTOH,
    peer_to_peer = abi::CUPTI_ACTIVITY_MEMCPY_KIND_PTOP
};
[[nodiscard]] constexpr std::string_view to_text(memcpy_kind value) noexcept {
    switch (value) {
        case memcpy_kind::unknown: return "unknown";
        case memcpy_kind::host_to_device: return "host to device";
        case memcpy_kind::device_to_host: return "device to host";
        case memcpy_kind::host_to_array: return "host to array";
        case memcpy_kind::array_to_host: return "array to host";
        case memcpy_kind::array_to_array: return "array to array";
        case memcpy_kind::array_to_device: return "array to device";
        case memcpy_kind::device_to_array: return "device to array";
        case memcpy_kind::device_to_device: return "device to device";
        case memcpy_kind::host_to_host: return "host to host";
        case memcpy_kind::peer_to_peer: return "peer to peer";
    }
    return not_known;
}

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MEMORY_KIND_HPP
