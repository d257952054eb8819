// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an instruction's accesses to global memory.
#ifndef GPUPROF_HW_ACTIVITY_GLOBAL_ACCESS_HPP
#define GPUPROF_HW_ACTIVITY_GLOBAL_ACCESS_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// An instruction's accesses to global memory.
struct global_access {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityGlobalAccess3", 56}};

    std::uint32_t flags = 0; // bits 0 to 7: bytes of an access; 8: load; 9: cached
    std::uint32_t source = 0;
    std::uint32_t correlation = 0;
    std::uint32_t function = 0;
    std::uint64_t pc = 0;
    std::uint32_t warps_executed = 0;
    std::uint64_t threads_executed = 0;
    std::uint64_t l2_transactions = 0;
    std::uint64_t ideal_l2_transactions = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("sourceLocatorId", 8, 4, source);
        row("correlationId", 12, 4, correlation);
        row("functionId", 16, 4, function);
        row("pcOffset", 24, 8, pc);
        row("executed", 20, 4, warps_executed);
        row("threadsExecuted", 32, 8, threads_executed);
        row("l2_transactions", 40, 8, l2_transactions);
        row("theoreticalL2Transactions", 48, 8, ideal_l2_transactions);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_GLOBAL_ACCESS_HPP
