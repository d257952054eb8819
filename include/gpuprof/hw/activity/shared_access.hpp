// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an instruction's accesses to shared memory.
#ifndef GPUPROF_HW_ACTIVITY_SHARED_ACCESS_HPP
#define GPUPROF_HW_ACTIVITY_SHARED_ACCESS_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// An instruction's accesses to shared memory.
struct shared_access {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_SHARED_ACCESS};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivitySharedAccess", 56}};

    std::uint32_t flags = 0; // bits 0 to 7: bytes of an access; 8: load
    std::uint32_t source = 0;
    std::uint32_t correlation = 0;
    std::uint32_t function = 0;
    std::uint64_t pc = 0;
    std::uint64_t threads_executed = 0;
    std::uint64_t transactions = 0;
    std::uint64_t ideal_transactions = 0;
    std::uint32_t warps_executed = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("flags", 4, 4, flags);
        row("sourceLocatorId", 8, 4, source);
        row("correlationId", 12, 4, correlation);
        row("functionId", 16, 4, function);
        row("pcOffset", 20, 4, pc);
        row("threadsExecuted", 24, 8, threads_executed);
        row("sharedTransactions", 32, 8, transactions);
        row("theoreticalSharedTransactions", 40, 8, ideal_transactions);
        row("executed", 48, 4, warps_executed);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_SHARED_ACCESS_HPP
