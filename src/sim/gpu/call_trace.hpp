// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who hears of driver calls, and the call that a thread is in.
#ifndef GPUPROF_SRC_SIM_GPU_CALL_TRACE_HPP
#define GPUPROF_SRC_SIM_GPU_CALL_TRACE_HPP

#include <atomic>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_callback.hpp>
#include <gpuprof/hw/abi/results.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Hears of each driver call while activity is recorded. begin() returns when the call began, in
// nanoseconds of cuptiGetTimestamp; end() gets it back. Neither throws.
struct call_recorder {
    std::uint64_t (*begin)(abi::CUpti_CallbackId id, std::uint32_t correlation) noexcept;
    void (*end)(abi::CUpti_CallbackId id, std::uint32_t correlation, std::uint64_t began,
                abi::CUresult status) noexcept;
};

// Who hears of driver calls: the bits of `listeners`.
enum class listener : unsigned {
    callbacks = 1, // a tool subscribed to callbacks
    activity = 2   // activity is recorded
};

// The one word that a driver call looks at. It stands outside gpu_state so that the look is one
// load and one branch.
inline constinit std::atomic<unsigned> listeners{0};

void set_listener(listener bit, bool on) noexcept;

// The correlation id of the call that this thread is in: callbacks and the records of whatever the
// call starts bear it. 0 outside of calls, and while nobody listens.
inline thread_local constinit std::uint32_t current_correlation = 0;

// The recorder of driver calls and the ids of calls.
struct call_trace {
    std::atomic<call_recorder const*> recorder{nullptr}; // null while no activity is recorded
    std::atomic<std::uint32_t> last_correlation{0};      // ids count the calls of the process that somebody heard of

    // Sets the recorder; null ends recording. The caller orders calls of this function.
    void record(call_recorder const* by) noexcept;

    [[nodiscard]] std::uint32_t next_correlation() noexcept {
        return last_correlation.fetch_add(1, std::memory_order_relaxed) + 1;
    }
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_CALL_TRACE_HPP
