// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the GPU's channels.
#ifndef GPUPROF_HW_ACTIVITY_CHANNEL_TYPE_HPP
#define GPUPROF_HW_ACTIVITY_CHANNEL_TYPE_HPP

#include <string_view>

#include "../abi/cupti_activity_enums.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The type of a channel.
enum class channel_type : unsigned {
    invalid = abi::CUPTI_CHANNEL_TYPE_INVALID,
    compute = abi::CUPTI_CHANNEL_TYPE_COMPUTE,
    async_memcpy = abi::CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY,
    decompression = abi::CUPTI_CHANNEL_TYPE_DECOMP
};
// "compute", "async memcpy"; as CUPTI names it.
[[nodiscard]] constexpr std::string_view to_text(channel_type value) noexcept {
    switch (value) {
        case channel_type::invalid: return "invalid";
        case channel_type::compute: return "compute";
        case channel_type::async_memcpy: return "async memcpy";
        case channel_type::decompression: return "decompression";
    }
    return not_known;
}

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CHANNEL_TYPE_HPP
