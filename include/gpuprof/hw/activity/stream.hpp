// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a created stream.
#ifndef GPUPROF_HW_ACTIVITY_STREAM_HPP
#define GPUPROF_HW_ACTIVITY_STREAM_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// How a stream was created.
enum class stream_flag : unsigned {
    unknown = abi::CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN,
    default_ = abi::CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT,
    non_blocking = abi::CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING,
    null_ = abi::CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL
};
[[nodiscard]] constexpr std::string_view to_text(stream_flag value) noexcept {
    switch (value) {
        case stream_flag::unknown: return "unknown";
        case stream_flag::default_: return "default";
        case stream_flag::non_blocking: return "non blocking";
        case stream_flag::null_: return "null";
    }
    return not_known;
}

// A created stream.
struct stream {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_STREAM};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityStream", 24}};

    std::uint32_t context = 0;
    std::uint32_t id = 0;
    std::uint32_t priority = 0;
    stream_flag flag{};
    std::uint32_t correlation = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("contextId", 4, 4, context);
        row("streamId", 8, 4, id);
        row("priority", 12, 4, priority);
        row("flag", 16, 4, flag);
        row("correlationId", 20, 4, correlation);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_STREAM_HPP
