// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: executions and divergence of a branch.
#ifndef GPUPROF_HW_ACTIVITY_BRANCH_HPP
#define GPUPROF_HW_ACTIVITY_BRANCH_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The executions of a branch, and its divergence.
struct branch {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_BRANCH};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityBranch2", 40}};

    std::uint32_t source = 0;
    std::uint32_t correlation = 0;
    std::uint32_t function = 0;
    std::uint64_t pc = 0;
    std::uint32_t diverged = 0;
    std::uint64_t threads_executed = 0;
    std::uint32_t warps_executed = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("sourceLocatorId", 4, 4, source);
        row("correlationId", 8, 4, correlation);
        row("functionId", 12, 4, function);
        row("pcOffset", 16, 4, pc);
        row("diverged", 20, 4, diverged);
        row("threadsExecuted", 24, 8, threads_executed);
        row("executed", 32, 4, warps_executed);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_BRANCH_HPP
