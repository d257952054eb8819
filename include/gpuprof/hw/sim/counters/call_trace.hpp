// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver call that a thread is in, and who records calls. Layer: hw/sim; between the driver table, whose calls these are,
// and the CUPTI table, which makes callbacks and activity records of them.
#ifndef GPUPROF_HW_SIM_COUNTERS_CALL_TRACE_HPP
#define GPUPROF_HW_SIM_COUNTERS_CALL_TRACE_HPP

#include <atomic>  // one recorder for all threads
#include <cstdint> // correlation ids

#include "../../../detail/config.hpp"
#include "../../abi/cupti_callback.hpp"
#include "../../abi/results.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Hears of each driver call while activity is recorded. begin() returns when the call began, in nanoseconds of
// cuptiGetTimestamp; end() gets it back. Neither throws.
struct call_recorder {
    std::uint64_t (*begin)(abi::CUpti_CallbackId id, std::uint32_t correlation) noexcept;
    void (*end)(abi::CUpti_CallbackId id, std::uint32_t correlation, std::uint64_t began,
                abi::CUresult status) noexcept;
};

// Null while no activity is recorded.
inline constinit std::atomic<call_recorder const*> recorder_of_calls{nullptr};

// Why calls are made known, a bit for each reason: the one word that a call looks at.
inline constinit std::atomic<unsigned> reasons_to_announce{0};
inline constexpr unsigned somebody_subscribed = 1;
inline constexpr unsigned activity_is_recorded = 2;

inline void set_reason(unsigned reason, bool given) noexcept {
    if (given) reasons_to_announce.fetch_or(reason, std::memory_order_relaxed);
    else reasons_to_announce.fetch_and(~reason, std::memory_order_relaxed);
}

// Sets the recorder; null ends it. Callers order their calls of it.
inline void record_calls(call_recorder const* recorder) noexcept {
    recorder_of_calls.store(recorder, std::memory_order_release);
    set_reason(activity_is_recorded, recorder != nullptr);
}

// The correlation id of the call that this thread is in: callbacks and the records of whatever the call starts bear it. 0
// outside of calls, and while nobody listens or records.
inline thread_local constinit std::uint32_t current_correlation = 0;

// Ids count the calls of the process that somebody heard of.
inline constinit std::atomic<std::uint32_t> last_correlation{0};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_CALL_TRACE_HPP
