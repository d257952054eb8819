// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a loaded module.
#ifndef GPUPROF_HW_ACTIVITY_CODE_MODULE_HPP
#define GPUPROF_HW_ACTIVITY_CODE_MODULE_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A loaded module.
struct code_module {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MODULE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityModule", 24}};

    std::uint32_t context = 0;
    std::uint32_t id = 0;
    std::uint32_t cubin_size = 0; // bytes
    void const* cubin = nullptr;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("contextId", 4, 4, context);
        row("id", 8, 4, id);
        row("cubinSize", 12, 4, cubin_size);
        row("cubin", 16, 8, cubin);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CODE_MODULE_HPP
