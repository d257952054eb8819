// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a line of source code.
#ifndef GPUPROF_HW_ACTIVITY_SOURCE_LOCATOR_HPP
#define GPUPROF_HW_ACTIVITY_SOURCE_LOCATOR_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A line of source code; records of instructions refer to it.
struct source_locator {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivitySourceLocator", 24}};

    std::uint32_t id = 0;
    std::uint32_t line = 0;
    std::string_view file{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("id", 4, 4, id);
        row("lineNumber", 8, 4, line);
        row("fileName", 16, 8, file);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_SOURCE_LOCATOR_HPP
