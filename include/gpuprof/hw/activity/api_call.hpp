// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a call of the driver or the runtime.
#ifndef GPUPROF_HW_ACTIVITY_API_CALL_HPP
#define GPUPROF_HW_ACTIVITY_API_CALL_HPP

#include <cstdint>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A call of the driver or the runtime, or a launch by the driver itself (INTERNAL_LAUNCH_API).
struct api_call {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_DRIVER,
                                                        abi::CUPTI_ACTIVITY_KIND_RUNTIME,
                                                        abi::CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityAPI", 40}};

    abi::CUpti_ActivityKind kind{};
    std::uint32_t callback = 0; // CUPTI's callback id in the kind's domain
    interval time{};
    std::uint32_t process = 0;
    std::uint32_t thread = 0;      // of the type that cuptiSetThreadIdType chose
    std::uint32_t correlation = 0; // the same in the records of the work that it launched
    std::uint32_t status = 0;      // CUresult or cudaError_t

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("kind", 0, 4, kind);
        row("cbid", 4, 4, callback);
        row("start", 8, 8, time.start);
        row("end", 16, 8, time.end);
        row("processId", 24, 4, process);
        row("threadId", 28, 4, thread);
        row("correlationId", 32, 4, correlation);
        row("returnValue", 36, 4, status);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_API_CALL_HPP
