// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a CUPTI has the profiling API before the range profiler.
#ifndef GPUPROF_HW_COUNTERS_TARGET_TARGET_CALLS_HPP
#define GPUPROF_HW_COUNTERS_TARGET_TARGET_CALLS_HPP

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The symbol of the first call of that API that the table lacks; null where it has all. Static storage.
[[nodiscard]] inline char const* missing_target_call(abi::cupti_table const& cupti) noexcept {
    char const* missing = nullptr;
#define GPUPROF_TARGET_CALL(member, symbol, parameters)                                                                \
    if (missing == nullptr && cupti.member == nullptr) missing = #symbol;
    GPUPROF_ABI_CUPTI_PROFILER(GPUPROF_TARGET_CALL)
    GPUPROF_ABI_CUPTI_TARGET(GPUPROF_TARGET_CALL)
#undef GPUPROF_TARGET_CALL
    return missing;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_TARGET_TARGET_CALLS_HPP
