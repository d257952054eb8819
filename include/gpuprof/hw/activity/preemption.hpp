// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a preempted or resumed kernel.
#ifndef GPUPROF_HW_ACTIVITY_PREEMPTION_HPP
#define GPUPROF_HW_ACTIVITY_PREEMPTION_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Preempted or resumed.
enum class preemption_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_PREEMPTION_KIND_UNKNOWN,
    save = abi::CUPTI_ACTIVITY_PREEMPTION_KIND_SAVE,
    restore = abi::CUPTI_ACTIVITY_PREEMPTION_KIND_RESTORE
};
[[nodiscard]] constexpr std::string_view to_text(preemption_kind value) noexcept {
    switch (value) {
        case preemption_kind::unknown: return "unknown";
        case preemption_kind::save: return "save";
        case preemption_kind::restore: return "restore";
    }
    return not_known;
}

// A kernel that launches kernels and was preempted or resumed.
struct preemption {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_PREEMPTION};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityPreemption", 40}};

    preemption_kind kind{};
    timestamp time{};
    std::int64_t grid_id = 0;
    dimensions block{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("preemptionKind", 4, 4, kind);
        row("timestamp", 8, 8, time);
        row("gridId", 16, 8, grid_id);
        row("blockX", 24, 4, block.x);
        row("blockY", 28, 4, block.y);
        row("blockZ", 32, 4, block.z);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_PREEMPTION_HPP
