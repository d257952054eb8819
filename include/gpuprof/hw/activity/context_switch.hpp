// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a switch of the compute engine to a context, or away from it.
#ifndef GPUPROF_HW_ACTIVITY_CONTEXT_SWITCH_HPP
#define GPUPROF_HW_ACTIVITY_CONTEXT_SWITCH_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The direction of a switch.
enum class context_switch_operation : unsigned {
    invalid = abi::CUPTI_COMPUTE_ENGINE_CTX_SWITCH_OPERATION_INVALID,
    start = abi::CUPTI_COMPUTE_ENGINE_CTX_SWITCH_OPERATION_START,
    end = abi::CUPTI_COMPUTE_ENGINE_CTX_SWITCH_OPERATION_END
};
[[nodiscard]] constexpr std::string_view to_text(context_switch_operation value) noexcept {
    switch (value) {
        case context_switch_operation::invalid: return "invalid";
        case context_switch_operation::start: return "start";
        case context_switch_operation::end: return "end";
    }
    return not_known;
}

// A switch of the compute engine to a context, or away from it.
struct context_switch {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_COMPUTE_ENGINE_CTX_SWITCH};
    static constexpr record_form forms[] = {{release(13, 1), "CUpti_ActivityComputeEngineCtxSwitch", 24}};

    std::uint32_t context = 0;
    timestamp time{};
    context_switch_operation operation{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("contextId", 4, 4, context);
        row("timestamp", 8, 8, time);
        row("operationType", 16, 4, operation);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CONTEXT_SWITCH_HPP
