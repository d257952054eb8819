// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a function of a module.
#ifndef GPUPROF_HW_ACTIVITY_FUNCTION_HPP
#define GPUPROF_HW_ACTIVITY_FUNCTION_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A kernel or device function of a module; records of instructions refer to it.
struct function {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_FUNCTION};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityFunction", 32}};

    std::uint32_t id = 0;
    std::uint32_t context = 0;
    std::uint32_t loaded_module = 0;
    std::uint32_t index = 0;
    std::string_view name{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 4, 4, id);
        row("contextId", 8, 4, context);
        row("moduleId", 12, 4, loaded_module);
        row("functionIndex", 16, 4, index);
        row("name", 24, 8, name);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_FUNCTION_HPP
